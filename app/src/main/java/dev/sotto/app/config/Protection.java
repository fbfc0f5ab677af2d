package dev.sotto.app.config;

/**
 * How much of what a configuration promises is kept. Anything but {@link #CONFIGURED} is a reference to hold a private
 * learner against, on data that stay inside the trust boundary: its guarantee is void, and nothing in a file, in the
 * environment or among flags can ask for it.
 */
public enum Protection {
  /** All of it. */
  CONFIGURED,

  /**
   * Units contribute what they would contribute under the configuration, record by record, but gradients are not
   * clipped and there is no noise: none at all, or where each unit has a book of its own, noise smaller by a factor of
   * 2^8 at least and mostly of 2^16.
   */
  BOUNDING,

  /** Nothing: every usable record counts, unclipped, without noise. Steps that follow from the noise are larger. */
  NONE
}
