package dev.sotto.app.crash;

import dev.sotto.topology.settings.Layout;

/** {@link KillContract} in layout direct. */
class KilledDirectIT extends KillContract {
  @Override
  Layout layout() {
    return Layout.DIRECT;
  }
}
