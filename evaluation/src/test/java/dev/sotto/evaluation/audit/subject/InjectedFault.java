package dev.sotto.evaluation.audit.subject;

/** A fault of a learner; each has been seen in practice. */
public enum InjectedFault {
  /** Nothing: the learner written by hand passes as the real one does. */
  NONE("none"),
  /** The sum of a batch is clipped, not each gradient. */
  CLIP_AFTER_SUM("clip after the sum"),
  /** A batch is divided by the number of its usable examples, its noise by the nominal one. */
  DIVIDE_BY_USABLE("batch normalised by the usable count"),
  /**
   * Noise follows from key and round only: another batch in the same round meets the same noise.
   */
  NOISE_BY_ROUND("noise reused: bound to the round only"),
  /** Noise follows from key and batch only: histories that agree in a batch share its noise. */
  NOISE_BY_BATCH("noise reused: bound to the batch only"),
  /** Noise is drawn afresh at each attempt, and aborted attempts are seen. */
  NOISE_AFRESH("snapshot read uncommitted, retried under fresh noise");

  private final String label;

  InjectedFault(String label) {
    this.label = label;
  }

  /** A short description of the fault. */
  public String label() {
    return label;
  }
}
