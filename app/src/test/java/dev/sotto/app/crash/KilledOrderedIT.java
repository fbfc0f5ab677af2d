package dev.sotto.app.crash;

import dev.sotto.topology.settings.Layout;

/** {@link KillContract} in layout ordered. */
class KilledOrderedIT extends KillContract {
  @Override
  Layout layout() {
    return Layout.ORDERED;
  }
}
