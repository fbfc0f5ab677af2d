package dev.sotto.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class BenchmarkOptionsTest {
  static BenchmarkOptions options(String... arguments) {
    EndToEnd.Main main = new EndToEnd.Main();
    new CommandLine(main).parseArgs(arguments);
    return main.options;
  }

  @Test
  void measuresEveryCaseUnlessToldWhich() {
    assertThat(options("--quick").cases()).containsExactly(BenchmarkCase.values());
    assertThat(options("--case", "dense64", "--json").cases())
        .containsExactly(BenchmarkCase.DENSE_64);
  }

  @Test
  void measuresEveryContenderUnlessToldWhich() {
    assertThat(LearnerSetup.all()).allMatch(each -> options().wants(each.name()));
    var some = options("--contender", "rounds2");
    assertThat(some.wants("rounds2")).isTrue();
    assertThat(some.wants("direct")).isFalse();
    assertThat(some.wants(Report.PASS_THROUGH)).isTrue();
  }

  @Test
  void handsKafkaSettingsOn() {
    assertThat(options("--set", "producer.batch.size=1", "--set", "a=b=c").settings)
        .containsEntry("producer.batch.size", "1")
        .containsEntry("a", "b=c");
  }

  @Test
  void repeatsAsOftenAsTold() {
    assertThat(options().repetitions()).isEqualTo(5);
    assertThat(options("--quick").repetitions()).isEqualTo(3);
    assertThat(options("--quick", "--repeat", "7").repetitions()).isEqualTo(7);
  }

  @Test
  void readsWholeRounds() {
    for (BenchmarkCase each : BenchmarkCase.values()) {
      assertThat(options().records(each) % LearnerSetup.LARGE).isZero();
    }
  }

  @Test
  void namesWhatItDoesNotKnow() {
    assertThatThrownBy(() -> options("--fast")).hasMessageContaining("'--fast'");
    assertThatThrownBy(() -> options("--case", "sparse"))
        .hasMessageContaining("a case must be one of dense16, keyed16, dense64, dense1024,"
            + " sparse20of65536, sparse20of262144, softmax10x784, but was sparse");
    assertThatThrownBy(() -> options("--case")).hasMessageContaining("--case");
    assertThatThrownBy(() -> options("--contender", "me"))
        .hasMessageContaining(
            "raw, passThrough, unitAggregate, lateLabels, direct, direct64, direct256, blocks,"
                + " directSrgd, ordered, ");
    for (String wrong : List.of("0", "100", "x")) {
      assertThatThrownBy(() -> options("--repeat", wrong)).hasMessageContaining("--repeat");
    }
    assertThatThrownBy(() -> options("--set", "x")).hasMessageContaining("--set");
  }
}
