package dev.sotto.learner.key;

import dev.sotto.learner.memory.CoordinateRanges;
import java.util.List;

/**
 * Noise vectors that follow from the key and an address: the running digest, a purpose and a node.
 * The same address gives the same integers, on every machine and with any number of threads.
 */
public final class KeyedNoise {
  /**
   * Coordinates that share one range of the counter; part of the noise's definition, never change
   * it.
   */
  private static final int BLOCK = 4096;

  /** Of a block that was drawn, at most one a thread. */
  private static final ThreadLocal<double[]> SPARE = new ThreadLocal<>();

  private final NoiseKey key;
  private final double sigmaInUnits;

  /**
   * Noise with the given standard deviation, or Laplace noise with the given scale, in lattice
   * units.
   */
  public KeyedNoise(NoiseKey key, double sigmaInUnits) {
    this.key = key;
    this.sigmaInUnits = sigmaInUnits;
  }

  /** The name of the key from which new noise follows. */
  public String keyId() {
    return key.id();
  }

  /** The same noise from the key of a name, which may be an earlier one. */
  public KeyedNoise under(String keyId) {
    return keyId.equals(key.id()) ? this : new KeyedNoise(key.ofId(keyId), sigmaInUnits);
  }

  /**
   * Adds {@code sign} times the Gaussian vector at an address to {@code into}, rounded to whole
   * units.
   */
  public void add(byte[] digest, String purpose, long node, int sign, long[] into) {
    add(digest, purpose, node, sign, into, (from, to) -> {});
  }

  /**
   * The same.
   *
   * @param after what the same thread then does with each range
   */
  public void add(
      byte[] digest, String purpose, long node, int sign, long[] into, CoordinateRanges.Use after) {
    draw(digest, purpose, node, into.length, (from, z, length) -> {
      for (int i = 0; i < length; i++) {
        into[from + i] += sign * (long) Math.rint(z[i]);
      }
      after.range(from, from + length);
    });
  }

  /**
   * Adds the discrete Laplace vector at an address to {@code into}; its scale is rounded up to
   * whole units.
   *
   * @param after what the same thread then does with each range
   */
  public void addLaplace(
      byte[] digest, String purpose, long node, long[] into, CoordinateRanges.Use after) {
    byte[] vectorKey = key.vectorKey(digest, purpose, node);
    DiscreteLaplaceSampler law = DiscreteLaplaceSampler.atLeast(sigmaInUnits);
    CoordinateRanges.each(into.length, BLOCK, (from, to) -> {
      try (Keystream words = new Keystream(vectorKey, from / BLOCK, 8 * (to - from))) {
        for (int i = from; i < to; i++) {
          into[i] += law.next(words);
        }
      }
      after.range(from, to);
    });
  }

  /**
   * What is done with one block of a vector: {@code z[i]}, i below {@code length}, is coordinate
   * from + i.
   */
  public interface Use {
    void block(int from, double[] z, int length);
  }

  /**
   * Draws the Gaussian vector at an address, real-valued, in lattice units, block by block. The
   * blocks come in any order and, for large vectors, several at a time. Their array is the use's,
   * to overwrite too, until it returns.
   */
  public void draw(byte[] digest, String purpose, long node, int dimension, Use use) {
    byte[] vectorKey = key.vectorKey(digest, purpose, node);
    CoordinateRanges.each(
        dimension, BLOCK, (from, to) -> drawBlock(vectorKey, from, to - from, use));
  }

  /** Where a vector is: of which noise, and its address. */
  public record Place(KeyedNoise noise, byte[] digest, String purpose, long node) {}

  /** What is done with one block of several vectors, of which each has a number from 0 on. */
  public interface UseInTurn {
    void block(int vector, int from, double[] z, int length);
  }

  /**
   * {@link #draw} of several vectors: each block of all of them, one after the other, before the
   * same thread goes on to another block.
   */
  public static void drawInTurn(List<Place> vectors, int dimension, UseInTurn use) {
    byte[][] keys = new byte[vectors.size()][];
    for (int i = 0; i < keys.length; i++) {
      Place at = vectors.get(i);
      keys[i] = at.noise.key.vectorKey(at.digest, at.purpose, at.node);
    }
    CoordinateRanges.each(dimension, BLOCK, (from, to) -> {
      for (int i = 0; i < keys.length; i++) {
        int vector = i;
        vectors
            .get(i)
            .noise
            .drawBlock(
                keys[i], from, to - from, (at, z, length) -> use.block(vector, at, z, length));
      }
    });
  }

  private void drawBlock(byte[] vectorKey, int from, int length, Use use) {
    double[] spare = SPARE.get();
    SPARE.remove(); // a use might draw too
    double[] z = spare == null ? new double[BLOCK] : spare;
    try (Keystream words = new Keystream(vectorKey, from / BLOCK, length)) {
      GaussianSampler.fill(words, sigmaInUnits, z, length);
    }
    use.block(from, z, length);
    SPARE.set(z);
  }
}
