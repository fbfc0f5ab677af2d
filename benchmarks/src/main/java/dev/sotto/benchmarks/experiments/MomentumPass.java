package dev.sotto.benchmarks.experiments;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.training.InMemoryBlocks;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.Plan;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** Rounds or blocks of the product's own learner over the beginning of a stream. */
final class MomentumPass {
  private MomentumPass() {}

  /**
   * The weights after the last whole round.
   *
   * @param count examples that are learned from
   * @param seed of the noise: a known key, hence no privacy
   * @param every examples between looks
   * @param look sees the weights as they are then
   */
  static double[] weights(
      Plan plan, ExampleStream examples, int count, long seed, int every, Consumer<double[]> look) {
    NoiseKey key = NoiseKey.of(ByteBuffer.allocate(32).putLong(seed).array());
    ModelLearner learner = ModelLearner.start(plan, key, "model", "experiment", null);
    InMemoryBlocks blocks = new InMemoryBlocks(plan, learner);
    Slot slot = new Slot(examples.dimension());
    for (int i = 0; i < count; i++) {
      slot.clear();
      examples.read(i, slot.example());
      slot.verdict(RecordStatus.USED);
      blocks.fill(slot);
      if ((i + 1) % every == 0) {
        look.accept(learner.weights());
      }
    }
    return learner.weights();
  }

  /** The norm of the mean gradient of a loss of one score over the first examples. */
  static double gradientNorm(
      Objective objective, ExampleStream examples, int count, double[] weights) {
    Objective.Pass pass = objective.pass();
    double[] outer = new double[objective.rows()];
    double[] sum = new double[weights.length];
    Example example = new Example(examples.dimension());
    for (int i = 0; i < count; i++) {
      example.clear();
      examples.read(i, example);
      pass.forward(example, weights);
      outer[0] = 0;
      pass.backward(example.label(), 1, outer, new double[0]);
      for (int j = 0; j < example.size(); j++) {
        int at = example.isSparse() ? example.indices()[j] : j;
        sum[at] += outer[0] * example.values()[j];
      }
    }
    double squares = 0;
    for (double each : sum) {
      squares += each * each;
    }
    return Math.sqrt(squares) / count;
  }

  /** Mean loss and accuracy over examples from one place up to another. */
  static double[] scores(
      Objective objective, ExampleStream examples, int from, int to, double[] weights) {
    Objective.Pass pass = objective.pass();
    Example example = new Example(examples.dimension());
    double loss = 0;
    double right = 0;
    for (int i = from; i < to; i++) {
      example.clear();
      examples.read(i, example);
      pass.forward(example, weights);
      loss += pass.value(example.label());
      right += pass.isRight(example.label()) ? 1 : 0;
    }
    return new double[] {loss / (to - from), right / (to - from)};
  }
}
