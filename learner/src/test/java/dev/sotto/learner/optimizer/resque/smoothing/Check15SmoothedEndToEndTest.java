package dev.sotto.learner.optimizer.resque.smoothing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.example.Vectors;
import dev.sotto.learner.optimizer.resque.AbsoluteData;
import dev.sotto.learner.optimizer.resque.PoolSize;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Acceptance checks 9, its schedule, and 15. Seeds are fixed: a false alarm is impossible. */
class Check15SmoothedEndToEndTest {
  private static final int D = 20;
  private static final int SLOTS = 65_536;
  private static final double MU = 0.236704;

  private static SmoothedSchedule schedule(double mu) {
    return SmoothedSchedule.of(new PoolSize(SLOTS, D, 1, 1, 1, 2 / mu), 2);
  }

  @Test
  void check9QuartersTheSteps() {
    SmoothedSchedule schedule = schedule(MU);
    double[] noise = {3.3005e-2, 8.2513e-3, 2.0628e-3, 5.1571e-4};
    assertThat(schedule.phases()).hasSize(10);
    for (int i = 0; i < noise.length; i++) {
      SmoothedSchedule.Phase phase = schedule.phases().get(i);
      assertThat(phase.slots()).isEqualTo(SLOTS >> (i + 1));
      assertThat(phase.step()).isEqualTo(1.0 / 256 / (1 << (2 * i)));
      assertThat(phase.noise(MU)).isCloseTo(noise[i], within(2e-5 * noise[i]));
    }
    assertThat(schedule.rho()).isEqualTo(1.0 / 256);
    assertThat(SmoothedSchedule.mostStep(1, schedule.rho())).isCloseTo(9.79e-3, within(5e-6));
    // Rounding adds less than a ten-thousandth, and something.
    SmoothedSchedule.Phase last = schedule.phases().get(9);
    assertThat(last.sensitivity()).isBetween(2 * last.step(), 2 * last.step() * (1 + 1e-4));
    assertThat(last.sensitivity()).isGreaterThan(2 * last.step());
    // Where slots become null ones half of it.
    SmoothedSchedule zero = SmoothedSchedule.of(new PoolSize(SLOTS, D, 1, 1, 1, 1 / MU), 1);
    assertThat(zero.phases().get(0).noise(MU)).isCloseTo(noise[0] / 2, within(1e-6));
    // A step that does not fit the smoothness is refused: nothing of the schedule asks for one.
    assertThat(SmoothedSchedule.mostStep(1, 1.0 / 1000)).isLessThan(1.0 / 256);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SmoothedSchedule.of(new PoolSize(100, 1, 1, 1, 1, 1), 3));
  }

  private static double[] run(AbsoluteData data, double mu, Random random) {
    SmoothedSchedule schedule = schedule(mu);
    double[] x = new double[D];
    int next = 0;
    for (SmoothedSchedule.Phase phase : schedule.phases()) {
      SmoothedPath path = new SmoothedPath(x, schedule.radius(), phase.step());
      for (int j = 0; j < phase.slots(); j++, next++) {
        double[] a = data.features[next];
        double residual = path.score(a) - data.labels[next];
        double width = schedule.rho() * Vectors.norm(a, D);
        path.step(a, SmoothedKink.ABSOLUTE.slope(residual, width));
      }
      path.average(x);
      for (int i = 0; i < D; i++) {
        x[i] += phase.noise(mu) * random.nextGaussian();
      }
      new dev.sotto.learner.optimizer.heavytail.Ball(null, 1).project(x);
    }
    return x;
  }

  @Test
  void check15LearnsInOnePass() {
    AbsoluteData fresh = new AbsoluteData(200_000, D, 1234);
    double best = fresh.loss(AbsoluteData.best(D));
    assertThat(best).isCloseTo(0.055, within(0.001));
    assertThat(fresh.loss(new double[D])).isCloseTo(0.140, within(0.002));
    double sum = 0;
    double noisier = 0;
    for (int seed = 0; seed < 5; seed++) {
      AbsoluteData data = new AbsoluteData(SLOTS, D, 11 + seed);
      double excess = fresh.loss(run(data, MU, new Random(seed))) - best;
      assertThat(excess).isBetween(0.0, 5e-4);
      sum += excess;
      noisier += fresh.loss(run(data, MU / 30, new Random(seed))) - best;
    }
    assertThat(sum / 5).isBetween(5e-5, 2.5e-4);
    // Thirty times the noise is seen.
    assertThat(noisier / 5).isGreaterThan(5e-4);
  }

  @Test
  void smoothsAKink() {
    for (SmoothedKink kink :
        new SmoothedKink[] {SmoothedKink.ABSOLUTE, SmoothedKink.HINGE, new SmoothedKink(-0.3, 0.7)
        }) {
      double width = 0.4;
      for (double u = -2; u <= 2; u += 0.13) {
        double mean = 0;
        for (double z = -12; z < 12; z += 1e-3) {
          double at = u + width * z;
          double value = at < 0 ? kink.left() * at : kink.right() * at;
          mean += 1e-3 * value * Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI);
        }
        assertThat(kink.value(u, width)).isCloseTo(mean, within(1e-6));
        double h = 1e-5;
        double slope = (kink.value(u + h, width) - kink.value(u - h, width)) / (2 * h);
        assertThat(kink.slope(u, width))
            .isCloseTo(slope, within(1e-9))
            .isBetween(kink.left(), kink.right());
        double bend = (kink.slope(u + h, width) - kink.slope(u - h, width)) / (2 * h);
        assertThat(bend).isBetween(-1e-9, kink.smoothness(width) + 1e-9);
      }
      assertThat((kink.slope(1e-4, width) - kink.slope(-1e-4, width)) / 2e-4)
          .isCloseTo(kink.smoothness(width), within(1e-6));
      assertThat(kink.slope(-3, 0)).isEqualTo(kink.left());
      assertThat(kink.slope(3, 0)).isEqualTo(kink.right());
      assertThat(kink.slope(0, 0)).isEqualTo((kink.left() + kink.right()) / 2);
    }
    // As the page writes them, at a margin and at a residual.
    assertThat(SmoothedKink.HINGE.slope(0.2 - 1, 0.5))
        .isCloseTo(
            -dev.sotto.learner.example.NormalTail.probability((1 - 0.2) / 0.5), within(1e-15));
    assertThat(SmoothedKink.ABSOLUTE.lipschitz()).isEqualTo(1);
  }
}
