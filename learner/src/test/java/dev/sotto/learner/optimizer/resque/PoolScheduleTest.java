package dev.sotto.learner.optimizer.resque;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class PoolScheduleTest {
  private static PoolSize size(long slots, int outputs, double noise) {
    return new PoolSize(slots, 16, outputs, 2, 3, noise);
  }

  @Test
  void followsFromTheAccuracy() {
    PoolSchedule linear = PoolSchedule.of(size(20_000, 1, 4), 20, 1, BallSolvers.WEIGHTED_SGD);
    assertThat(linear.rho()).isCloseTo(3.0 / 20, within(1e-15)); // accuracy / L
    assertThat(linear.ball().radius()).isEqualTo(linear.rho());
    assertThat(linear.lambda()).isCloseTo(2 / linear.rho(), within(1e-12));
    assertThat(linear.rounds()).isEqualTo(40); // 2 kappa
    assertThat(linear.points()).isEqualTo(10); // kappa^2 / N
    // The mass that the outer recursion reaches, N^2 / (4 lambda), is R^2 / accuracy at least.
    Acceleration acceleration = new Acceleration(1);
    for (long k = 0; k < linear.rounds(); k++) {
      acceleration.advance(
          linear.lambda(), new double[1], dev.sotto.learner.optimizer.heavytail.Ball.all());
    }
    assertThat(acceleration.mass())
        .isGreaterThanOrEqualTo(3 * 3 / (2 * 3 / 20.0))
        .isGreaterThanOrEqualTo(40 * 40 / (4 * linear.lambda()));
    PoolSchedule any = PoolSchedule.of(size(20_000, 0, 4), 20, 1, BallSolvers.WEIGHTED_SGD);
    assertThat(any.rho()).isCloseTo(linear.rho() / 4, within(1e-15)); // sqrt(16)
    assertThat(any.rounds()).isEqualTo(80); // 2 kappa d^(1/4)
    assertThat(any.points()).isEqualTo(6);
    assertThat(PoolSchedule.rounds(1, 5, 0.05)).isEqualTo(20);
  }

  @Test
  void needsNoTuning() {
    PoolSchedule many = PoolSchedule.of(size(20_000, 1, 4));
    assertThat(many.rounds()).isEqualTo(22);
    assertThat(many.points()).isEqualTo(40);
    assertThat(many.rate()).isCloseTo(0.5 / Math.sqrt(880), within(1e-12));
    PoolSchedule noisy = PoolSchedule.of(size(400, 1, 20)); // sqrt(16) 20 / 400 = 1 / 5
    assertThat(noisy.rho()).isCloseTo(3.0 / 5, within(1e-15));
    assertThat(noisy.rate()).isEqualTo(0.25);
    assertThat(PoolSchedule.of(size(10, 1, 0)).rate()).isEqualTo(1);
  }

  @Test
  void refusesWhatHasNoMeaning() {
    PoolSize size = size(100, 1, 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PoolSchedule.of(size, 0.5, 1, BallSolvers.WEIGHTED_SGD));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PoolSchedule.of(size, 20, 1, BallSolvers.EPOCH_SGD))
        .withMessageContaining("32 points");
    BallProblem ball = new BallProblem(1, 1, 1, 1);
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
