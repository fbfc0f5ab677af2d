package dev.sotto.learner.optimizer.heavytail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.mechanism.QueryNoise;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.optimizer.BlockAlgorithm;
import dev.sotto.learner.optimizer.BlockIterates;
import dev.sotto.learner.training.InMemoryBlocks;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.TestPlans;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Acceptance checks 2, 3 and 14 of the page of the paper, through the product's learner. */
class BlockStreamTest {
  private static final NoiseKey KEY = NoiseKey.of(new byte[32]);

  /** Stays at zero, and remembers what it is told. */
  private record Recorder(QuerySchedule queries, double clip, List<double[]> means)
      implements BlockAlgorithm {
    @Override
    public void project(double[] weights) {}

    @Override
    public BlockIterates iterates(double[] published) {
      return new BlockIterates(published, queries) {
        @Override
        public double[] point() {
          return published;
        }

        @Override
        protected void begin() {}

        @Override
        protected void step(long asked, double[] mean) {
          means.add(mean.clone());
        }

        @Override
        protected void result(double[] into) {}

        @Override
        protected double[] own() {
          return new double[0];
        }

        @Override
        protected void take(double[] own) {}
      };
    }

    @Override
    public String describe() {
      return "recorder";
    }
  }

  private static Plan plan(Recorder recorder, int dimension, double sigma) {
    return TestPlans.plan(b -> {
      b.dimension = dimension;
      b.optimizer = recorder;
      b.mechanism = new QueryNoise(recorder.queries());
      b.loss = Losses.SQUARED.make();
      b.lossName = "squared";
      b.clip = recorder.clip();
      b.batch = recorder.queries().slots();
      b.sigma = sigma;
      b.budget = new Budget(Double.POSITIVE_INFINITY, 1e-6);
    });
  }

  private static void feed(Plan plan, NoiseKey key, List<Slot> slots) {
    ModelLearner learner = ModelLearner.start(plan, key, "m", "l");
    InMemoryBlocks blocks = new InMemoryBlocks(plan, learner);
    slots.forEach(blocks::fill);
    assertThat(learner.round()).isEqualTo(slots.size() / plan.batch());
  }

  private static List<double[]> means(double clip, double sigma, NoiseKey key, List<Slot> slots) {
    Recorder recorder = new Recorder(QuerySchedule.onePass(3, 2), clip, new ArrayList<>());
    feed(plan(recorder, 2, sigma), key, slots);
    return recorder.means();
  }

  private static Slot slot(double x, double y, double label) {
    Slot slot = new Slot(2);
    slot.clear();
    slot.example().dense()[0] = x;
    slot.example().dense()[1] = y;
    slot.example().label(label);
    slot.status(RecordStatus.USED);
    return slot;
  }

  private static List<Slot> twelve(boolean valid) {
    List<Slot> slots = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      Slot slot = slot(0.1 * i, 1 - 0.2 * i, i % 3);
      if (i == 3 && !valid) {
        slot = new Slot(2);
        slot.clear();
        slot.status(RecordStatus.UNREADABLE);
      }
      slots.add(slot);
    }
    return slots;
  }

  /** Nearly without noise: slot 3 is in the second batch of the first block, and nowhere else. */
  @Test
  void keepsEveryOtherSlotInItsBatchWhereOneIsMalformed() {
    List<double[]> broken = means(1, 1e-7, KEY, twelve(false));
    List<Slot> other = twelve(true);
    other.set(3, slot(0.6, 0.8, -1));
    List<double[]> replaced = means(1, 1e-7, KEY, other);
    for (int i = 0; i < 6; i++) {
      double moved = Math.hypot(
          replaced.get(i)[0] - broken.get(i)[0], replaced.get(i)[1] - broken.get(i)[1]);
      if (i == 1) {
        assertThat(moved).isCloseTo(0.5, within(1e-5)); // one of two slots, gradient of norm 1
      } else {
        assertThat(moved).as("batch %s", i).isLessThan(1e-5);
      }
    }
  }

  @Test
  void repeatsEveryBitUnderOneKeyAndNoneUnderAnother() {
    List<double[]> first = means(1, 4, KEY, twelve(true));
    List<double[]> again = means(1, 4, KEY, twelve(true));
    List<double[]> other = means(
        1,
        4,
        NoiseKey.of(new byte[] {
          1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
          26, 27, 28, 29, 30, 31, 32
        }),
        twelve(true));
    for (int i = 0; i < first.size(); i++) {
      assertThat(again.get(i)).containsExactly(first.get(i));
      assertThat(other.get(i)).isNotEqualTo(first.get(i));
    }
  }

  /** Acceptance check 2: two clipped gradients move the mean of four by half the clip, 2 C / s. */
  @Test
  void movesAMeanByItsSensitivityAtMost() {
    Recorder recorder = new Recorder(QuerySchedule.onePass(1, 4), 1, new ArrayList<>());
    for (double x : new double[] {2, -2}) {
      List<Slot> slots = new ArrayList<>(List.of(slot(x, 0, -1)));
      for (int i = 0; i < 3; i++) {
        slots.add(slot(0.3, 0.1, 1));
      }
      feed(plan(recorder, 2, 1e-7), KEY, slots);
    }
    double[] first = recorder.means().get(0);
    double[] second = recorder.means().get(1);
    assertThat(first[0] - second[0]).isCloseTo(0.5, within(1e-6));
    assertThat(first[1] - second[1]).isCloseTo(0, within(1e-6));
  }

  /**
   * Acceptance check 2: empty slots, s = 100, C = 2, mu = 0.5 where contents are replaced. The
   * relative standard error of a standard deviation of 200,000 draws is 1 / sqrt(400,000) = 0.0016:
   * 1 % is 6.3 of these, which chance exceeds once in 10^9 runs. The noise of n / T slots in place
   * of the whole number below it (P2) is within 1 % there, so the twin is that of 6 batches in 10
   * slots.
   */
  @Test
  void addsNoiseOfTheWholeNumberOfSlots() {
    assertThat(deviation(100, 0.08)).isBetween(0.08 * 0.99, 0.08 * 1.01);
    double ofTen = 2 * 2 / (10 / 6.0 * 0.5);
    assertThat(new BlockSize(10, 1000, 0.5).noise(2, 10 / 6)).isEqualTo(8);
    assertThat(deviation(1, 8)).isBetween(8 * 0.99, 8 * 1.01).isGreaterThan(1.5 * ofTen);
  }

  private static double deviation(int batch, double expected) {
    BlockSize size = new BlockSize(batch, 1000, 0.5);
    assertThat(size.noise(2, batch)).isCloseTo(expected, within(1e-15));
    Recorder recorder = new Recorder(QuerySchedule.onePass(1, batch), 2, new ArrayList<>());
    Plan plan = plan(recorder, 1000, size.noise(2, batch) * batch);
    Slot empty = new Slot(1000);
    empty.clear();
    empty.status(RecordStatus.EMPTY);
    feed(plan, KEY, Collections.nCopies(200 * batch, empty));
    double squares = 0;
    for (double[] mean : recorder.means()) {
      for (double value : mean) {
        squares += value * value;
      }
    }
    return Math.sqrt(squares / (200 * 1000));
  }

  /** Gradients at zero are features times minus the label; what is not finite fills its slot. */
  @Test
  void clipsOnTheWayIn() {
    double huge = 1e200;
    List<Slot> slots = List.of(
        slot(3, 4, -1),
        slot(0, 0, -1),
        slot(huge, huge, -1),
        slot(0, 0, -1),
        slot(Double.MAX_VALUE, 1, -Double.MAX_VALUE),
        slot(3, 4, -1));
    List<double[]> means = means(1, 1e-7, KEY, slots);
    assertThat(means.get(0)).containsExactly(new double[] {0.3, 0.4}, within(1e-5));
    double half = Math.sqrt(0.5) / 2;
    assertThat(means.get(1)).containsExactly(new double[] {half, half}, within(1e-5));
    assertThat(means.get(2)).containsExactly(new double[] {0.3, 0.4}, within(1e-5));
    List<double[]> wide = means(10, 1e-7, KEY, slots);
    assertThat(wide.get(0)).containsExactly(new double[] {1.5, 2}, within(1e-5));
  }
}
