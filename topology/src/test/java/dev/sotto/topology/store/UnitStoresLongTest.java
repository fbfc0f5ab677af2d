package dev.sotto.topology.store;

import dev.sotto.topology.trainer.UnitWorlds;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** The same under every rule. */
@Tag("long")
class UnitStoresLongTest extends UnitStoresTest {
  @Override
  List<UnitWorlds> rules() {
    return List.of(UnitWorlds.values());
  }
}
