package dev.sotto.learner.optimizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** docs/development/figures.md, "Private FTRL", and edges that belong to one potential. */
class PotentialValuesTest {
  private static double[] argmin(Potential potential, double eta, double... gradient) {
    double[] w = new double[gradient.length];
    potential.argmin(gradient, eta, w);
    return w;
  }

  @Test
  void followsTheTraceInTheEuclideanBall() {
    Potential ball = new EuclideanBall(null, 0.5);
    StepSize steps = new StepSize.Decreasing(1);
    double[][] gradients = {{0.6, 0.8}, {0.9, 0.4}, {0.3, 1.2}};
    double[][] weights = {{-0.3, -0.4}, {-0.45690577, -0.20306923}, {-0.12126781, -0.48507125}};
    for (int t = 1; t <= 3; t++) {
      double[] w = argmin(ball, steps.eta(t + 1), gradients[t - 1]);
      assertThat(w).containsExactly(weights[t - 1], within(1e-8));
      double[] sameByLp = argmin(new LpBall(2, 0.5), steps.eta(t + 1), gradients[t - 1]);
      assertThat(sameByLp).containsExactly(weights[t - 1], within(1e-8));
    }
  }

  @Test
  void meetsTheNumbersOfTheLpBall() {
    assertThat(argmin(new LpBall(1.5, Double.POSITIVE_INFINITY), 0.5, 1, -2, 0.5))
        .containsExactly(new double[] {-0.11963614, 0.47854455, -0.02990903}, within(1e-8));
    assertThat(argmin(new LpBall(1.5, 0.3), 0.5, 1, -2, 0.5))
        .containsExactly(new double[] {-0.06870147, 0.27480586, -0.01717537}, within(1e-8));
  }

  @Test
  void scalesWithTheGradientFarBeyondTheRangeOfItsPowers() {
    // |G|^(q-1) = |G|^20 overflows at 1e300; the answer is linear in G all the same.
    Potential lp = new LpBall(1.05, Double.POSITIVE_INFINITY);
    double[] plain = argmin(lp, 1, 1, -2, 0.5);
    double[] huge = argmin(lp, 1, 1e300, -2e300, 0.5e300);
    double[] tiny = argmin(lp, 1, 1e-300, -2e-300, 0.5e-300);
    for (int i = 0; i < 3; i++) {
      double size = Math.abs(plain[i]);
      assertThat(huge[i] / 1e300).isCloseTo(plain[i], within(1e-13 * size));
      if (size > 1e-7) { // below, the last digits of a subnormal are gone
        assertThat(tiny[i] * 1e300).isCloseTo(plain[i], within(1e-13 * size));
      }
    }
    assertThat(argmin(new LpBall(Math.nextUp(1.0), 1), 1, 1, -2, 0.5))
        .containsExactly(new double[] {0, 2 * Math.ulp(1.0), 0}, within(1e-30));
  }

  @Test
  void saturatesWhereAnUnboundedMinimiserOverflows() {
    Potential space = new EuclideanBall(null, Double.POSITIVE_INFINITY);
    assertThat(argmin(space, 1e200, 1e200, -1e200, 1e-10))
        .containsExactly(-Double.MAX_VALUE, Double.MAX_VALUE, -1e190);
    assertThat(argmin(new Box(Double.NEGATIVE_INFINITY, 2), 1e200, 1e200, -1e200))
        .containsExactly(-Double.MAX_VALUE, 2);
  }

  @Test
  void pointsAtTheLeastGradientOfTheSimplexWhenStepsAreLong() {
    assertThat(argmin(new Simplex(2), 1e300, 1e300, -1e300, 0)).containsExactly(0, 2, 0);
    assertThat(argmin(new Simplex(2), 1e300, 5, 5)).containsExactly(1, 1);
    assertThat(argmin(new Simplex(1e-300), 1e300, 5, 6)).containsExactly(1e-300, 0);
    double[] w = argmin(new Simplex(2), 0.5, 1, -1);
    assertThat(w[0]).isCloseTo(2 / (1 + Math.exp(0.5)), within(1e-15));
  }

  @Test
  void clampsEachCoordinateOfTheBox() {
    assertThat(argmin(new Box(-1, 2), 0.5, 4, -1, -10, 0)).containsExactly(-1, 0.5, 2, 0);
    assertThat(argmin(new Box(1, 2), 0.5, 4, -3, -10, 0)).containsExactly(1, 1.5, 2, 1);
  }

  @Test
  void knowsTheDiameters() {
    assertThat(new EuclideanBall(null, 2).diameter(9)).isCloseTo(Math.sqrt(2), within(1e-15));
    assertThat(new LpBall(1.5, 2).diameter(9)).isCloseTo(2, within(1e-15));
    assertThat(new Box(-1, 3).diameter(8)).isCloseTo(6, within(1e-14));
    assertThat(new Box(1, 3).diameter(1)).isCloseTo(2, within(1e-15));
    assertThat(new Simplex(3).diameter(10)).isCloseTo(3 * Math.sqrt(Math.log(10)), within(1e-14));
    assertThat(new Simplex(3).diameter(1)).isZero();
    assertThat(new Box(0, Double.POSITIVE_INFINITY).diameter(1)).isInfinite();
    assertThat(new EuclideanBall(null, Double.POSITIVE_INFINITY).diameter(1)).isInfinite();
    assertThat(new LpBall(1.5, Double.POSITIVE_INFINITY).diameter(1)).isInfinite();
  }

  @Test
  void keepsItsCenterToItself() {
    double[] center = {1, 2};
    Potential ball = new EuclideanBall(center, 1);
    center[0] = 50;
    assertThat(argmin(ball, 1, 0, 0)).containsExactly(1, 2);
  }
}
