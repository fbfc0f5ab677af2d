package dev.sotto.evaluation.audit.subject;

/** A fault of a learner with windows over the queries of a block; docs/experiments/audits.md. */
public enum WindowFault {
  /** Nothing: the learner written by hand passes as the real one does. */
  NONE("none"),
  /** Changes of gradients are as long as a loss 16 times as steep as it was taken for makes them. */
  SMOOTHNESS_FORGOTTEN("changes bounded without the smoothness"),
  /** Nodes of one leaf have no noise. */
  LEAF_WITHOUT_NOISE("a window that forgets the noise of a leaf"),
  /** Every answer draws the noise of its nodes again. */
  NOISE_AFRESH("nodes with new noise in every window"),
  /** Nodes of later passes have the noise of those of the first. */
  NOISE_OF_FIRST_PASS("later passes under the noise of the first");

  private final String label;

  WindowFault(String label) {
    this.label = label;
  }

  /** A few words for reports. */
  public String label() {
    return label;
  }
}
