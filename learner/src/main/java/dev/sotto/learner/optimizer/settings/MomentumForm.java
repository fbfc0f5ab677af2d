package dev.sotto.learner.optimizer.settings;

import java.util.Locale;

/** Where {@code sensitivity-reduced-nsgd} takes changes of gradients from. */
public enum MomentumForm {
  /** Many queries of all slots of a block. */
  FULL_BATCH,
  /** Passes over the batches of a block. */
  WINDOW;

  /** The name in configurations. */
  public String configName() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
