package dev.sotto.evaluation.audit.subject;

/** A fault of a learner whose slots move a point, one by one; docs/experiments/audits.md. */
public enum PathFault {
  /** Nothing: the learner written by hand passes as the real one does. */
  NONE("none"),
  /** Gradients are as long as their records make them. */
  SLOPES_NOT_CUT("slopes that are not cut"),
  /** Every slot has the step of its phase, however steep its loss is. */
  STEP_TOO_LONG("steps longer than 2 over the smoothness"),
  /** Each phase has the noise of the next one, whose steps are shorter. */
  NOISE_OF_NEXT_PHASE("noise of another phase"),
  /** Points are added up over all slots, and divided by the number of slots that hold a record. */
  REALISED_COUNT("averages divided by the number of records"),
  /** Every phase begins with the first slot of the block. */
  SLOTS_AGAIN("a slot in two phases"),
  /** A phase begins at the average before it without its noise. */
  EXACT_START("a phase that begins at an exact average"),
  /** The second slot of a unit in a block moves the point as the first does. */
  UNIT_TWICE("a unit in two slots of a path"),
  /** Each attempt at a phase has noise of its own. */
  NOISE_AFRESH("a phase retried under fresh noise"),
  /** Noise follows from the key and the number of the phase. */
  NOISE_BY_NUMBER("noise of a phase bound to its number only");

  private final String label;

  PathFault(String label) {
    this.label = label;
  }

  /** A few words for reports. */
  public String label() {
    return label;
  }
}
