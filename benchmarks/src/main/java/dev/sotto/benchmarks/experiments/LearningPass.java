package dev.sotto.benchmarks.experiments;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.participation.InMemoryHistories;
import dev.sotto.learner.range.NumberRange;
import dev.sotto.learner.range.UnboundedNumbers;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.Plan;
import java.nio.ByteBuffer;
import java.util.List;

/** One pass of the product's own learner over a stream, and over its blocks as often as it asks. */
final class LearningPass {
  /** Sees every example before it is learned. */
  interface Watcher {
    /** The example, and the weights published last. */
    void before(int place, Example example, double[] published);
  }

  /**
   * What a pass has learned.
   *
   * @param weights after the last whole round or block
   * @param ranges of the numbers without bounds
   */
  record Learned(double[] weights, UnboundedNumbers numbers, List<NumberRange> ranges) {
    /** The score of an example that was not learned from. */
    double score(Example example) {
      numbers.complete(example, ranges);
      return example.dot(weights);
    }
  }

  private final UnboundedNumbers numbers;
  private final ModelLearner learner;
  private final ExampleStream examples;
  private final boolean again; // whether slots of a block are read several times
  private final boolean byKey;
  private final byte[] unit = new byte[Integer.BYTES];
  private final Slot slot;

  private LearningPass(Plan plan, ExampleStream examples, long seed) {
    this.numbers = plan.ranges().numbers();
    this.examples = examples;
    this.again = plan.block().readsAgain();
    this.byKey = plan.account().admission().isPresent();
    this.slot = new Slot(examples.dimension());
    NoiseKey key = NoiseKey.of(ByteBuffer.allocate(32).putLong(seed).array());
    this.learner = ModelLearner.start(
        plan, key, "model", "experiment", byKey ? new InMemoryHistories() : null);
  }

  /**
   * The weights after the plan's last whole round or block.
   *
   * @param seed of the noise: a known key, hence no privacy, and the same bits every time
   */
  static double[] weights(Plan plan, ExampleStream examples, long seed, Watcher watcher) {
    return new LearningPass(plan, examples, seed).run(watcher);
  }

  /** What is known after the pass. */
  static Learned learned(Plan plan, ExampleStream examples, long seed) {
    return learned(plan, examples, seed, (place, example, published) -> {});
  }

  /** The same with a watcher. */
  static Learned learned(Plan plan, ExampleStream examples, long seed, Watcher watcher) {
    LearningPass pass = new LearningPass(plan, examples, seed);
    double[] weights = pass.run(watcher);
    return new Learned(weights, pass.numbers, pass.learner.ranges());
  }

  /** {@link #weights(Plan, ExampleStream, long, Watcher)} without a watcher. */
  static double[] weights(Plan plan, ExampleStream examples, long seed) {
    return weights(plan, examples, seed, (place, example, published) -> {});
  }

  private double[] run(Watcher watcher) {
    double[] published = learner.weights();
    int start = 0; // of the open block
    for (int i = 0; i < examples.count(); i++) {
      read(i);
      numbers.complete(slot.example(), learner.ranges());
      watcher.before(i, slot.example(), published);
      boolean exhausted = learner.isExhausted();
      boolean full = learner.fill(slot);
      while (again && !exhausted && !full && learner.nextSlot() <= i - start) {
        read(start + (int) learner.nextSlot());
        full = learner.fill(slot);
      }
      if (full) {
        learner.close();
        published = learner.weights();
        start = i + 1;
      }
    }
    return published;
  }

  private void read(int place) {
    slot.clear();
    examples.read(place, slot.example());
    slot.status(RecordStatus.USED);
    if (byKey) {
      ByteBuffer.wrap(unit).putInt(examples.unit(place));
      slot.unit(unit, 0, unit.length);
    }
  }
}
