package dev.sotto.testkit;

import org.junit.jupiter.api.Tag;

/** The same under many schedules. */
@Tag("long")
class BlockSchedulesLongTest extends BlockSchedulesTest {
  @Override
  int each() {
    return 40;
  }
}
