package dev.sotto.serdes.event;

import dev.sotto.learner.example.Slot;
import dev.sotto.learner.example.Verdict;

/**
 * Records of the user's topic in, slots out. The same bytes give the same slot on every machine,
 * heap size and Java version. A decoder holds buffers: one per thread.
 */
public interface EventDecoder {
  /** The number of coordinates of the examples. */
  int dimension();

  /**
   * Decodes one record into a slot of {@link #dimension()} coordinates, whatever the bytes are.
   *
   * @param key the record's key, may be null
   * @param value the record's value, may be null, which gives {@link Verdict#EMPTY}
   * @param into filled with the verdict and, where that is {@link Verdict#USED}, with an example
   *     that is finite and of l2 norm at most 1, and with the privacy unit if one is configured;
   *     otherwise with the zero vector and no unit
   * @return the verdict
   */
  Verdict decode(byte[] key, byte[] value, Slot into);
}
