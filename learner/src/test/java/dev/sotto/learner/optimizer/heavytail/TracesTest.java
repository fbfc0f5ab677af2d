package dev.sotto.learner.optimizer.heavytail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.mechanism.QueryNoise;
import dev.sotto.learner.optimizer.BlockAlgorithm;
import dev.sotto.learner.optimizer.BlockIterates;
import dev.sotto.testing.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Acceptance checks 5, 6, 7 and 10 of the page of the paper: what the algorithms do, step by step. */
class TracesTest {
  private static double[] mean(double... values) {
    return values;
  }

  @Test
  void followsTheTraceOfAcSa() {
    ClippedAcSa algorithm = new ClippedAcSa(new AcSaSchedule(3, 1, 1, 1, 2), Ball.all());
    BlockIterates iterates = algorithm.start(new double[2]);
    double[][] w = {{0.25, 0.5}, {0.625, 1.25}, {0.953125, 1.90625}};
    double[][] ag = {{0.25, 0.5}, {0.5, 1}, {0.7265625, 1.453125}};
    for (int t = 0; t < 3; t++) {
      assertThat(iterates.query()).isEqualTo(t + 1);
      assertThat(iterates.weights()).containsExactly(0, 0); // until the block ends
      iterates.tell(mean(iterates.point()[0] - 1, iterates.point()[1] - 2));
      double[] all = iterates.iterates();
      if (t < 2) {
        assertThat(new double[] {all[2], all[3]}).containsExactly(w[t], within(1e-15));
        assertThat(new double[] {all[4], all[5]}).containsExactly(ag[t], within(1e-15));
      }
    }
    assertThat(iterates.weights()).containsExactly(ag[2], within(1e-15));
    assertThat(iterates.point()).containsExactly(ag[2], within(1e-15)); // where the next begins
    assertThat(iterates.query()).isEqualTo(1);
  }

  @Test
  void followsTheTraceOfSgd() {
    SgdSchedule schedule = new SgdSchedule(4, 1, 1, 1, new Curvature(1, 1));
    BlockIterates iterates = new ClippedSgd(schedule, 0, Ball.all()).start(new double[1]);
    double[] points = {0, 0.5, 0.75, 0.875, 0.925};
    for (double point : points) {
      assertThat(iterates.point()[0]).isCloseTo(point, within(1e-15));
      iterates.tell(mean(0.5 * (point - 1)));
    }
    assertThat(iterates.weights()[0]).isCloseTo(0.926299, within(1e-6));
  }

  /** Clips the loss's part alone: 5 and 0.5 have slopes w - 5, cut to -1, and w - 0.5. */
  @Test
  void followsTheTraceOfRegularizedPasses() {
    Phase phase = new Phase(2, 3, 0.5, 0.1, 1, 100);
    BlockIterates iterates = new LocalizedErm(List.of(phase), Ball.all()).start(new double[1]);
    double[] points = {0, 0.375, 0.6375};
    for (double point : points) {
      assertThat(iterates.point()[0]).isCloseTo(point, within(1e-15));
      double slopes = Math.max(-1, point - 5) + Math.max(-1, point - 0.5);
      iterates.tell(mean(slopes / 2));
    }
    assertThat(iterates.weights()[0]).isCloseTo(0.82125, within(1e-15));
    assertThat(new Phase(1000, 25, 1, 1, 2, 1).noise(0.5)).isCloseTo(0.04, within(1e-15));
  }

  @Test
  void regularizesTowardsTheStartOfTheBlock() {
    SgdSchedule schedule = new SgdSchedule(1, 1, 1, 1, new Curvature(2, 1));
    BlockIterates iterates = new ClippedSgd(schedule, 1, Ball.all()).start(mean(3));
    iterates.tell(mean(-2)); // to 4
    assertThat(iterates.point()[0]).isEqualTo(4);
    iterates.tell(mean(-2)); // 4 - (-2 + 1) / 2
    double first = 1 / 0.75; // weights (3/4)^-1 and (3/4)^-2
    double second = first * first;
    assertThat(iterates.weights()[0])
        .isCloseTo((4 * first + 4.5 * second) / (first + second), within(1e-12));
  }

  @Test
  void keepsPhasesInTheirBallsAndMovesTheirCenters() {
    Phase wide = new Phase(4, 1, 1, 0, 2, 0.5);
    Phase small = new Phase(2, 2, 1, 0, 1, 0.25);
    LocalizedErm algorithm = new LocalizedErm(List.of(wide, small), new Ball(null, 0.6));
    assertThat(algorithm.scale(1)).isEqualTo(1);
    assertThat(algorithm.scale(2)).isEqualTo(2);
    BlockIterates iterates = algorithm.start(new double[1]);
    iterates.tell(mean(-7));
    assertThat(iterates.point()[0]).isEqualTo(0.5);
    iterates.tell(mean(0.2)); // of gradients that were doubled
    assertThat(iterates.point()[0]).isCloseTo(0.4, within(1e-15));
    iterates.tell(mean(-7));
    assertThat(iterates.weights()[0]).isEqualTo(0.6); // 0.75 is in the ball, but not in the set
  }

  /** Whatever the phases' clips are, every slot costs one participation at most. */
  @Test
  void spendsOneParticipationOnEverySlot() {
    LocalMoments moments = new LocalMoments(new Moments(2, 1.5, 1.5), 2);
    LocalizedSchedule schedule = new LocalizedSchedule(new BlockSize(1024, 5, 0.7), moments, 4);
    List<Phase> phases = schedule.phases(400, 8, schedule::clip);
    LocalizedErm algorithm = new LocalizedErm(phases, Ball.all());
    QueryNoise noise = new QueryNoise(algorithm.queries());
    double mu = 0.7;
    double sigma = 2 * algorithm.clip() / mu; // replace-one
    long query = 0;
    for (Phase phase : phases) {
      double spent = 0;
      for (long t = 0; t < phase.passes(); t++) {
        query++;
        assertThat(algorithm.queries().query(query).slots()).isEqualTo(phase.slots());
        double sum = sigma * noise.noise(query); // of what was scaled, and cut to the clip
        spent += Math.pow(2 * algorithm.clip() / sum, 2);
        // Of the mean, and scaled back: the page's sigma_i.
        assertThat(sum / phase.slots() / algorithm.scale(query))
            .isCloseTo(phase.noise(mu), within(1e-9 * phase.noise(mu)));
      }
      assertThat(Math.sqrt(spent)).isBetween(mu * (1 - 1e-9), mu);
    }
    assertThat(query).isEqualTo(algorithm.queries().queries());
  }

  static Stream<BlockAlgorithm> algorithms() {
    BlockSize size = new BlockSize(64, 3, 1);
    Moments moments = new Moments(2, 2, 2);
    Curvature curvature = new Curvature(1, 0.5);
    OptionalDouble none = OptionalDouble.empty();
    Ball ball = new Ball(mean(0.1, 0, -0.1), 1);
    LocalizedSchedule local = new LocalizedSchedule(size, new LocalMoments(moments, 3), 2);
    return Stream.of(
        new ClippedAcSa(AcSaSchedule.of(size, moments, 1, 2, none), ball),
        new ClippedSgd(SgdSchedule.of(size, moments, curvature, 2, none), 0.5, ball),
        new ProxClippedSgd(
            ProxSchedule.of(size, moments, curvature, 2, none), new ProximalMap(0.1, 0.5, 1)),
        new LocalizedErm(local.phases(5, 8, local::clip), ball));
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void resumesAtEveryQueryWithTheSameBits(BlockAlgorithm algorithm) {
    List<double[]> whole = run(algorithm, iterates -> iterates);
    List<double[]> broken = run(algorithm, iterates -> algorithm.resume(3, iterates.iterates()));
    assertThat(broken).hasSameSizeAs(whole);
    for (int i = 0; i < whole.size(); i++) {
      assertThat(broken.get(i)).containsExactly(whole.get(i));
    }
  }

  private static List<double[]> run(
      BlockAlgorithm algorithm, UnaryOperator<BlockIterates> interruption) {
    Random random = Seed.random(5);
    BlockIterates iterates = algorithm.start(mean(0.3, -0.2, 0.5));
    List<double[]> seen = new ArrayList<>();
    long queries = algorithm.queries().queries();
    for (long i = 0; i < 2 * queries + 1; i++) {
      iterates = interruption.apply(iterates);
      assertThat(iterates.query()).isEqualTo(i % queries + 1);
      seen.add(iterates.point().clone());
      seen.add(iterates.weights().clone());
      double[] told = new double[3];
      for (int j = 0; j < 3; j++) {
        told[j] = iterates.point()[j] - 0.4 + random.nextGaussian();
      }
      iterates.tell(told);
    }
    assertThat(seen.get(0)).isNotEqualTo(seen.get(seen.size() - 1));
    return seen;
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void refusesIteratesOfAnotherAlgorithm(BlockAlgorithm algorithm) {
    double[] own = algorithm.start(new double[3]).iterates();
    assertThatIllegalArgumentException().isThrownBy(() -> algorithm.resume(4, own));
    double[] other = own.clone();
    other[own.length - 1] = algorithm.queries().queries() + 1;
    assertThatIllegalArgumentException().isThrownBy(() -> algorithm.resume(3, other));
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void staysInItsSetWhateverTheNoise(BlockAlgorithm algorithm) {
    BlockIterates iterates = algorithm.start(mean(1e300, -1e300, 7));
    for (int i = 0; i < 60; i++) {
      iterates.tell(mean(1e300 * (i % 3 - 1), -1e308, 1e3));
      for (double coordinate : iterates.weights()) {
        assertThat(Math.abs(coordinate)).isLessThan(1.2);
      }
    }
  }

  @Test
  void projectsOntoBalls() {
    double[] point = {4, 5};
    new Ball(mean(1, 1), 1).project(point);
    assertThat(point).containsExactly(mean(1.6, 1.8), within(1e-15));
    double[] far = {Double.MAX_VALUE, Double.POSITIVE_INFINITY};
    new Ball(null, 1).project(far);
    assertThat(far).containsExactly(mean(Math.sqrt(0.5), Math.sqrt(0.5)), within(1e-15));
    double[] inside = {0.1, -0.2};
    new Ball(null, 1).project(inside);
    assertThat(inside).containsExactly(0.1, -0.2);
  }
}
