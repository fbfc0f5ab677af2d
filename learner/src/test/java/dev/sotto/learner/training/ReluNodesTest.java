package dev.sotto.learner.training;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.loss.StepScale;
import dev.sotto.learner.mechanism.QueryNoise;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.optimizer.DifferenceClips;
import dev.sotto.learner.optimizer.Optimizer;
import dev.sotto.learner.optimizer.OptimizerState;
import dev.sotto.learner.release.NoisySum;
import dev.sotto.testing.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Momentum aggregation, check 15: with frozen points, replacing one example moves every decayed
 * node by no more than twice the bound times its weights there, and not at all where it is not, on
 * a network whose gradient jumps. The leaves are the learner's own answers, nearly without noise.
 */
class ReluNodesTest {
  private static final int INPUTS = 5;
  private static final int HIDDEN = 4;
  private static final int WEIGHTS = HIDDEN * INPUTS + HIDDEN;
  private static final int SLOTS = 8;
  private static final int PASSES = 4;
  private static final int LEAVES = SLOTS * PASSES;
  private static final double BETA = 1 - 1.0 / SLOTS;
  private static final double CLIP = 1;
  private static final double DIFFERENCE = 0.02;
  private static final double NOISE = 1e-5; // hundreds of standard deviations of a node
  private static final QuerySchedule QUERIES =
      new QuerySchedule(List.of(new QuerySchedule.Segment(0, SLOTS, SLOTS, 1, PASSES, 1)));

  @Test
  void movesNodesByTheirWeightsAtMost() {
    double share = 0.25;
    assertThat(worst(null, CLIP)).isBetween(0.5, 1.0);
    assertThat(worst(new DifferenceClips(CLIP, DIFFERENCE, 0), DIFFERENCE)).isBetween(0.5, 1.0);
    assertThat(worst(
            new DifferenceClips(CLIP, DIFFERENCE, share), (1 - share) * DIFFERENCE + share * CLIP))
        .isBetween(0.5, 1.0);
  }

  /** The twin: differences that nothing cuts, as where smoothness is trusted. */
  @Test
  void wouldSeeDifferencesThatAreNotCut() {
    assertThat(worst(new DifferenceClips(CLIP, 2 * CLIP, 0), DIFFERENCE)).isGreaterThan(2);
  }

  /** The largest move of a node in 60 trials, relative to what it may be. */
  private static double worst(DifferenceClips clips, double bound) {
    double worst = 0;
    for (int trial = 0; trial < 60; trial++) {
      Random random = Seed.random(trial);
      double[][] points = new double[LEAVES][];
      for (int t = 0; t < LEAVES; t++) {
        points[t] = t == 0 ? new double[WEIGHTS] : points[t - 1].clone();
        for (int i = 0; i < WEIGHTS; i++) {
          points[t][i] += (t == 0 ? 1 : 0.02) * random.nextGaussian();
        }
      }
      List<Slot> slots = new ArrayList<>();
      for (int i = 0; i < SLOTS; i++) {
        slots.add(slot(random));
      }
      int place = random.nextInt(SLOTS);
      double[][] leaves = leaves(points, clips, slots);
      slots.set(place, slot(random));
      double[][] others = leaves(points, clips, slots);
      for (int length = 1; length <= LEAVES; length *= 2) {
        for (int from = 0; from < LEAVES; from += length) {
          double weights = 0;
          double[] moved = new double[WEIGHTS];
          for (int t = from; t < from + length; t++) {
            double weight = Math.pow(BETA, from + length - 1 - t);
            weights += t % SLOTS == place ? weight : 0;
            for (int i = 0; i < WEIGHTS; i++) {
              moved[i] += weight * (others[t][i] - leaves[t][i]);
            }
          }
          double norm = 0;
          for (double each : moved) {
            norm += each * each;
          }
          norm = Math.sqrt(norm);
          if (weights == 0) {
            assertThat(norm).isLessThan(NOISE);
          } else {
            worst = Math.max(worst, (norm - NOISE) / (2 * bound * weights));
          }
        }
      }
    }
    return worst;
  }

  private static Slot slot(Random random) {
    double[] x = random.doubles(INPUTS, -2, 2).toArray();
    return Streams.used(4 * random.nextGaussian(), x);
  }

  private static double[][] leaves(double[][] points, DifferenceClips clips, List<Slot> slots) {
    Frozen optimizer = new Frozen(points, clips, new double[LEAVES][]);
    Plan plan = TestPlans.plan(b -> {
      b.dimension = WEIGHTS;
      b.lossName = "relu";
      b.objective = new Relu();
      b.batch = SLOTS;
      b.optimizer = optimizer;
      b.mechanism = new QueryNoise(QUERIES);
      b.clip = CLIP;
      b.sigma = 1e-8;
      b.budget = new Budget(Double.POSITIVE_INFINITY, 1e-6);
    });
    ModelLearner learner = ModelLearner.start(plan, NoiseKey.of(new byte[32]), "m", "l");
    boolean full = false;
    while (!full) {
      full = learner.fill(slots.get((int) learner.nextSlot()));
    }
    learner.close();
    return optimizer.answers();
  }

  /** Asks at given points, whatever the answers are, and keeps those. */
  private record Frozen(double[][] points, DifferenceClips clips, double[][] answers)
      implements Optimizer {
    @Override
    public Optional<QuerySchedule> block() {
      return Optional.of(QUERIES);
    }

    @Override
    public DifferenceClips clips(long t) {
      return clips;
    }

    @Override
    public OptimizerState start(double[] first) {
      return new Path();
    }

    @Override
    public OptimizerState resume(int dimension, double[] iterates, NoisySum latest) {
      throw new IllegalStateException("it is not stopped");
    }

    @Override
    public String describe() {
      return "frozen";
    }

    private final class Path implements OptimizerState {
      private int told;

      @Override
      public double[] weights() {
        return points[0];
      }

      @Override
      public double[] point() {
        return points[told % LEAVES];
      }

      @Override
      public double[] earlier() {
        return clips == null || told % LEAVES == 0 ? null : points[told - 1];
      }

      @Override
      public long query() {
        return told % LEAVES + 1;
      }

      @Override
      public void tell(NoisySum answer) {
        answers[told] = new double[WEIGHTS];
        answer.lastMean(answers[told++]);
      }

      @Override
      public void restart() {
        throw new IllegalStateException("a block has no generations");
      }

      @Override
      public double[] iterates() {
        return new double[0];
      }
    }
  }

  /** Half the squared error of {@code sum of v_j max(0, <w_j, x>)}. */
  private static final class Relu implements Objective {
    @Override
    public int rows() {
      return HIDDEN;
    }

    @Override
    public int tail() {
      return HIDDEN;
    }

    @Override
    public boolean admits(double label) {
      return true;
    }

    @Override
    public double lipschitz() {
      return Double.POSITIVE_INFINITY;
    }

    @Override
    public double smoothness() {
      return Double.POSITIVE_INFINITY;
    }

    @Override
    public Optional<StepScale> stepScale(double labelRange) {
      return Optional.empty();
    }

    @Override
    public Pass pass() {
      return new Pass() {
        private final double[] inner = new double[HIDDEN];
        private double[] output;
        private double score;

        @Override
        public void forward(Example example, double[] weights) {
          output = java.util.Arrays.copyOfRange(weights, HIDDEN * INPUTS, WEIGHTS);
          score = 0;
          for (int j = 0; j < HIDDEN; j++) {
            inner[j] = 0;
            for (int i = 0; i < INPUTS; i++) {
              inner[j] += weights[j * INPUTS + i] * example.value(i);
            }
            score += output[j] * Math.max(0, inner[j]);
          }
        }

        @Override
        public double value(double label) {
          return (score - label) * (score - label) / 2;
        }

        @Override
        public void backward(double label, double scale, double[] outer, double[] tail) {
          for (int j = 0; j < HIDDEN; j++) {
            outer[j] += inner[j] > 0 ? scale * (score - label) * output[j] : 0;
            tail[j] += scale * (score - label) * Math.max(0, inner[j]);
          }
        }

        @Override
        public double predicted() {
          return score;
        }

        @Override
        public double target(double label) {
          return label;
        }

        @Override
        public boolean isRight(double label) {
          return score == label;
        }
      };
    }
  }
}
