package dev.sotto.benchmarks.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.loss.Logistic;
import dev.sotto.learner.loss.Loss;
import dev.sotto.testing.Seed;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SphereRiskTest {
  private static final Loss LOSS = new Logistic();
  private static final int DRAWS = 100_000;

  /**
   * Mean and standard error of the loss less that of the minimiser, over drawn features and labels.
   */
  private static double[] drawn(double[] axes, double[] minimiser, double[] weights) {
    Random random = Seed.random(7);
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < DRAWS; i++) {
      double[] u = new double[axes.length];
      double norm = 0;
      for (int j = 0; j < u.length; j++) {
        u[j] = random.nextGaussian();
        norm += u[j] * u[j];
      }
      double truth = 0;
      double score = 0;
      for (int j = 0; j < u.length; j++) {
        double x = axes[j] * u[j] / Math.sqrt(norm);
        truth += x * minimiser[j];
        score += x * weights[j];
      }
      double one = LOSS.predict(truth);
      double excess = one * (LOSS.value(score, 1) - LOSS.value(truth, 1))
          + (1 - one) * (LOSS.value(score, 0) - LOSS.value(truth, 0));
      sum += excess;
      squares += excess * excess;
    }
    double mean = sum / DRAWS;
    return new double[] {mean, Math.sqrt((squares / DRAWS - mean * mean) / DRAWS)};
  }

  /**
   * A right formula lies outside five standard errors once in 1.7 million draws of this kind; the
   * seed is fixed.
   */
  @Test
  void agreesWithDrawnExamples() {
    for (int dimension : new int[] {5, 8, 50}) {
      double[] axes = LogitStream.uneven(dimension, 0.05);
      Random random = Seed.random(dimension);
      double[] minimiser = random.doubles(dimension, -4, 4).toArray();
      double[] weights = random.doubles(dimension, -4, 4).toArray();
      double[] drawn = drawn(axes, minimiser, weights);
      double exact = new SphereRisk(axes, minimiser).excess(weights);
      assertThat(exact).isCloseTo(drawn[0], within(5 * drawn[1]));
      assertThat(drawn[1]).isLessThan(0.02 * exact); // so a figure wrong by a tenth is seen
    }
  }

  @Test
  void isLeastAtTheMinimiser() {
    double[] minimiser = {1, -2, 0.5, 3, -1, 0.25};
    SphereRisk risk = new SphereRisk(LogitStream.even(6), minimiser);
    assertThat(risk.excess(minimiser)).isCloseTo(0, within(1e-14));
    double[] near = minimiser.clone();
    near[0] += 1e-3;
    assertThat(risk.excess(near)).isBetween(1e-10, 1e-6);
    assertThat(risk.excess(new double[6])).isGreaterThan(0.05);
  }

  @Test
  void drawsTheSameStreamTwice() {
    LogitStream one = LogitStream.draw(100, LogitStream.even(6), 3, 1);
    LogitStream two = LogitStream.draw(100, LogitStream.even(6), 3, 1);
    Example a = new Example(6);
    Example b = new Example(6);
    int ones = 0;
    for (int i = 0; i < 100; i++) {
      one.read(i, a);
      two.read(i, b);
      assertThat(a.norm()).isCloseTo(1, within(1e-12));
      assertThat(a.values()).containsExactly(b.values());
      assertThat(a.label()).isEqualTo(b.label());
      ones += a.label() == 1 ? 1 : 0;
    }
    assertThat(ones).isBetween(20, 80);
  }
}
