package dev.sotto.testkit;

import org.junit.jupiter.api.Tag;

/** The same under many schedules. */
@Tag("long")
class LateLabelsLongTest extends LateLabelsTest {
  @Override
  int each() {
    return 30;
  }
}
