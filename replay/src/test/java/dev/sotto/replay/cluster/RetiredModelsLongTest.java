package dev.sotto.replay.cluster;

import org.junit.jupiter.api.Tag;

/** The same under many schedules. */
@Tag("long")
class RetiredModelsLongTest extends RetiredModelsTest {
  @Override
  int schedules() {
    return 25;
  }
}
