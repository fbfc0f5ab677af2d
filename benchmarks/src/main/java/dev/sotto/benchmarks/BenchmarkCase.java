package dev.sotto.benchmarks;

import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.VersionSchedule;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.serdes.record.UnitSource;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.TreeSet;

/** A kind of examples, and the plan by which they are learned. */
enum BenchmarkCase {
  DENSE_16("dense16", 16, 16, 0, 0),
  /**
   * The same, each user admitted while a budget lasts: what privacy.unit key costs beside record.
   */
  KEYED_16("keyed16", 16, 16, 200_000, 0),
  DENSE_64("dense64", 64, 64, 0, 0),
  DENSE_1024("dense1024", 1024, 1024, 0, 0),
  /** Hashed features as the defaults learn them: rounds of 256. */
  HASHED_20("sparse20of65536", 1 << 16, 20, 0, 0),
  SPARSE_20("sparse20of262144", 1 << 18, 20, 0, 0),
  SOFTMAX("softmax10x784", 784, 784, 0, 10);

  private static final int LARGE = 1 << 16;

  /** Beyond as many weights for each slot of a round, its noise is all that takes time. */
  private static final int WEIGHTS_OF_A_SLOT = 256;

  private static final int DIFFERENT = 8192;

  final String label;
  final int inputs;
  final int nonZeros;
  final int units;
  final int classes;

  BenchmarkCase(String label, int inputs, int nonZeros, int units, int classes) {
    this.label = label;
    this.inputs = inputs;
    this.nonZeros = nonZeros;
    this.units = units;
    this.classes = classes;
  }

  /** Weights of the model. */
  int dimension() {
    return inputs * Math.max(1, classes);
  }

  /** How many different records a topic holds. */
  int different() {
    return Math.max(DIFFERENT, units);
  }

  /** Versions of as many slots, with which state is written. */
  VersionSchedule versions() {
    return new VersionSchedule(dimension() > LARGE ? LARGE : LearnerSetup.SMALL, 0);
  }

  /** Whether a setup can learn it. */
  boolean suits(LearnerSetup setup) {
    boolean small = setup.batch() < dimension() / WEIGHTS_OF_A_SLOT;
    boolean foreign = setup.equals(LearnerSetup.DIRECT_256) && this != HASHED_20;
    return !small && !foreign && (units == 0 || setup.equals(LearnerSetup.DIRECT));
  }

  Plan plan(LearnerSetup setup) {
    Plan plan = units == 0
        ? BenchmarkPlans.of(this, setup)
        : BenchmarkPlans.byKey(label, inputs, setup.batch());
    return plan.toBuilder().versions(versions()).build();
  }

  EventDecoder decoder() {
    return new ExampleCodec(inputs, 1 << 20, units == 0 ? UnitSource.NONE : UnitSource.UNIT);
  }

  /** The bytes of one record: features in a random direction, of norm 0.99, and a label. */
  byte[] encode(SplittableRandom random) {
    double[] values = random.doubles(nonZeros, -1, 1).toArray();
    double squares = 0;
    for (double value : values) {
      squares += value * value;
    }
    for (int i = 0; i < nonZeros; i++) {
      values[i] *= 0.99 / Math.sqrt(squares);
    }
    double answer =
        classes > 0 ? random.nextInt(classes) : random.nextDouble() < 0.5 + values[0] / 2 ? 1 : 0;
    if (nonZeros == inputs) {
      byte[] unit = units == 0 ? null : unit(random.nextInt(units));
      return ExampleCodec.encodeDense(null, unit, values, answer, 1);
    }
    var places = new TreeSet<Integer>();
    while (places.size() < nonZeros) {
      places.add(random.nextInt(inputs));
    }
    int[] indices = places.stream().mapToInt(Integer::intValue).toArray();
    return ExampleCodec.encodeSparse(null, null, indices, values, answer, 1);
  }

  private static byte[] unit(int number) {
    return ("user-" + number).getBytes(StandardCharsets.US_ASCII);
  }
}
