package dev.sotto.replay.cluster;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.avro.PackedDoubles;
import dev.sotto.serdes.event.EventDecoder;

/**
 * Four features and a label as packed doubles, the unit in the first feature; anything of another
 * length is poison. Where there are more coordinates, the features stand far apart.
 */
record LiteralDecoder(int dimension, int units) implements EventDecoder {
  static final int FEATURES = SmallLearner.DIMENSION;
  private static final int BYTES = 8 * (FEATURES + 1);
  private static final double UNIT_BELOW = 0.45;
  private static final int MANY_UNITS = 23;

  LiteralDecoder(int dimension) {
    this(dimension, MANY_UNITS);
  }

  static boolean isPoison(byte[] value) {
    return value.length != BYTES;
  }

  /** Whether a record of these features belongs to a unit. */
  static boolean hasUnit(double[] values) {
    return values[0] < UNIT_BELOW;
  }

  /** The unit of a record of these features. */
  static int unit(double[] values, int units) {
    return (int) Math.floor((values[0] + 0.5) * units);
  }

  @Override
  public RecordStatus decode(byte[] key, byte[] value, Slot into) {
    into.clear();
    if (isPoison(value)) {
      return into.status(RecordStatus.UNREADABLE);
    }
    double[] values = PackedDoubles.unpack(value);
    for (int i = 0; i < FEATURES; i++) {
      into.example().dense()[i * (dimension / FEATURES)] = values[i];
    }
    into.example().label(values[FEATURES]);
    if (hasUnit(values)) {
      int unit = unit(values, units);
      into.unit(new byte[] {(byte) (unit >> 8), (byte) unit}, 0, 2);
    }
    return into.status(RecordStatus.USED);
  }
}
