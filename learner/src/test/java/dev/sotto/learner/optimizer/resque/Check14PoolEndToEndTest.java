package dev.sotto.learner.optimizer.resque;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/**
 * Acceptance check 14 of the page of the paper: excess empirical loss of the pool algorithm at (1,
 * 1e-6), 448 sampled queries in 28 rounds. Seeds are fixed: a false alarm is impossible.
 */
class Check14PoolEndToEndTest {
  private static final int RUNS = 4;

  private static final AbsoluteData DATA = new AbsoluteData(20_000, 20, 11);
  private static final PoolRuns POOLS = new PoolRuns(DATA, 4.946);

  private static double excess(double lambda) {
    PoolSchedule schedule = new PoolSchedule(
        28, 16, 0.05, new BallProblem(1, 0.05, 0.05, lambda), BallSolvers.WEIGHTED_SGD);
    double sum = 0;
    for (int run = 0; run < RUNS; run++) {
      sum += DATA.loss(POOLS.block(schedule, 100 + run));
    }
    return sum / RUNS - DATA.least();
  }

  @Test
  void learnsInFewRounds() {
    assertThat(excess(5)).isBetween(0.0005, 0.003);
    // With the lambda of the theory steps are too short for as few rounds.
    assertThat(excess(20)).isCloseTo(0.0248, within(0.001));
  }
}
