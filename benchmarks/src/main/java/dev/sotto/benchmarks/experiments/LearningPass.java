package dev.sotto.benchmarks.experiments;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.participation.InMemoryHistories;
import dev.sotto.learner.training.InMemoryBlocks;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.Plan;
import java.nio.ByteBuffer;

/** One pass of the product's own learner over a stream. */
final class LearningPass {
  /** Sees every example before it is learned. */
  interface Watcher {
    /** The example, and the weights published last. */
    void before(int place, Example example, double[] published);
  }

  private LearningPass() {}

  /**
   * The weights after the plan's last whole round.
   *
   * @param seed of the noise: a known key, hence no privacy, and the same bits every time
   */
  static double[] weights(Plan plan, ExampleStream examples, long seed, Watcher watcher) {
    NoiseKey key = NoiseKey.of(ByteBuffer.allocate(32).putLong(seed).array());
    boolean byKey = plan.account().admission().isPresent();
    ModelLearner learner = ModelLearner.start(
        plan, key, "model", "experiment", byKey ? new InMemoryHistories() : null);
    InMemoryBlocks blocks = new InMemoryBlocks(plan, learner);
    byte[] unit = new byte[Integer.BYTES];
    Slot slot = new Slot(examples.dimension());
    double[] published = learner.weights();
    for (int i = 0; i < examples.count(); i++) {
      slot.clear();
      examples.read(i, slot.example());
      slot.verdict(RecordStatus.USED);
      if (byKey) {
        ByteBuffer.wrap(unit).putInt(examples.unit(i));
        slot.unit(unit, 0, unit.length);
      }
      watcher.before(i, slot.example(), published);
      if (blocks.fill(slot).isPresent()) {
        published = learner.weights();
      }
    }
    return published;
  }

  /** {@link #weights(Plan, Examples, long, Watcher)} without a watcher. */
  static double[] weights(Plan plan, ExampleStream examples, long seed) {
    return weights(plan, examples, seed, (place, example, published) -> {});
  }
}
