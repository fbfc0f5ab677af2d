package dev.sotto.learner.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.mechanism.ImportanceWeight;
import dev.sotto.learner.mechanism.PathNoise;
import dev.sotto.learner.mechanism.PathRounding;
import dev.sotto.learner.optimizer.resque.AbsoluteData;
import dev.sotto.learner.optimizer.resque.BallProblem;
import dev.sotto.learner.optimizer.resque.Pool;
import dev.sotto.learner.optimizer.resque.ProximalStep;
import dev.sotto.learner.optimizer.resque.theory.WeightedRounding;
import dev.sotto.testing.Seed;
import dev.sotto.testing.Tier;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Rounding of paths, against arithmetic of 60 digits. Seeds are fixed. */
class PathRoundingTest {
  private static final MathContext DIGITS = new MathContext(60);
  private static final int D = 9;
  private static final double RHO = 0.05;
  private static final double CLIP = 2; // twice the largest norm: nothing is cut
  private static final BigDecimal ROOT_TWO_PI = new BigDecimal(
          "6.2831853071795864769252867665590057683943387987502116419498891846")
      .sqrt(DIGITS);

  /** Phi(z) = 1/2 + the series of its odd powers; for |z| up to 8. */
  private static BigDecimal probability(BigDecimal z) {
    if (z.abs().compareTo(BigDecimal.valueOf(8)) > 0) {
      // Within 1e-15 of 0 or 1, and rounded here as the doubles round it.
      return BigDecimal.valueOf(dev.sotto.learner.example.NormalTail.probability(z.doubleValue()));
    }
    BigDecimal half = z.multiply(z).divide(BigDecimal.valueOf(-2), DIGITS);
    BigDecimal power = z;
    BigDecimal sum = z;
    for (int k = 1; k < 250; k++) {
      power = power.multiply(half, DIGITS).divide(BigDecimal.valueOf(k), DIGITS);
      sum = sum.add(power.divide(BigDecimal.valueOf(2L * k + 1), DIGITS), DIGITS);
    }
    return sum.divide(ROOT_TWO_PI, DIGITS).add(new BigDecimal("0.5"));
  }

  /** The exact step from a point, for the absolute error and a width as it is computed. */
  private static BigDecimal[] exact(
      BigDecimal[] y, double[] a, double label, double step, double radius) {
    BigDecimal score = BigDecimal.ZERO;
    for (int i = 0; i < D; i++) {
      score = score.add(y[i].multiply(new BigDecimal(a[i])), DIGITS);
    }
    BigDecimal z = score.subtract(new BigDecimal(label)).divide(new BigDecimal(width(a)), DIGITS);
    BigDecimal slope = probability(z).multiply(BigDecimal.valueOf(2)).subtract(BigDecimal.ONE);
    BigDecimal[] next = new BigDecimal[D];
    BigDecimal square = BigDecimal.ZERO;
    for (int i = 0; i < D; i++) {
      BigDecimal move = slope.multiply(new BigDecimal(step)).multiply(new BigDecimal(a[i]));
      next[i] = y[i].subtract(move, DIGITS);
      square = square.add(next[i].multiply(next[i]), DIGITS);
    }
    BigDecimal norm = square.sqrt(DIGITS);
    if (norm.compareTo(new BigDecimal(radius)) > 0) {
      for (int i = 0; i < D; i++) {
        next[i] = next[i].multiply(new BigDecimal(radius)).divide(norm, DIGITS);
      }
    }
    return next;
  }

  private static double width(double[] a) {
    return RHO * dev.sotto.learner.example.Vectors.norm(a, D);
  }

  private static OrderedPath path(double[] start, double radius, double step, int steps) {
    PathNoise noise =
        new PathNoise(D, radius / CLIP, RHO, List.of(new PathNoise.Phase(steps, step)));
    OrderedPath path = new OrderedPath(
        new Lattice(0x1p-40, CLIP, D, 1), noise, Objective.of(Losses.ABSOLUTE.make()));
    path.open(1, start);
    return path;
  }

  private static Example example(double[] a, double label) {
    Example example = new Example(D);
    System.arraycopy(a, 0, example.dense(), 0, D);
    example.label(label);
    return example;
  }

  private static double[] point(OrderedPath path) {
    return Arrays.copyOf(path.numbers(), D);
  }

  /** 2 over the smoothness of the absolute error of features of norm 1, less a little. */
  private static double mostStep() {
    return RHO * Math.sqrt(2 * Math.PI) * (1 - 2e-6);
  }

  private static BigDecimal[] exactly(double[] y) {
    BigDecimal[] exact = new BigDecimal[D];
    for (int i = 0; i < D; i++) {
      exact[i] = new BigDecimal(y[i]);
    }
    return exact;
  }

  private static double distance(BigDecimal[] exact, double[] computed) {
    BigDecimal square = BigDecimal.ZERO;
    for (int i = 0; i < D; i++) {
      BigDecimal gap = exact[i].subtract(new BigDecimal(computed[i]), DIGITS);
      square = square.add(gap.multiply(gap), DIGITS);
    }
    return Math.sqrt(square.doubleValue());
  }

  /** Largest errors relative to their bounds: of a step, of the path's end, of its average. */
  private static double[] worst(double radius, double step, int steps, long seed) {
    Random random = Seed.random(seed);
    PathRounding rounding = PathRounding.ofScores(D, radius / CLIP, step);
    double[] best = AbsoluteData.direction(random, D);
    double[] start = AbsoluteData.direction(random, D);
    for (int i = 0; i < D; i++) {
      start[i] *= 0.95 * radius;
    }
    OrderedPath path = path(start, radius, step, steps);
    BigDecimal[] whole = exactly(start);
    BigDecimal[] sum = exactly(start);
    double worst = 0;
    for (int j = 0; j < steps; j++) {
      double[] a = AbsoluteData.direction(random, D);
      double label = 1.5 * radius * AbsoluteData.dot(a, best) + 0.1 * random.nextGaussian();
      BigDecimal[] next = exact(exactly(point(path)), a, label, step, radius);
      path.add(example(a, label));
      worst = Math.max(worst, distance(next, point(path)) / (CLIP * rounding.ofStep()));
      if (j > 0) {
        for (int i = 0; i < D; i++) {
          sum[i] = sum[i].add(whole[i], DIGITS);
        }
      }
      whole = exact(whole, a, label, step, radius);
    }
    double end = distance(whole, point(path)) / (CLIP * rounding.ofPath(steps));
    double[] average = new double[D];
    for (int i = 0; i < D; i++) {
      average[i] = path.numbers()[D + i] / steps;
      sum[i] = sum[i].divide(BigDecimal.valueOf(steps), DIGITS);
    }
    return new double[] {worst, end, distance(sum, average) / (CLIP * rounding.ofAverage(steps))};
  }

  @Test
  void boundsStepsPathsAndAverages() {
    double most = mostStep();
    double largest = 0;
    for (double radius : new double[] {0.03, 1, 1e4, 1e-5}) {
      for (double step : new double[] {most, most / 100, 1e-9}) {
        double[] worst = worst(radius, step, Tier.choose(12, 40), 5);
        for (double each : worst) {
          assertThat(each).as("radius %s, step %s", radius, step).isBetween(0.0, 1.0);
        }
        largest = Math.max(largest, worst[0]);
        // The bound is not idle: a millionth of it would fail, for every size of the numbers. Only
        // where the ball is small beside a step, projections shrink the errors before them.
        if (step < radius) {
          assertThat(worst[0]).isGreaterThan(1e-6);
        }
      }
    }
    assertThat(largest).isGreaterThan(1e-3);
  }

  @Test
  void wouldNotHoldForSingles() {
    double step = mostStep();
    Random random = Seed.random(2);
    double[] y = AbsoluteData.direction(random, D);
    for (int i = 0; i < D; i++) {
      y[i] *= 0.5;
    }
    double[] a = AbsoluteData.direction(random, D);
    BigDecimal[] next = exact(exactly(y), a, 0.1, step, 1);
    OrderedPath path = path(y, 1, step, 1);
    path.add(example(a, 0.1));
    double[] rounded = point(path);
    double bound = CLIP * PathRounding.ofScores(D, 1 / CLIP, step).ofStep();
    assertThat(distance(next, rounded)).isLessThanOrEqualTo(bound);
    for (int i = 0; i < D; i++) {
      rounded[i] = (float) rounded[i];
    }
    assertThat(distance(next, rounded)).isGreaterThan(bound);
  }

  /** e^x by its series, for |x| up to 10. */
  private static BigDecimal exponential(BigDecimal x) {
    BigDecimal sum = BigDecimal.ONE;
    BigDecimal power = BigDecimal.ONE;
    for (int k = 1; k < 150; k++) {
      power = power.multiply(x, DIGITS).divide(BigDecimal.valueOf(k), DIGITS);
      sum = sum.add(power, DIGITS);
    }
    return sum;
  }

  @Test
  void boundsStepsOfWeightedGradients() {
    Random random = Seed.random(6);
    BallProblem ball = new BallProblem(1, 0.5, 0.25, 2);
    double step = 0.01;
    double worst = 0;
    for (int run = 0; run < 200; run++) {
      double[] u = AbsoluteData.direction(random, D);
      double[] xi = new double[D];
      double[] gradient = AbsoluteData.direction(random, D);
      BigDecimal log = BigDecimal.ZERO;
      for (int i = 0; i < D; i++) {
        u[i] *= ball.radius() * 0.99 * random.nextDouble();
        xi[i] = ball.rho() * random.nextGaussian();
        BigDecimal exact = new BigDecimal(u[i]);
        log = log.add(exact.multiply(new BigDecimal(xi[i])))
            .subtract(exact.multiply(exact).divide(BigDecimal.valueOf(2)));
      }
      BigDecimal variance = new BigDecimal(ball.rho()).pow(2);
      BigDecimal weight = exponential(log.divide(variance, DIGITS));
      BigDecimal shrink = BigDecimal.ONE.add(new BigDecimal(step).multiply(BigDecimal.valueOf(2)));
      BigDecimal[] next = new BigDecimal[D];
      BigDecimal square = BigDecimal.ZERO;
      for (int i = 0; i < D; i++) {
        BigDecimal move =
            weight.multiply(new BigDecimal(step)).multiply(new BigDecimal(gradient[i]));
        next[i] = new BigDecimal(u[i]).subtract(move).divide(shrink, DIGITS);
        square = square.add(next[i].multiply(next[i]), DIGITS);
      }
      if (square.sqrt(DIGITS).doubleValue() > ball.radius()) {
        for (int i = 0; i < D; i++) {
          next[i] =
              next[i].multiply(new BigDecimal(ball.radius())).divide(square.sqrt(DIGITS), DIGITS);
        }
      }
      double norm = Math.sqrt(AbsoluteData.dot(xi, xi));
      double bound =
          WeightedRounding.of(D, ball, step, norm, weight.doubleValue()).ofStep();
      Pool pool = (entry, offset, factor, into) -> {
        double scaled = factor * ImportanceWeight.of(offset, xi, ball.rho());
        for (int i = 0; i < D; i++) {
          into[i] += scaled * gradient[i];
        }
      };
      ProximalStep.take(pool, 0, step, ball.lambda(), u);
      dev.sotto.learner.optimizer.heavytail.Ball.project(u, null, ball.radius());
      worst = Math.max(worst, distance(next, u) / bound);
    }
    assertThat(worst).isBetween(0.005, 1.0);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WeightedRounding.of(D, ball, step, 1e14, 1));
  }

  @Test
  void growsWithEverything() {
    double one = PathRounding.ofScores(10, 1, 0.01).ofAverage(1000);
    assertThat(one).isBetween(1e-12, 1e-10);
    assertThat(PathRounding.ofScores(100, 1, 0.01).ofAverage(1000)).isGreaterThan(one);
    assertThat(PathRounding.ofScores(10, 2, 0.01).ofAverage(1000)).isGreaterThan(one);
    assertThat(PathRounding.ofScores(10, 1, 0.02).ofAverage(1000)).isGreaterThan(one);
    assertThat(PathRounding.ofScores(10, 1, 0.01).ofAverage(1001)).isGreaterThan(one);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PathRounding.ofScores(10, 0, 0.01))
        .withMessageContaining("radius");
    assertThatIllegalArgumentException().isThrownBy(() -> new PathRounding(1, 1, Double.NaN, 1, 1));
  }
}
