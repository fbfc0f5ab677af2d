package dev.sotto.topology;

import dev.sotto.learner.example.Slot;
import dev.sotto.learner.example.Verdict;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.record.SlotCodec;
import dev.sotto.topology.encryption.TopicCipher;

/**
 * Reads what the funnel wrote: also for those who learn from the same sequence again. What the cipher does not open is
 * refused, not taken for an unreadable slot: it may well be somebody's event.
 */
public final class SequencedDecoder implements EventDecoder {
  private final SlotCodec codec = new SlotCodec();
  private final int dimension;
  private final TopicCipher cipher;
  private boolean readable;

  /**
   * A decoder of slots with so many features.
   *
   * @param cipher of the sequence, see {@link LearnerSettings#sequenceCipher()}
   */
  public SequencedDecoder(int dimension, TopicCipher cipher) {
    this.dimension = dimension;
    this.cipher = cipher;
  }

  @Override
  public int dimension() {
    return dimension;
  }

  @Override
  public Verdict decode(byte[] key, byte[] value, Slot into) {
    readable = true;
    Verdict verdict = codec.decode(cipher.open(value), into);
    readable = verdict == Verdict.USED || codec.partition() >= 0;
    return verdict;
  }

  /** Whether the last record was one of the funnel's, used or not. */
  boolean wasReadable() {
    return readable;
  }

  /** Source partition of the last record, -1 if it was none of the funnel's. */
  public int partition() {
    return codec.partition();
  }

  /** Source offset of the last record, -1 if it was none of the funnel's. */
  public long offset() {
    return codec.offset();
  }
}
