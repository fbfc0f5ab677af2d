package dev.sotto.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BenchmarkCaseTest {
  @ParameterizedTest
  @EnumSource
  void writesWhatTheLearnerUses(BenchmarkCase what) {
    var slot = new Slot(what.inputs);
    assertThat(what.decoder().decode(null, what.encode(new SplittableRandom(1)), slot))
        .isEqualTo(RecordStatus.USED);
    assertThat(slot.example().size()).isEqualTo(what.nonZeros);
    for (LearnerSetup setup : LearnerSetup.all()) {
      if (what.suits(setup)) {
        var plan = what.plan(setup);
        assertThat(plan.inputs()).isEqualTo(what.inputs);
        assertThat(plan.objective().admits(slot.example().label())).isTrue();
        assertThat(plan.batch() % setup.partitions()).isZero();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void neverRunsOutOfBudget(BenchmarkCase what) {
    long rounds = BenchmarkOptionsTest.options().records(what) / LearnerSetup.SMALL;
    assertThat(what.plan(LearnerSetup.DIRECT).allows(rounds)).isTrue();
  }
}
