package dev.sotto.learner.optimizer.settings;

import java.util.Locale;

/** Where {@code sensitivity-reduced-nsgd} takes changes of gradients from. */
public enum MomentumForm {
  /** Many queries of all slots of a block. */
  FULL_BATCH,
  /** Passes over the batches of a block. */
  WINDOW;

  private static final String ONE_PASS = "one-pass"; // of earlier versions

  /** What else to say of a name that is none of these. */
  static String hint(String name) {
    return name.equals(ONE_PASS)
        ? "; it is no longer offered, choose algorithm tree-momentum-nsgd, which learns as much in"
            + " one pass from one gradient of each record (docs/momentum.md)"
        : "";
  }

  /** The name in configurations. */
  public String configName() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
