package dev.sotto.learner.optimizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.testing.Seed;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of {@link Potential}, over every constant of the enum and several sets of each. */
class PotentialsTest {
  private static final double INFINITY = Double.POSITIVE_INFINITY;

  static Stream<SlowPotential> potentials() {
    return SlowPotential.all();
  }

  @Test
  void coversEveryPotential() {
    Set<Potentials> covered = potentials()
        .map(SlowPotential::kind)
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Potentials.class)));
    assertThat(covered).isEqualTo(EnumSet.allOf(Potentials.class));
  }

  @ParameterizedTest
  @MethodSource("potentials")
  void isBeatenByNoFeasiblePoint(SlowPotential slow) {
    assertThat(beaten(slow, slow.potential())).isZero();
  }

  @ParameterizedTest
  @MethodSource("potentials")
  void wouldNoticeAStepTooLongByAThousandth(SlowPotential slow) {
    Potential broken = new Potential() {
      @Override
      public void argmin(double[] gradient, double eta, double[] into) {
        slow.potential().argmin(gradient, 1.001 * eta, into);
      }

      @Override
      public void gradient(double[] point, double[] into) {
        slow.potential().gradient(point, into);
      }

      @Override
      public String describe() {
        return slow.potential().describe();
      }

      @Override
      public double diameter(int dimension) {
        return slow.potential().diameter(dimension);
      }
    };
    assertThat(beaten(slow, broken)).isPositive();
  }

  /** How many of many random feasible points, far and near, have a lower objective. */
  private static int beaten(SlowPotential slow, Potential potential) {
    Random random = Seed.random(5);
    int beaten = 0;
    for (int trial = 0; trial < 60; trial++) {
      int dimension = slow.dimension(1 + random.nextInt(6));
      double[] gradient = gradient(random, dimension);
      double eta = StrictMath.pow(10, 3 * random.nextDouble() - 2);
      double[] w = new double[dimension];
      potential.argmin(gradient, eta, w);
      double best = slow.objective(gradient, eta, w);
      for (int i = 0; i < 100; i++) {
        double[] other = slow.point(random, dimension);
        double part = StrictMath.pow(10, -4 * random.nextDouble());
        for (int j = 0; j < dimension; j++) {
          other[j] = w[j] + part * (other[j] - w[j]); // W is convex
        }
        double tolerance = 1e-13 * slow.objectiveSize(gradient, eta, w);
        if (slow.objective(gradient, eta, other) < best - tolerance) {
          beaten++;
        }
      }
    }
    return beaten;
  }

  private static double[] gradient(Random random, int dimension) {
    double size = StrictMath.pow(10, 3 * random.nextDouble() - 1);
    double[] gradient = new double[dimension];
    for (int i = 0; i < dimension; i++) {
      gradient[i] = random.nextInt(5) == 0 ? 0 : size * random.nextGaussian();
    }
    return gradient;
  }

  @ParameterizedTest
  @MethodSource("potentials")
  void staysFiniteAndInsideForEverySizeOfGradient(SlowPotential slow) {
    double[] sizes = {0, -0.0, 1e-300, 1e-160, 1e-20, 1, 1e20, 1e160, 1e300};
    double[] etas = {Double.MIN_VALUE, 1e-300, 1e-10, 1, 1e10, 1e200, Double.MAX_VALUE};
    int dimension = slow.dimension(4);
    double[] w = new double[dimension];
    double[] gradient = new double[dimension];
    for (double first : sizes) {
      for (double second : sizes) {
        for (double eta : etas) {
          for (int i = 0; i < dimension; i++) {
            gradient[i] = (i % 2 == 0 ? first : -second) * (i > 1 ? -0.5 : 1);
          }
          slow.potential().argmin(gradient, eta, w);
          for (double entry : w) {
            assertThat(entry).as("%s, %s, eta %s", first, second, eta).isFinite();
          }
          assertThat(slow.holds(w)).as("%s, %s, eta %s", first, second, eta).isTrue();
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("potentials")
  void startsAtTheMinimiserOfPsi(SlowPotential slow) {
    int dimension = slow.dimension(3);
    double[] start = new double[dimension];
    slow.potential().argmin(new double[dimension], 1, start);
    Random random = Seed.random(6);
    for (int i = 0; i < 1000; i++) {
      double[] other = slow.point(random, dimension);
      assertThat(slow.psi(other)).isGreaterThanOrEqualTo(slow.psi(start) - 1e-13);
    }
  }

  @ParameterizedTest
  @MethodSource("potentials")
  void boundsTheRangeOfPsiAndReachesIt(SlowPotential slow) {
    int dimension = slow.dimension(3);
    double diameter = slow.potential().diameter(dimension);
    double[] start = new double[dimension];
    slow.potential().argmin(new double[dimension], 1, start);
    double widest = 0;
    Random random = Seed.random(8);
    for (int i = 0; i < 2000; i++) {
      double range = slow.psi(slow.point(random, dimension)) - slow.psi(start);
      assertThat(range).isLessThanOrEqualTo(diameter * diameter * (1 + 1e-12));
      double[] corner = new double[dimension]; // an extreme point, in a random direction
      slow.potential().argmin(gradient(random, dimension), 1e6, corner);
      widest = Math.max(widest, slow.psi(corner) - slow.psi(start));
    }
    if (diameter < INFINITY) {
      assertThat(widest).isCloseTo(diameter * diameter, within(1e-6 * diameter * diameter));
    }
  }

  @ParameterizedTest
  @MethodSource("potentials")
  void mayWriteOverItsGradient(SlowPotential slow) {
    Random random = Seed.random(9);
    for (int i = 0; i < 100; i++) {
      int dimension = slow.dimension(5);
      double[] gradient = gradient(random, dimension);
      double[] w = new double[dimension];
      slow.potential().argmin(gradient, 0.1, w);
      slow.potential().argmin(gradient, 0.1, gradient);
      assertThat(gradient).containsExactly(w);
    }
  }

  @ParameterizedTest
  @MethodSource("potentials")
  void refusesStepsAndLengthsOutOfRange(SlowPotential slow) {
    double[] gradient = new double[slow.dimension(2)];
    for (double bad : new double[] {Double.NaN, 0, -1, INFINITY}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> slow.potential().argmin(gradient, bad, gradient))
          .withMessage("eta must be positive and finite, but was " + bad);
    }
    double[] longer = new double[gradient.length + 1];
    assertThatIllegalArgumentException()
        .isThrownBy(() -> slow.potential().argmin(gradient, 1, longer));
    assertThatIllegalArgumentException().isThrownBy(() -> slow.potential().diameter(0));
  }

  @Test
  void describesEachPotentialWithAllItsNumbers() {
    assertThat(new LpBall(1.25, 3).describe()).isEqualTo("lp p=0x1.4p0 radius=0x1.8p1");
    assertThat(new Box(-1, 2).describe()).isEqualTo("box min=-0x1.0p0 max=0x1.0p1");
    assertThat(new Simplex(3).describe()).isEqualTo("simplex radius=0x1.8p1");
    assertThat(new EuclideanBall(null, INFINITY).describe()).isEqualTo("l2 radius=Infinity");
    assertThat(new EuclideanBall(new double[] {1}, 2).describe())
        .isEqualTo("l2 radius=0x1.0p1 center=start");
  }

  @Test
  void refusesSetsOutOfRange() {
    for (double bad : new double[] {Double.NaN, 0, -1}) {
      refuses(() -> new EuclideanBall(null, bad));
      refuses(() -> new LpBall(1.5, bad));
      refuses(() -> new Simplex(bad));
      refuses(() -> new LpBall(bad, 1));
      refuses(() -> new Box(1, bad));
    }
    refuses(() -> new Simplex(INFINITY));
    refuses(() -> new LpBall(1, 1));
    refuses(() -> new LpBall(2.001, 1));
    refuses(() -> new Box(Double.NaN, 1));
    refuses(() -> new Box(1, 1));
    refuses(() -> new Box(INFINITY, INFINITY));
    refuses(() -> new EuclideanBall(new double[] {Double.NaN}, 1));
    refuses(() -> new EuclideanBall(new double[2], 1).argmin(new double[3], 1, new double[3]));
  }

  private static void refuses(Runnable making) {
    assertThatIllegalArgumentException().isThrownBy(making::run).withMessageContaining("must");
  }
}
