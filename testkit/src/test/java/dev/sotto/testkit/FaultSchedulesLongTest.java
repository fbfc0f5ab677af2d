package dev.sotto.testkit;

import org.junit.jupiter.api.Tag;

/** The same under many schedules. */
@Tag("long")
class FaultSchedulesLongTest extends FaultSchedulesTest {
  @Override
  int each() {
    return 60;
  }

  @Override
  int[] partitions() {
    return new int[] {1, 2, 3, 4};
  }

  @Override
  int events() {
    return 80;
  }
}
