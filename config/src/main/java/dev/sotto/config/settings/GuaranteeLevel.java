package dev.sotto.config.settings;

/**
 * How much of its guarantee a configuration keeps. Anything but {@link #CONFIGURED} is a reference
 * run, to compare a private learner with on data that stay inside the trust boundary: its guarantee
 * is void, and no setting can ask for it.
 */
public enum GuaranteeLevel {
  /** All of it. */
  CONFIGURED,

  /**
   * Units contribute what they would contribute under the configuration, record by record, but
   * gradients are not clipped and there is no noise: none at all, or where each unit has a budget
   * of its own, noise smaller by a factor of at least 2^8 and mostly of 2^16.
   */
  BOUNDING,

  /**
   * Nothing: every usable record counts, unclipped, without noise. Steps that follow from the noise
   * are larger.
   */
  NONE
}
