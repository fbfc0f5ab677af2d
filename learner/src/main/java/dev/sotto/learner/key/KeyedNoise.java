package dev.sotto.learner.key;

import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

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

  private static final int PARALLEL_FROM = 8; // blocks

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
    byte[] vectorKey = key.vectorKey(digest, purpose, node);
    each(into.length, block -> addBlock(vectorKey, block, sign, into));
  }

  /**
   * Adds the discrete Laplace vector at an address to {@code into}; its scale is rounded up to
   * whole units.
   */
  public void addLaplace(byte[] digest, String purpose, long node, long[] into) {
    byte[] vectorKey = key.vectorKey(digest, purpose, node);
    DiscreteLaplaceSampler law = DiscreteLaplaceSampler.atLeast(sigmaInUnits);
    each(into.length, block -> {
      int from = block * BLOCK;
      int to = Math.min(into.length, from + BLOCK);
      try (Keystream words = new Keystream(vectorKey, block, 8 * (to - from))) {
        for (int i = from; i < to; i++) {
          into[i] += law.next(words);
        }
      }
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
    each(dimension, block -> drawBlock(vectorKey, block, dimension, use));
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
    each(dimension, block -> {
      for (int i = 0; i < keys.length; i++) {
        int vector = i;
        vectors
            .get(i)
            .noise
            .drawBlock(
                keys[i], block, dimension, (from, z, length) -> use.block(vector, from, z, length));
      }
    });
  }

  private static void each(int dimension, IntConsumer task) {
    if (dimension <= BLOCK) {
      task.accept(0);
      return;
    }
    IntStream blocks = IntStream.range(0, (dimension + BLOCK - 1) / BLOCK);
    if (dimension <= (PARALLEL_FROM - 1) * BLOCK) {
      blocks.forEach(task);
    } else {
      blocks.parallel().forEach(task);
    }
  }

  private void drawBlock(byte[] vectorKey, int block, int dimension, Use use) {
    int from = block * BLOCK;
    int length = Math.min(BLOCK, dimension - from);
    double[] spare = SPARE.get();
    SPARE.remove(); // a use might draw too
    double[] z = spare == null ? new double[BLOCK] : spare;
    try (Keystream words = new Keystream(vectorKey, block, length)) {
      for (int i = 0; i < length; i++) {
        z[i] = sigmaInUnits * GaussianSampler.next(words);
      }
    }
    use.block(from, z, length);
    SPARE.set(z);
  }

  private void addBlock(byte[] vectorKey, int block, int sign, long[] into) {
    int from = block * BLOCK;
    int to = Math.min(into.length, from + BLOCK);
    try (Keystream words = new Keystream(vectorKey, block, to - from)) {
      for (int i = from; i < to; i++) {
        into[i] += sign * (long) Math.rint(sigmaInUnits * GaussianSampler.next(words));
      }
    }
  }
}
