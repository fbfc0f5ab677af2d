package dev.sotto.app.crash;

import dev.sotto.topology.settings.Layout;

/** {@link KillContract} in layout rounds. */
class KilledRoundsIT extends KillContract {
  @Override
  Layout layout() {
    return Layout.ROUNDS;
  }
}
