package dev.sotto.learner.optimizer.resque;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.optimizer.heavytail.Ball;
import dev.sotto.testing.Seed;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The pool algorithm against its listing, and from one block to the next. */
class PoolAlgorithmTest {
  private static final int DIMENSION = 3;

  private static PoolSchedule schedule(BallSolvers solver) {
    return new PoolSchedule(4, 64, 0.5, new BallProblem(1, 0.2, 0.15, 3), solver);
  }

  private static PoolAlgorithm algorithm(BallSolvers solver) {
    return PoolRuns.algorithm(schedule(solver), DIMENSION, 77);
  }

  private static double[] answer(Random random, int numbers) {
    double[] answer = new double[numbers];
    for (int i = 0; i < numbers; i++) {
      answer[i] = random.nextGaussian();
    }
    return answer;
  }

  @Test
  void followsTheListing() {
    PoolIterates iterates =
        (PoolIterates) algorithm(BallSolvers.WEIGHTED_SGD).start(new double[] {0.1, 0.2, 0});
    Random random = Seed.random(3);
    Perturbations perturbations = new Perturbations(DIMENSION, 0.2, 77);
    double[] x = {0.1, 0.2, 0};
    for (int block = 0; block < 3; block++) {
      double[] v = x.clone();
      double mass = 0;
      iterates.unanswered();
      for (int k = 1; k <= 4; k++) {
        double a = (1 + Math.sqrt(1 + 4 * 3 * mass)) / 6;
        double[] y = new double[DIMENSION];
        for (int i = 0; i < DIMENSION; i++) {
          y[i] = (mass * x[i] + a * v[i]) / (mass + a);
        }
        assertThat(iterates.point()).containsExactly(y, within(1e-12));
        double[] means = answer(random, 64 * DIMENSION);
        long query = block * 5 + 1 + k;
        assertThat(iterates.runQuery()).isEqualTo(query);
        double[][] points = new double[64][DIMENSION];
        for (int m = 0; m < 64; m++) {
          perturbations.draw(query, m, points[m]);
        }
        iterates.tell(means.clone());
        x = half(y, means, points, 0);
        double[] z = half(y, means, points, 32);
        for (int i = 0; i < DIMENSION; i++) {
          v[i] -= a * 3 * (y[i] - z[i]) / 2;
        }
        project(v, new double[DIMENSION], 1);
        mass += a;
      }
      project(x, new double[DIMENSION], 1);
      assertThat(iterates.weights()).containsExactly(x, within(1e-12));
    }
  }

  /** Half of the entries, in the coordinates of the listing. */
  private static double[] half(double[] y, double[] means, double[][] points, int first) {
    double[] z = y.clone();
    double[] sum = new double[DIMENSION];
    double weights = 0;
    for (int t = 1; t <= 32; t++) {
      int m = first + t - 1;
      double log = 0;
      for (int i = 0; i < DIMENSION; i++) {
        double u = z[i] - y[i];
        sum[i] += t * z[i];
        log += (2 * u * points[m][i] - u * u) / (2 * 0.2 * 0.2);
      }
      weights += t;
      double eta = 2 / (3.0 * (t + 1));
      for (int i = 0; i < DIMENSION; i++) {
        double g = Math.exp(log) * means[m * DIMENSION + i];
        z[i] = (z[i] + eta * 3 * y[i] - eta * g) / (1 + eta * 3);
      }
      project(z, y, 0.15);
    }
    for (int i = 0; i < DIMENSION; i++) {
      sum[i] /= weights;
    }
    return sum;
  }

  private static void project(double[] z, double[] center, double radius) {
    double square = 0;
    for (int i = 0; i < z.length; i++) {
      square += (z[i] - center[i]) * (z[i] - center[i]);
    }
    double shrink = Math.min(1, radius / Math.sqrt(square));
    for (int i = 0; i < z.length; i++) {
      z[i] = center[i] + (z[i] - center[i]) * shrink;
    }
  }

  @ParameterizedTest
  @EnumSource
  void goesOnWithTheSameBitsAfterARestart(BallSolvers solver) {
    PoolAlgorithm algorithm = algorithm(solver);
    PoolIterates iterates = (PoolIterates) algorithm.start(new double[DIMENSION]);
    Random random = Seed.random(5);
    for (int query = 1; query <= 12; query++) {
      PoolIterates resumed = (PoolIterates) algorithm.resume(DIMENSION, iterates.iterates());
      assertThat(resumed.point()).containsExactly(iterates.point());
      assertThat(resumed.runQuery()).isEqualTo(iterates.runQuery()).isEqualTo(query);
      double[] means = answer(random, 64 * DIMENSION);
      for (PoolIterates each : new PoolIterates[] {iterates, resumed}) {
        if (!algorithm.queries().answers(each.query())) {
          each.unanswered();
        } else {
          each.tell(means.clone());
        }
      }
      assertThat(resumed.iterates()).containsExactly(iterates.iterates());
    }
    assertThat(iterates.weights()).isNotEqualTo(new double[DIMENSION]);
  }

  @Test
  void skipsOnlyWhatNothingAnswers() {
    PoolAlgorithm algorithm = algorithm(BallSolvers.WEIGHTED_SGD);
    PoolIterates iterates = (PoolIterates) algorithm.start(new double[DIMENSION]);
    double[] means = new double[64 * DIMENSION];
    assertThat(algorithm.queries().answers(1)).isFalse();
    assertThat(algorithm.queries().answers(2)).isTrue();
    assertThatIllegalArgumentException().isThrownBy(() -> iterates.tell(means));
    iterates.unanswered();
    assertThatIllegalArgumentException().isThrownBy(() -> iterates.tell(new double[DIMENSION]));
    for (int k = 2; k < 5; k++) {
      iterates.tell(means);
    }
    assertThatIllegalStateException().isThrownBy(iterates::unanswered);
  }

  @Test
  void refusesQueriesThatAreNotItsRounds() {
    PoolSchedule schedule = schedule(BallSolvers.WEIGHTED_SGD);
    Perturbations perturbations = new Perturbations(DIMENSION, 0.2, 1);
    Ball ball = new Ball(null, 1);
    QuerySchedule four = QuerySchedule.onePass(4, 1);
    new PoolAlgorithm(schedule, four, perturbations, ball, "");
    QuerySchedule three = QuerySchedule.onePass(3, 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PoolAlgorithm(schedule, three, perturbations, ball, ""));
    Perturbations others = new Perturbations(DIMENSION, 0.1, 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PoolAlgorithm(schedule, four, others, ball, ""));
  }

  @Test
  void refusesIteratesOfAnother() {
    PoolAlgorithm algorithm = algorithm(BallSolvers.WEIGHTED_SGD);
    double[] iterates = algorithm.start(new double[DIMENSION]).iterates();
    int last = iterates.length - 1;
    double[] half = iterates.clone();
    half[last - 1] = 0.5;
    assertThatIllegalArgumentException().isThrownBy(() -> algorithm.resume(DIMENSION, half));
    double[] mass = iterates.clone();
    mass[last - 2] = Double.NaN;
    assertThatIllegalArgumentException().isThrownBy(() -> algorithm.resume(DIMENSION, mass));
    double[] query = iterates.clone();
    query[last] = 6;
    assertThatIllegalArgumentException().isThrownBy(() -> algorithm.resume(DIMENSION, query));
  }

  @Test
  void staysFiniteWhateverItIsTold() {
    PoolIterates iterates =
        (PoolIterates) algorithm(BallSolvers.WEIGHTED_SGD).start(new double[DIMENSION]);
    iterates.unanswered();
    for (int k = 0; k < 4; k++) {
      double[] means = new double[64 * DIMENSION];
      java.util.Arrays.fill(means, k % 2 == 0 ? Double.MAX_VALUE : -1e300);
      iterates.tell(means);
    }
    for (double each : iterates.iterates()) {
      assertThat(each).isFinite();
    }
  }
}
