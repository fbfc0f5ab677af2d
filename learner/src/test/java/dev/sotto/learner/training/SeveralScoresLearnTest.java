package dev.sotto.learner.training;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.loss.Activations;
import dev.sotto.learner.loss.Logistic;
import dev.sotto.learner.loss.Network;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.loss.OutputLayer;
import dev.sotto.learner.loss.Softmax;
import dev.sotto.learner.optimizer.AcceleratedDpSrgd;
import dev.sotto.learner.optimizer.EuclideanBall;
import dev.sotto.learner.optimizer.Optimizer;
import dev.sotto.learner.optimizer.PrivateFtrl;
import dev.sotto.learner.optimizer.StepSize;
import dev.sotto.testing.Seed;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What cannot be learned with one score, without noise, by both algorithms. */
class SeveralScoresLearnTest {
  private static final int ROUNDS = 600;
  private static final int BATCH = 32;

  /** A label of the sign of a product, or of the largest of three coordinates. */
  private interface Labels {
    double of(double[] point);
  }

  private static double accuracy(Objective objective, boolean srgd, Labels labels) {
    Plan plan = TestPlans.plan(p -> {
      p.noNoise();
      p.objective = objective;
      p.dimension = objective.dimension(4);
      p.clip = 10;
      p.batch = BATCH;
      p.sigma = 1e-3; // of no noise: it makes the lattice fine
      double[] start = new double[p.dimension];
      objective.start(start);
      EuclideanBall all = new EuclideanBall(start, Double.POSITIVE_INFINITY);
      Optimizer ftrl = new PrivateFtrl(all, new StepSize.Fixed(1, 1));
      p.optimizer = srgd
          ? new AcceleratedDpSrgd(all, 200, true, AcceleratedDpSrgd.Gradients.RECURSIVE)
          : ftrl;
    });
    Random random = Seed.random(6);
    ModelLearner learner = ModelLearner.start(plan, NoiseKey.of(new byte[32]), "m", "");
    Objective.Pass pass = objective.pass();
    Slot slot = new Slot(4);
    for (int i = 0; i < ROUNDS * BATCH; i++) {
      draw(random, slot, labels);
      if (learner.fill(slot)) {
        learner.close();
      }
    }
    double[] weights = learner.weights();
    int right = 0;
    for (int i = 0; i < 2000; i++) {
      draw(random, slot, labels);
      pass.forward(slot.example(), weights);
      right += pass.isRight(slot.example().label()) ? 1 : 0;
    }
    return right / 2000.0;
  }

  private static void draw(Random random, Slot slot, Labels labels) {
    slot.clear();
    double[] point = slot.example().dense();
    for (int j = 0; j < 3; j++) {
      point[j] = 4 * random.nextDouble() - 2;
    }
    point[3] = 1; // the bias
    slot.example().label(labels.of(point));
    slot.status(RecordStatus.USED);
  }

  @Test
  void learnsAProductThatNoLineCanTell() {
    Labels product = point -> point[0] * point[1] > 0 ? 1 : 0;
    Objective network = new Network(16, Activations.TANH, new OutputLayer.Score(new Logistic()), 3);
    assertThat(accuracy(Objective.of(new Logistic()), false, product)).isLessThan(0.65);
    assertThat(accuracy(network, false, product)).isGreaterThan(0.85);
    assertThat(accuracy(network, true, product)).isGreaterThan(0.85);
  }

  @Test
  void learnsThreeClasses() {
    Labels largest =
        point -> point[0] > point[1] ? point[0] > point[2] ? 0 : 2 : point[1] > point[2] ? 1 : 2;
    assertThat(accuracy(new Softmax(3), false, largest)).isGreaterThan(0.9);
    assertThat(accuracy(new Softmax(3), true, largest)).isGreaterThan(0.9);
    Objective network = new Network(12, Activations.SWISH, new OutputLayer.Classes(3), 3);
    assertThat(accuracy(network, false, largest)).isGreaterThan(0.9);
  }
}
