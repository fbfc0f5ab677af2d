package dev.sotto.topology;

import dev.sotto.learner.example.Slot;
import dev.sotto.learner.example.Verdict;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.record.SlotCodec;

/** Reads what the funnel wrote: also for those who learn from the same sequence again. */
public final class SequencedDecoder implements EventDecoder {
  private final SlotCodec codec = new SlotCodec();
  private final int dimension;
  private boolean readable;

  /** A decoder of slots with so many features. */
  public SequencedDecoder(int dimension) {
    this.dimension = dimension;
  }

  @Override
  public int dimension() {
    return dimension;
  }

  @Override
  public Verdict decode(byte[] key, byte[] value, Slot into) {
    readable = true;
    Verdict verdict = codec.decode(value, into);
    readable = verdict == Verdict.USED || codec.partition() >= 0;
    return verdict;
  }

  /** Whether the last record was one of the funnel's, used or not. */
  boolean wasReadable() {
    return readable;
  }
}
