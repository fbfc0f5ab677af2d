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
  void repeatsAsOftenAsTold() {
    assertThat(Options.of().repetitions()).isEqualTo(5);
    assertThat(Options.of("--quick").repetitions()).isEqualTo(3);
    assertThat(Options.of("--quick", "--repeat", "7").repetitions()).isEqualTo(7);
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
    assertThatThrownBy(() -> Options.of("--repeat", "0")).hasMessageContaining("from 1 to 99");
    assertThatThrownBy(() -> Options.of("--set", "x")).hasMessageContaining("NAME=VALUE");
  }
}
