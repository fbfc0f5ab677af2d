package dev.sotto.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class OptionsTest {
  @Test
  void measuresEveryCaseUnlessToldWhich() {
    assertThat(Options.of("--quick").cases()).containsExactly(Case.values());
    assertThat(Options.of("--case", "dense64", "--json").cases()).containsExactly(Case.DENSE_64);
  }

  @Test
  void measuresEveryContenderUnlessToldWhich() {
    assertThat(Setup.all()).allMatch(each -> Options.of().wants(each.name()));
    var some = Options.of("--contender", "rounds2");
    assertThat(some.wants("rounds2")).isTrue();
    assertThat(some.wants("direct")).isFalse();
    assertThat(some.wants(Report.PASS_THROUGH)).isTrue();
  }

  @Test
  void handsKafkaSettingsOn() {
    assertThat(Options.of("--set", "producer.batch.size=1", "--set", "a=b=c").settings())
        .containsEntry("producer.batch.size", "1")
        .containsEntry("a", "b=c");
  }

  @Test
  void readsWholeRounds() {
    for (Case each : Case.values()) {
      assertThat(Options.of().records(each) % Setup.LARGE).isZero();
    }
  }

  @Test
  void namesWhatItDoesNotKnow() {
    assertThatThrownBy(() -> Options.of("--fast")).hasMessageContaining("no option --fast");
    assertThatThrownBy(() -> Options.of("--case"))
        .hasMessage("a case must be one of dense16, keyed16, dense64, dense1024, sparse20of262144,"
            + " softmax10x784, but was ");
    assertThatThrownBy(() -> Options.of("--contender", "me"))
        .hasMessageContaining("raw, passThrough, direct, directSrgd, funnel, rounds1, ");
    assertThatThrownBy(() -> Options.of("--set", "x")).hasMessageContaining("NAME=VALUE");
  }
}
