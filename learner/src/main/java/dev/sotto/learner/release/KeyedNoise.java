package dev.sotto.learner.release;

import java.util.stream.IntStream;

/**
 * Noise vectors that follow from the key and an address: the running digest, a purpose and a node. The
 * same address gives the same integers, on every machine and with any number of threads.
 */
final class KeyedNoise {
  /** Coordinates that share one range of the counter; part of the noise's definition, never change it. */
  private static final int BLOCK = 4096;

  private static final int PARALLEL_FROM = 8; // blocks

  private final NoiseKey key;
  private final double sigmaInUnits;

  /** Noise with the given standard deviation, in lattice units. */
  KeyedNoise(NoiseKey key, double sigmaInUnits) {
    this.key = key;
    this.sigmaInUnits = sigmaInUnits;
  }

  /** Adds {@code sign} times the Gaussian vector at an address to {@code into}, rounded to whole units. */
  void add(byte[] digest, String purpose, long node, int sign, long[] into) {
    byte[] vectorKey = key.vectorKey(digest, purpose, node);
    int blocks = (into.length + BLOCK - 1) / BLOCK;
    if (blocks < PARALLEL_FROM) {
      for (int block = 0; block < blocks; block++) {
        addBlock(vectorKey, block, sign, into);
      }
    } else {
      IntStream.range(0, blocks)
          .parallel()
          .forEach(block -> addBlock(vectorKey, block, sign, into));
    }
  }

  private void addBlock(byte[] vectorKey, int block, int sign, long[] into) {
    int from = block * BLOCK;
    int to = Math.min(into.length, from + BLOCK);
    Keystream words = new Keystream(vectorKey, block, to - from);
    for (int i = from; i < to; i++) {
      into[i] += sign * (long) Math.rint(sigmaInUnits * Gaussian.next(words));
    }
  }
}
