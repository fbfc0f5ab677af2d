package dev.sotto.learner.optimizer.resque;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class PoolScheduleTest {
  @Test
  void refusesWhatHasNoMeaning() {
    BallProblem ball = new BallProblem(1, 1, 1, 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PoolSchedule(1, 4, 1, ball, BallSolvers.EPOCH_SGD))
        .withMessageContaining("32 points");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PoolSchedule(1, 2, 1, ball, BallSolvers.WEIGHTED_SGD));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PoolSchedule(1, 5, 1, ball, BallSolvers.WEIGHTED_SGD));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PoolSchedule(1, 4, 0, ball, BallSolvers.WEIGHTED_SGD));
    assertThatIllegalArgumentException().isThrownBy(() -> new BallProblem(1, 1, 1.1, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new BallProblem(1, 1, 1, Double.NaN));
  }
}
