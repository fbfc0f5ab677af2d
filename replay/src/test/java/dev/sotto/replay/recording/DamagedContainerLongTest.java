package dev.sotto.replay.recording;

import org.junit.jupiter.api.Tag;

/** The same of every byte. */
@Tag("long")
class DamagedContainerLongTest extends DamagedContainerTest {
  @Override
  int stride() {
    return 1;
  }
}
