package dev.sotto.learner.optimizer.resque.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sotto.learner.mechanism.PathNoise.Phase;
import dev.sotto.learner.optimizer.resque.PoolSize;
import dev.sotto.learner.optimizer.resque.theory.ErmPhase;
import dev.sotto.learner.optimizer.resque.theory.MultilevelSchedule;
import dev.sotto.learner.optimizer.resque.theory.SolverSize;
import dev.sotto.learner.optimizer.resque.theory.TheoremFloor;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sizes of calls beside those of the paper's algorithms, which are written out apart. */
class CallScheduleTest {
  private static final double MU = 0.236704; // epsilon 1 at delta 1e-6

  @Test
  void takesTheStepsOfAlgorithm4() {
    CallSize size = new CallSize(new PoolSize(65_536, 20, 1, 3, 8), 64, 0.1, 20, 0.1, 1e-9);
    for (long queries = 4; queries <= 4096; queries *= 2) {
      SolverSize call = new SolverSize(queries, 1 / (1.5 * 8), size.block().clip(), 20);
      List<Phase> expected = ErmPhase.of(call, 2 * size.radius()).stream()
          .map(each -> new Phase(each.steps(), each.step()))
          .toList();
      assertThat(CallSchedule.phases(size, queries)).isEqualTo(expected).isNotEmpty();
    }
  }

  @Test
  void drawsTheLevelsOfAlgorithm6() {
    for (int most = 1; most <= 4; most++) {
      CallLevels levels = new CallLevels(most);
      MultilevelSchedule expected = new MultilevelSchedule(64, most);
      double cap = 1.5 * 100 * most * levels.expectedCost();
      assertThat(levels.draw(3, 100 * most, cap)).isEqualTo(expected.draw(3, 100, cap));
      assertThat(64 * levels.expectedCost()).isEqualTo(expected.expectedQueries());
    }
    assertThatIllegalArgumentException() // far below the mean
        .isThrownBy(() -> new CallLevels(4).draw(3, 400, 500))
        .withMessageContaining("too low for 400 loops, whose expected cost is 2800");
  }

  /** Beside the floor of calls that sample their slots. */
  @Test
  void knowsWhereTheoryBegins() {
    int[] dimensions = {10, 100};
    double[] floors = {1.6e6, 3.0e6};
    for (int i = 0; i < 2; i++) {
      TheoremFloor.Target target = new TheoremFloor.Target(10, dimensions[i], 1, 1e-6);
      assertThat(CallRegime.provedSlots(10, dimensions[i], 20, MU / 3))
          .isBetween(floors[i], 1.07 * floors[i])
          .isEqualTo(TheoremFloor.ofSlices(target, 20, MU / 3).slots());
    }
  }
}
