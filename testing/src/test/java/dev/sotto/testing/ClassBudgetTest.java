package dev.sotto.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

class ClassBudgetTest {
  static class UnitFixture {}

  static class FixtureIT {}

  @Tag("long")
  static class LongFixture {}

  @Test
  void knowsTheTierOfAClass() {
    ClassBudget budgets = new ClassBudget();
    assertEquals(Optional.of(2.0), budgets.budget(UnitFixture.class, "long"));
    assertEquals(Optional.of(20.0), budgets.budget(FixtureIT.class, "long"));
    assertEquals(Optional.empty(), budgets.budget(LongFixture.class, "long"));
    assertEquals(Optional.empty(), budgets.budget(UnitFixture.class, ""), "a run of long tests");
  }

  @Test
  void failsAClassThatTakesMoreThanTwiceItsBudget() {
    assertEquals(0, run(0.01, "long").failed().count());
    assertEquals(0, run(0.6, "").failed().count(), "a run of long tests");
    Events tooLong = run(0.2 * 2.5 + 0.1, "long"); // on any machine
    assertEquals(1, tooLong.failed().count());
    assertTrue(
        tooLong.failed().list().toString().contains("at most twice its budget of 0.1 s"),
        tooLong.failed().list()::toString);
  }

  private static Events run(double seconds, String skippedTags) {
    String before = System.getProperty(ClassBudget.SKIPPED_TAGS);
    System.setProperty(ClassBudget.SKIPPED_TAGS, skippedTags);
    BusyFixture.seconds = seconds;
    try {
      return EngineTestKit.engine("junit-jupiter")
          .selectors(selectClass(BusyFixture.class))
          .execute()
          .containerEvents();
    } finally {
      System.setProperty(ClassBudget.SKIPPED_TAGS, before == null ? "" : before);
    }
  }
}
