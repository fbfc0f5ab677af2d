package dev.sotto.replay.recording;

import org.junit.jupiter.api.Tag;

/** The same of a file that is cut at many places. */
@Tag("long")
class ResumedContainerLongTest extends ResumedContainerTest {
  @Override
  int step() {
    return 211;
  }
}
