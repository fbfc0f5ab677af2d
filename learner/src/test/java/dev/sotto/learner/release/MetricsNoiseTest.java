package dev.sotto.learner.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.accounting.PrivateMetrics;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.training.ClosedRound;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.NoisyMetrics;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.Streams;
import dev.sotto.learner.training.Tape;
import dev.sotto.learner.training.TestPlans;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rounds of null slots publish noise alone, of the metrics and of a model of as many coordinates.
 */
class MetricsNoiseTest {
  private static final int BINS = 1000;
  private static final int WIDE = 3 + 2 * BINS;
  private static final double SIGMA = 40;
  private static final double MODEL_SIGMA = 8;

  /**
   * Two-sided 6 standard errors: 3e-9 each with the heavier tails of products, of at most 320 looks
   * at a time.
   */
  private static final double ERRORS = 6;

  /**
   * What a few windows of a run show: the noise of each figure, and of each coordinate, as steps of
   * the prefix.
   */
  private record Noise(List<NoisyMetrics> metrics, List<double[]> model) {
    /** In units of what it is said to be. */
    List<double[]> standardised() {
      List<double[]> all = new ArrayList<>();
      metrics.forEach(each -> all.add(scaled(each.sums(), 1 / each.noiseStd())));
      model.forEach(each -> all.add(scaled(each, 1 / MODEL_SIGMA)));
      return all;
    }
  }

  private static double[] scaled(double[] values, double factor) {
    return Arrays.stream(values).map(each -> each * factor).toArray();
  }

  private static Noise published(double sigma, int window, int windows) {
    Plan plan = TestPlans.plan(b -> {
      b.dimension = WIDE;
      b.mechanism = Mechanisms.INDEPENDENT.make();
      b.optimizer = new Tape();
      b.batch = 1;
      b.sigma = MODEL_SIGMA;
      b.metrics = new PrivateMetrics(sigma, 1, BINS, window);
    });
    NoiseKey key = NoiseKey.of(ByteBuffer.allocate(32).putInt(5).array());
    ModelLearner learner = ModelLearner.start(plan, key, "model", "label");
    Noise noise = new Noise(new ArrayList<>(), new ArrayList<>());
    double[] before = new double[WIDE];
    for (int round = 1; round <= window * windows; round++) {
      assertThat(learner.fill(Streams.empty(WIDE, RecordStatus.UNREADABLE))).isTrue();
      ClosedRound closed = learner.close();
      double[] step = closed.weights();
      double[] last = before;
      before = step.clone();
      Arrays.setAll(step, i -> step[i] - last[i]);
      noise.model.add(step);
      closed.metrics().ifPresent(noise.metrics::add);
    }
    return noise;
  }

  /** Standard errors of a variance that should be 1: chi-square, by Wilson and Hilferty (1931). */
  private static double varianceErrors(List<NoisyMetrics> metrics, double std) {
    double n = (double) WIDE * metrics.size();
    double chiSquare = 0;
    for (NoisyMetrics each : metrics) {
      chiSquare += product(each.sums(), each.sums(), 0) / (std * std);
    }
    double ninth = 2 / (9 * n);
    return Math.abs((Math.cbrt(chiSquare / n) - (1 - ninth)) / Math.sqrt(ninth));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void hasTheVarianceThatIsPublished(int window) {
    List<NoisyMetrics> metrics = published(SIGMA, window, 50).metrics();
    double std = SIGMA * Math.sqrt(window);
    assertThat(metrics).hasSize(50).allMatch(each -> each.noiseStd() == std);
    assertThat(varianceErrors(metrics, std)).isLessThan(ERRORS);
    // The broken twin: 3 % less noise than is said, or a window that got the noise of one round.
    List<NoisyMetrics> less = published(0.97 * SIGMA, window, 50).metrics();
    assertThat(varianceErrors(less, std)).isGreaterThan(ERRORS);
    assertThat(varianceErrors(metrics, SIGMA * Math.sqrt(window + 1))).isGreaterThan(ERRORS);
  }

  private static double product(double[] a, double[] b, int shift) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[(i + shift) % b.length];
    }
    return sum;
  }

  /**
   * The largest correlation in standard errors: of each pair of vectors, and of each with its
   * neighbours' figures.
   */
  private static double correlationErrors(List<double[]> vectors) {
    double worst = 0;
    for (int a = 0; a < vectors.size(); a++) {
      for (int b = 0; b <= a; b++) {
        for (int shift = a == b ? 1 : 0; shift <= 1; shift++) {
          double product = product(vectors.get(a), vectors.get(b), shift);
          worst = Math.max(worst, Math.abs(product) / Math.sqrt(WIDE));
        }
      }
    }
    return worst;
  }

  @Test
  void isIndependentBetweenRoundsAndWindowsAndOfTheModels() {
    assertThat(correlationErrors(published(SIGMA, 1, 6).standardised())).isLessThan(ERRORS);
    assertThat(correlationErrors(published(SIGMA, 2, 4).standardised())).isLessThan(ERRORS);
  }

  /**
   * The broken twins: a round that shares the address of another, and metrics that share that of
   * the model.
   */
  @Test
  void wouldBeSeenToBeShared() {
    Noise honest = published(SIGMA, 1, 6);
    Noise shared = new Noise(new ArrayList<>(honest.metrics()), List.of());
    double[] mixed = honest.metrics().get(0).sums().clone();
    double[] fresh = honest.metrics().get(1).sums();
    Arrays.setAll(mixed, i -> (mixed[i] + 4 * fresh[i]) / Math.sqrt(17)); // a quarter is enough
    shared.metrics().set(1, new NoisyMetrics(2, 2, 1, 1, mixed, SIGMA));
    assertThat(correlationErrors(shared.standardised())).isGreaterThan(ERRORS);
    double[] models = scaled(honest.model().get(2), SIGMA / MODEL_SIGMA);
    Noise sameAddress = new Noise(
        List.of(new NoisyMetrics(3, 3, 1, 1, models, SIGMA)),
        List.of(honest.model().get(2)));
    assertThat(correlationErrors(sameAddress.standardised())).isGreaterThan(ERRORS);
  }
}
