package dev.sotto.learner.optimizer.resque;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sotto.learner.optimizer.heavytail.Ball;
import dev.sotto.learner.optimizer.resque.theory.Aggregate;
import dev.sotto.testing.Seed;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Ball acceleration with exact oracles of a quadratic, and Aggregate. Seeds are fixed. */
class BallAccelerationTest {
  private static final double[] CURVATURES = {1, 0.1, 0.01, 0.001};
  private static final double[] BEST = {0.5, -0.5, 0.5, 0.5};
  private static final double RADIUS = 0.05;

  private static double excess(double[] x) {
    double sum = 0;
    for (int i = 0; i < x.length; i++) {
      sum += CURVATURES[i] * (x[i] - BEST[i]) * (x[i] - BEST[i]) / 2;
    }
    return sum;
  }

  /** The exact minimum over the ball: a larger lambda where that of the whole space is outside. */
  private static void exact(double[] center, double lambda, double[] into) {
    double low = lambda;
    double high = lambda;
    while (proximal(center, high, into) > RADIUS) {
      low = high;
      high *= 2;
    }
    for (int i = 0; i < 80; i++) {
      double middle = (low + high) / 2;
      if (proximal(center, middle, into) > RADIUS) {
        low = middle;
      } else {
        high = middle;
      }
    }
    proximal(center, high, into);
  }

  private static double proximal(double[] center, double lambda, double[] into) {
    double square = 0;
    for (int i = 0; i < into.length; i++) {
      into[i] = (CURVATURES[i] * BEST[i] + lambda * center[i]) / (CURVATURES[i] + lambda);
      square += (into[i] - center[i]) * (into[i] - center[i]);
    }
    return Math.sqrt(square);
  }

  private static BallAcceleration.Outcome run(int iterations, double target) {
    BallOracle oracle = BallAccelerationTest::exact;
    BallAcceleration algorithm =
        new BallAcceleration(RADIUS, 1e-4, 2 / RADIUS, iterations, 60, target);
    return algorithm.run(
        new double[4], new Ball(null, 1), new BallAcceleration.Oracles(oracle, oracle, oracle));
  }

  @Test
  void keepsItsPotential() {
    double last = 0;
    for (int iterations = 1; iterations <= 40; iterations++) {
      BallAcceleration.Outcome outcome = run(iterations, 1e9);
      assertThat(outcome.iterations()).isEqualTo(iterations);
      assertThat(outcome.mass()).isGreaterThan(last);
      assertThat(excess(outcome.point()) * outcome.mass()).isLessThanOrEqualTo(1 + 1e-9);
      last = outcome.mass();
    }
    // (R / r)^(2/3) = 7.4: a few times as many balls come to an accuracy of 1e-3.
    BallAcceleration.Outcome outcome = run(60, 1000);
    assertThat(outcome.mass()).isGreaterThanOrEqualTo(1000);
    assertThat(outcome.iterations()).isLessThan(40);
    assertThat(excess(outcome.point())).isLessThan(1e-3);
    assertThat(excess(run(2, 1000).point())).isGreaterThan(0.05);
    assertThat(outcome.searches()).isLessThanOrEqualTo(60 * outcome.iterations());
  }

  @Test
  void takesALargeLambdaWhereTheSearchFindsNone() {
    BallOracle far = (center, lambda, into) -> into[0] = center[0] + 1;
    BallOracle same = (center, lambda, into) -> into[0] = center[0];
    BallAcceleration one = new BallAcceleration(0.1, 1, 20, 1, 5, 100);
    BallAcceleration.Outcome outcome =
        one.run(new double[1], Ball.all(), new BallAcceleration.Oracles(far, same, same));
    assertThat(outcome.mass()).isEqualTo(1 / 20.0); // a = 1 / lambda in the first iteration
    assertThat(outcome.searches()).isEqualTo(5);
    BallAcceleration.Outcome small =
        one.run(new double[1], Ball.all(), new BallAcceleration.Oracles(same, same, same));
    assertThat(small.mass()).isBetween(0.5, 1.0); // lambda up to twice the least
    assertThatIllegalArgumentException().isThrownBy(() -> new BallAcceleration(0.1, 2, 1, 1, 1, 1));
  }

  @Test
  void aggregatesToAPointThatIsNear() {
    Random random = Seed.random(8);
    double delta = 0.3;
    for (int run = 0; run < 300; run++) {
      int k = 1 + random.nextInt(40);
      double[] place = {random.nextGaussian(), random.nextGaussian(), random.nextGaussian()};
      double[][] points = new double[k][3];
      int near = (int) Math.ceil(0.51 * k);
      double[] liar = AbsoluteData.direction(random, 3); // the others keep together
      for (int j = 0; j < k; j++) {
        double[] direction = AbsoluteData.direction(random, 3);
        double length = j < near ? delta / 3 * random.nextDouble() : 0.01;
        for (int i = 0; i < 3; i++) {
          points[j][i] = place[i] + length * direction[i] + (j < near ? 0 : 2 * delta * liar[i]);
        }
      }
      java.util.Collections.shuffle(java.util.Arrays.asList(points), random);
      assertThat(distance(points[Aggregate.choose(points, delta)], place))
          .isLessThanOrEqualTo(delta * (1 + 1e-12));
    }
    // Where no majority keeps together, the point with most neighbours.
    double[][] scattered = {{0}, {10}, {10.1}, {30}, {40}};
    assertThat(Aggregate.choose(scattered, 0.3)).isEqualTo(1);
    // Without a majority nothing holds: two of five near a place are outvoted.
    double[][] outvoted = {{0}, {0.01}, {5}, {5.01}, {5.02}};
    assertThat(outvoted[Aggregate.choose(outvoted, 0.3)][0]).isGreaterThan(4);
  }

  private static double distance(double[] a, double[] b) {
    double square = 0;
    for (int i = 0; i < a.length; i++) {
      square += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return Math.sqrt(square);
  }
}
