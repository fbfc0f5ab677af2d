package dev.sotto.topology.settings;

/** What models that are being learned take of the heap. */
public final class ModelMemory {
  /** Models of a partition that are kept however large they are. */
  public static final long LEAST = 2;

  private static final long WEIGHT_BYTES = 48;
  private static final long MODEL_BYTES = 16 << 10;

  private ModelMemory() {}

  /** About what one takes, of so many weights. */
  public static long bytes(int dimension) {
    return MODEL_BYTES + WEIGHT_BYTES * dimension;
  }

  /** How many models of a partition have room in so many bytes. */
  public static long room(long bytes, int dimension) {
    return Math.max(LEAST, bytes / bytes(dimension));
  }
}
