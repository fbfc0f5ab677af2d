package dev.sotto.replay.cluster;

import java.util.List;
import org.junit.jupiter.api.Tag;

/** The same under every rule. */
@Tag("long")
class UnitStoresLongTest extends UnitStoresTest {
  @Override
  List<UnitRules> rules() {
    return List.of(UnitRules.values());
  }
}
