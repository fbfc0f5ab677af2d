package org.example.trips;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sotto.learner.loss.Loss;
import dev.sotto.testkit.LossAssertions;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AsymmetricHuberTest {
  private static Loss loss(String threshold, String under) {
    return new AsymmetricHuber().create(Map.of("threshold", threshold, "under", under));
  }

  @Test
  void isConvexAndKeepsItsBounds() {
    for (String under : new String[] {"0.2", "1", "3"}) {
      LossAssertions.assertConvex(loss("0.5", under), -1, 0, 0.3, 1);
    }
  }

  @Test
  void weighsTooLittleMore() {
    Loss loss = loss("1", "3");
    assertEquals(3 * loss.value(0.5, 0), loss.value(-0.5, 0));
    assertEquals(-3, loss.slope(-5, 0));
    assertEquals(1, loss.slope(5, 0));
  }

  @Test
  void refusesParametersThatMakeNoLoss() {
    assertThrows(IllegalArgumentException.class, () -> loss("0", "1"));
    assertThrows(IllegalArgumentException.class, () -> loss("1", "much"));
  }
}
