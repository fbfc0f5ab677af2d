package dev.sotto.replay.cluster;

import org.junit.jupiter.api.Tag;

/** The same under many schedules. */
@Tag("long")
class RotationLongTest extends RotationTest {
  @Override
  int schedules() {
    return 12;
  }
}
