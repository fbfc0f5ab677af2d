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
    var slot = new Slot(what.dimension);
    assertThat(what.decoder().decode(null, what.encode(new SplittableRandom(1)), slot))
        .isEqualTo(Verdict.USED);
    assertThat(slot.example().size()).isEqualTo(what.nonZeros);
    assertThat(what.plan().dimension()).isEqualTo(what.dimension);
  }

  @ParameterizedTest
  @EnumSource
  void neverRunsOutOfBudget(Case what) {
    long rounds = Options.of().records(what) / Case.BATCH;
    assertThat(what.plan().allows(rounds)).isTrue();
  }
}
