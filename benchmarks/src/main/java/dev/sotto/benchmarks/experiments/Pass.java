package dev.sotto.benchmarks.experiments;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.example.Verdict;
import dev.sotto.learner.release.NoiseKey;
import dev.sotto.learner.round.ModelLearner;
import dev.sotto.learner.round.Plan;
import java.nio.ByteBuffer;

/** One pass of the product's own learner over a stream. */
final class Pass {
  /** Sees every example before it is learned. */
  interface Watcher {
    /** The example, and the weights published last. */
    void before(int place, Example example, double[] published);
  }

  private Pass() {}

  /**
   * The weights after the plan's last whole round.
   *
   * @param seed of the noise: a known key, hence no privacy, and the same bits every time
   */
  static double[] weights(Plan plan, Examples examples, long seed, Watcher watcher) {
    NoiseKey key = NoiseKey.of(ByteBuffer.allocate(32).putLong(seed).array());
    ModelLearner learner = ModelLearner.start(plan, key, "model", "experiment");
    Slot slot = new Slot(examples.dimension());
    double[] published = learner.weights();
    for (int i = 0; i < examples.count(); i++) {
      slot.clear();
      examples.read(i, slot.example());
      slot.verdict(Verdict.USED);
      watcher.before(i, slot.example(), published);
      if (learner.fill(slot)) {
        published = learner.close().weights();
      }
    }
    return published;
  }

  /** {@link #weights(Plan, Examples, long, Watcher)} with nobody watching. */
  static double[] weights(Plan plan, Examples examples, long seed) {
    return weights(plan, examples, seed, (place, example, published) -> {});
  }
}
