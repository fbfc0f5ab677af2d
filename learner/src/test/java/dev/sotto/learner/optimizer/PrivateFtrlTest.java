package dev.sotto.learner.optimizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.optimizer.settings.Optimizers;
import dev.sotto.learner.release.ClippedSum;
import dev.sotto.learner.release.Lattice;
import dev.sotto.learner.release.Releaser;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PrivateFtrlTest {
  private static final NoiseKey KEY = NoiseKey.of(new byte[32]);
  private static final double INFINITY = Double.POSITIVE_INFINITY;

  /** The weights after each round of one gradient, by the path that every model takes. */
  private static List<double[]> trace(
      Optimizer optimizer, Lattice lattice, Mechanism mechanism, double sigma, double[]... raw) {
    OptimizerState course = optimizer.start(lattice.dimension());
    double[] weights = course.weights();
    Releaser releaser =
        Releaser.start(lattice, mechanism, sigma, KEY, new byte[16], new byte[32], weights);
    ClippedSum sum = new ClippedSum(lattice);
    List<double[]> trace = new ArrayList<>();
    trace.add(weights.clone());
    for (double[] gradient : raw) {
      sum.add(gradient);
      course.tell(releaser.release(sum, weights, new byte[16], 0));
      trace.add(weights.clone());
    }
    return trace;
  }

  private static void assertTrace(List<double[]> trace, double[]... expected) {
    assertThat(trace).hasSize(expected.length);
    for (int t = 0; t < expected.length; t++) {
      assertThat(trace.get(t)).containsExactly(expected[t], within(1e-7));
    }
  }

  /** docs/development/figures.md, "Private FTRL". */
  @Test
  void takesTheStepsOfThePage() {
    assertTrace(
        page(new PrivateFtrl(new EuclideanBall(null, 0.5), new StepSize.Decreasing(1))),
        new double[] {0, 0},
        new double[] {-0.3, -0.4},
        new double[] {-0.45690577, -0.20306923},
        new double[] {-0.12126781, -0.48507125});
  }

  /** On the page all three weights lie on the ball, which hides the steps; G / sqrt(t + 1) shows them. */
  @Test
  void takesTheStepOfTheNextRound() {
    assertTrace(
        page(new PrivateFtrl(new EuclideanBall(null, INFINITY), new StepSize.Decreasing(1))),
        new double[] {0, 0},
        new double[] {-0.6 / Math.sqrt(2), -0.8 / Math.sqrt(2)},
        new double[] {-0.9 / Math.sqrt(3), -0.4 / Math.sqrt(3)},
        new double[] {-0.15, -0.6});
  }

  private static List<double[]> page(Optimizer optimizer) {
    return trace(
        optimizer,
        new Lattice(0x1p-40, 1, 2, 1),
        Mechanisms.noneForPublicData(),
        0,
        new double[] {3, 4},
        new double[] {0.3, -0.4},
        new double[] {-6, 8});
  }

  /** x^3 / (x^2 + s^2) takes the place of the noisy prefix x; 0 stays 0. */
  @Test
  void shrinksCoordinatesThatAreMostlyNoise() {
    StepSize steps = new StepSize() {
      @Override
      public double eta(long t) {
        return 1;
      }

      @Override
      public double shrinkage(long rounds) {
        return 0.8;
      }

      @Override
      public String describe() {
        return "test";
      }
    };
    assertTrace(
        trace(
            new PrivateFtrl(new EuclideanBall(null, INFINITY), steps),
            new Lattice(0x1p-40, 1, 2, 1),
            Mechanisms.noneForPublicData(),
            0,
            new double[] {3, 4},
            new double[] {-0.6, 0}),
        new double[] {0, 0},
        new double[] {-0.216, -0.4},
        new double[] {0, -0.4});
  }

  @Test
  void scalesItsStepsToGradientAndNoise() {
    // Gbar^2 = 3^2 + 4 * 2 * (10 / 5)^2 = 41
    assertThat(PrivateFtrl.stepScale(2, 3, 4, 2, 10, 5))
        .isCloseTo(2 / Math.sqrt(41), within(1e-15));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, INFINITY, Double.NaN})
  void refusesADiameterThatGivesNoStep(double diameter) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PrivateFtrl.stepScale(diameter, 1, 1, 1, 1, 1))
        .withMessageContaining("must be positive and finite")
        .withMessageContaining(String.valueOf(diameter));
  }

  @Test
  void needsAPotentialAndSteps() {
    assertThatNullPointerException()
        .isThrownBy(() -> new PrivateFtrl(null, new StepSize.Decreasing(1)))
        .withMessage("potential");
    assertThatNullPointerException()
        .isThrownBy(() -> new PrivateFtrl(new EuclideanBall(null, 1), null))
        .withMessage("steps");
  }

  @ParameterizedTest
  @EnumSource
  void isFoundByItsName(Optimizers each) {
    assertThat(Optimizers.named(each.configName())).contains(each);
    assertThat(Optimizers.named(each.configName() + "x")).isEmpty();
  }

  static Stream<SlowPotential> potentials() {
    return SlowPotential.all();
  }

  /** Scales of gradient and noise from 1e-255 to 1e290, every mechanism, small steps and large ones. */
  @ParameterizedTest
  @MethodSource("potentials")
  void staysFiniteAndFeasibleWhateverItIsTold(SlowPotential slow) {
    int dimension = slow.dimension(4);
    double[][] clipAndSigma = {{1, 1}, {1, 0x1p19}, {1e-9, 1e-5}, {1e285, 1e290}, {1e-250, 1e-255}};
    for (double[] scale : clipAndSigma) {
      Lattice lattice = Lattice.fit(scale[0], scale[1], dimension, 1);
      double[][] raw = new double[9][dimension];
      raw[0][0] = 1e300;
      raw[1][dimension - 1] = -scale[0];
      raw[2][0] = Double.NaN;
      for (StepSize steps : List.of(
          new StepSize.Decreasing(1),
          new StepSize.Decreasing(1e-200),
          new StepSize.Fixed(1e200, 9))) {
        Optimizer optimizer = new PrivateFtrl(slow.potential(), steps);
        for (Mechanism mechanism : List.of(
            Mechanisms.INDEPENDENT.make(),
            Mechanisms.BINARY_TREE.make(),
            Mechanisms.noneForPublicData())) {
          for (double[] weights : trace(optimizer, lattice, mechanism, scale[1], raw)) {
            assertThat(weights).doesNotContain(Double.NaN).doesNotContain(INFINITY, -INFINITY);
            assertThat(slow.holds(weights)).isTrue();
          }
        }
      }
    }
  }
}
