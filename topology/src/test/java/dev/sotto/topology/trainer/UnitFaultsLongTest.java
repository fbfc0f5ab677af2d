package dev.sotto.topology.trainer;

import org.junit.jupiter.api.Tag;

/** The same under many schedules. */
@Tag("long")
class UnitFaultsLongTest extends UnitFaultsTest {
  @Override
  int schedules() {
    return 20;
  }
}
