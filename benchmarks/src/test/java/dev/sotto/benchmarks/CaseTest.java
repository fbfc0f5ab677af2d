package dev.sotto.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.example.Slot;
import dev.sotto.learner.example.Verdict;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CaseTest {
  @ParameterizedTest
  @EnumSource
  void writesWhatTheLearnerUses(Case what) {
    var slot = new Slot(what.inputs);
    assertThat(what.decoder().decode(null, what.encode(new SplittableRandom(1)), slot))
        .isEqualTo(Verdict.USED);
    assertThat(slot.example().size()).isEqualTo(what.nonZeros);
    for (Setup setup : Setup.all()) {
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
  void neverRunsOutOfBudget(Case what) {
    long rounds = Options.of().records(what) / Setup.SMALL;
    assertThat(what.plan(Setup.DIRECT).allows(rounds)).isTrue();
  }
}
