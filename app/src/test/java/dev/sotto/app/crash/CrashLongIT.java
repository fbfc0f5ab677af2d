package dev.sotto.app.crash;

import org.junit.jupiter.api.Tag;

/** The tests of {@link CrashIT} with twice as many kills. */
@Tag("long")
class CrashLongIT extends CrashIT {
  @Override
  int kills(int few, int many) {
    return many;
  }

  @Override
  int frozen(int often) {
    return often;
  }
}
