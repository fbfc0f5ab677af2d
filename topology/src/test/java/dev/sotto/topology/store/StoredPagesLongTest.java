package dev.sotto.topology.store;

import org.junit.jupiter.api.Tag;

/** The same under many schedules. */
@Tag("long")
class StoredPagesLongTest extends StoredPagesTest {
  @Override
  int schedules() {
    return 60;
  }
}
