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
  void handsKafkaSettingsOn() {
    assertThat(Options.of("--set", "producer.batch.size=1", "--set", "a=b=c").settings())
        .containsEntry("producer.batch.size", "1")
        .containsEntry("a", "b=c");
  }

  @Test
  void readsWholeRounds() {
    for (Case each : Case.values()) {
      assertThat(Options.of().records(each) % Case.BATCH).isZero();
    }
  }

  @Test
  void namesWhatItDoesNotKnow() {
    assertThatThrownBy(() -> Options.of("--fast")).hasMessageContaining("no option --fast");
    assertThatThrownBy(() -> Options.of("--case"))
        .hasMessage("a case must be one of dense16, keyed16, dense64, sparse20of262144, but was ");
    assertThatThrownBy(() -> Options.of("--set", "x")).hasMessageContaining("NAME=VALUE");
  }
}
