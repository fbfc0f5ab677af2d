package dev.sotto.topology.log;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.record.SlotCodec;
import dev.sotto.topology.encryption.TopicCipher;
import dev.sotto.topology.settings.LearnerSettings;

/**
 * Reads what the funnel wrote: also for those who learn from the same sequence again. What the
 * cipher does not open is refused, not taken for an unreadable slot: it may well be somebody's
 * event.
 */
public final class SequencedSlotDecoder implements EventDecoder {
  private final SlotCodec codec = new SlotCodec();
  private final int dimension;
  private final TopicCipher cipher;
  private boolean readable;

  /**
   * A decoder of slots with so many features.
   *
   * @param cipher of the sequence, see {@link LearnerSettings#sequenceCipher()}
   */
  public SequencedSlotDecoder(int dimension, TopicCipher cipher) {
    this.dimension = dimension;
    this.cipher = cipher;
  }

  @Override
  public int dimension() {
    return dimension;
  }

  @Override
  public RecordStatus decode(byte[] key, byte[] value, Slot into) {
    readable = true;
    RecordStatus verdict = codec.decode(cipher.open(value), into);
    readable = verdict == RecordStatus.USED || codec.partition() >= 0;
    return verdict;
  }

  /** Whether the last record was one of the funnel's, used or not. */
  public boolean wasReadable() {
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
