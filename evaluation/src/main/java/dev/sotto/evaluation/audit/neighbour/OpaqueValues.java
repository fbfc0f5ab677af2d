package dev.sotto.evaluation.audit.neighbour;

import java.util.Map;
import java.util.Random;

/** Bytes for a decoder of which nobody knows what it reads. */
record OpaqueValues() implements RecordValues {
  private static final int LONGEST = 200;

  @Override
  public byte[] readable(Map<String, String> coordinates, Random random) {
    return padded(coordinates, 1 + random.nextInt(LONGEST), random);
  }

  @Override
  public byte[] padded(Map<String, String> coordinates, int bytes, Random random) {
    byte[] any = new byte[bytes];
    random.nextBytes(any);
    return any;
  }

  @Override
  public byte[] wrong(Map<String, String> coordinates, Random random) {
    return readable(coordinates, random);
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
