package dev.sotto.evaluation.audit.neighbour;

import dev.sotto.serdes.record.ExampleCodec;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;

/**
 * Ready-made examples.
 *
 * @param unitField the coordinate that names their unit; null where their value names none
 */
record ExampleValues(int dimension, String unitField) implements RecordValues {
  @Override
  public byte[] readable(Map<String, String> coordinates, Random random) {
    return example(coordinates, random, random.nextInt(2));
  }

  private byte[] example(Map<String, String> coordinates, Random random, double label) {
    String unit = unitField == null ? null : coordinates.get(unitField);
    byte[] bytes = unit == null ? null : unit.getBytes(StandardCharsets.UTF_8);
    return ExampleCodec.encodeDense(
        unit, bytes, random.doubles(dimension, -1, 1).toArray(), label, 1);
  }

  @Override
  public byte[] padded(Map<String, String> coordinates, int bytes, Random random) {
    byte[] whole = readable(coordinates, random);
    return Arrays.copyOf(whole, whole.length + bytes);
  }

  @Override
  public byte[] wrong(Map<String, String> coordinates, Random random) {
    return example(coordinates, random, random.nextBoolean() ? Double.NaN : 1e300);
  }

  @Override
  public byte[] emptied(Map<String, String> coordinates) {
    return null;
  }

  @Override
  public byte[] head(Map<String, String> coordinates) {
    return new byte[0];
  }
}
