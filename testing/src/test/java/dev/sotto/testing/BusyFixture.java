package dev.sotto.testing;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A class of tests that works as long as it is told; {@link ClassBudgetTest} runs it. */
@ExtendWith(BusyFixture.SmallBudget.class)
class BusyFixture {
  static double seconds;

  static final class SmallBudget extends ClassBudget {
    SmallBudget() {
      super(0.1, 0.1);
    }
  }

  @Test
  void works() {
    double end = ProcessorTime.seconds() + seconds;
    while (ProcessorTime.seconds() < end) {
      Thread.onSpinWait();
    }
  }
}
