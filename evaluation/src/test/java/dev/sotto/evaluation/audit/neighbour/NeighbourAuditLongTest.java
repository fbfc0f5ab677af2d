package dev.sotto.evaluation.audit.neighbour;

import java.util.List;
import org.junit.jupiter.api.Tag;

/** Every configuration, with every change of a record. */
@Tag("long")
class NeighbourAuditLongTest extends NeighbourAuditTest {
  @Override
  List<Case> cases() {
    return Case.all();
  }

  @Override
  int pairs() {
    return Change.values().length;
  }
}
