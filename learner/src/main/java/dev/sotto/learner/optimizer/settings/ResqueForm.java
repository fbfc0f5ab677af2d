package dev.sotto.learner.optimizer.settings;

import java.util.Locale;

/** How {@code resque} learns from a block. */
enum ResqueForm {
  /** What suits loss, layout and settings. */
  AUTO,
  /** One ordered pass over smoothed losses. */
  ONE_PASS,
  /** Pools of noisy gradients. */
  POOL,
  /** Calls of private solvers over slots of their own, in one ordered pass. */
  ORDERED_CALLS;

  /** The name in configurations. */
  String configName() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
