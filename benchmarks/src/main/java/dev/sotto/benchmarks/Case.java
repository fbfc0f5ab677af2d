package dev.sotto.benchmarks;

import dev.sotto.learner.round.Plan;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.serdes.record.UnitSource;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.TreeSet;

/** A kind of examples, and the plan by which they are learned. */
enum Case {
  DENSE_16("dense16", 16, 16, 0),
  /** The same, each user admitted while a budget lasts: what privacy.unit key costs beside record. */
  KEYED_16("keyed16", 16, 16, 200_000),
  DENSE_64("dense64", 64, 64, 0),
  SPARSE_20("sparse20of262144", 1 << 18, 20, 0);

  /** Slots in a round. */
  static final int BATCH = 4096;

  private static final int LARGE = 1 << 16;
  private static final int DIFFERENT = 8192;

  final String label;
  final int dimension;
  final int nonZeros;
  final int units;

  Case(String label, int dimension, int nonZeros, int units) {
    this.label = label;
    this.dimension = dimension;
    this.nonZeros = nonZeros;
    this.units = units;
  }

  /** How many different records a topic holds. */
  int different() {
    return Math.max(DIFFERENT, units);
  }

  /** Rounds between two writes of state, and between two published snapshots. */
  int every() {
    return dimension > LARGE ? 16 : 1;
  }

  Plan plan() {
    return units == 0 ? Plans.of(label, dimension, BATCH) : Plans.byKey(label, dimension, BATCH);
  }

  EventDecoder decoder() {
    return new ExampleCodec(dimension, 1 << 20, units == 0 ? UnitSource.NONE : UnitSource.UNIT);
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
    double answer = random.nextDouble() < 0.5 + values[0] / 2 ? 1 : 0;
    if (nonZeros == dimension) {
      byte[] unit = units == 0 ? null : unit(random.nextInt(units));
      return ExampleCodec.encodeDense(null, unit, values, answer, 1);
    }
    var places = new TreeSet<Integer>();
    while (places.size() < nonZeros) {
      places.add(random.nextInt(dimension));
    }
    int[] indices = places.stream().mapToInt(Integer::intValue).toArray();
    return ExampleCodec.encodeSparse(null, null, indices, values, answer, 1);
  }

  private static byte[] unit(int number) {
    return ("user-" + number).getBytes(StandardCharsets.US_ASCII);
  }
}
