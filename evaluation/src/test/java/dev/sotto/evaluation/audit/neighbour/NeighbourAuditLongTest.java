package dev.sotto.evaluation.audit.neighbour;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** Every configuration, with every change of a record. */
@Tag("long")
@Timeout(value = 60, unit = TimeUnit.MINUTES) // 20,000 runs, five minutes on a quiet machine
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
