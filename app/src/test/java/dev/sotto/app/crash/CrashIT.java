package dev.sotto.app.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.app.broker.EmbeddedBroker;
import dev.sotto.topology.settings.Layout;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * The learner is killed with SIGKILL, frozen and revived while events keep coming, some of them
 * aborted.
 */
class CrashIT {
  private static EmbeddedBroker broker;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path folder;

  @BeforeAll
  static void startBroker() {
    broker = EmbeddedBroker.start();
  }

  @AfterAll
  static void stopBroker() {
    broker.close();
  }

  /** Two tasks on one thread: two partitions, a model each. */
  @Test
  void publishesTheSameBitsAsAnUndisturbedRunWhateverHappens() throws Exception {
    try (CrashHarness crash =
        new CrashHarness(broker, folder, "direct", Layout.DIRECT, 2, false, 1)) {
      crash.run(10, 2);
      crash.runReference();
      assertThat(crash.openAtKill()).as("kills with a transaction open").isGreaterThanOrEqualTo(5);
      assertThat(crash.insideRoundOne())
          .as("kills before round 1 was committed")
          .isGreaterThanOrEqualTo(2);
      checkEqual(crash);
      checkSlots(crash);
      assertThat(crash.watcher().repeats())
          .as("aborted writes that were seen and written again")
          .isPositive();
      assertThat(crash.watcher().conflicts()).isEmpty();
    }
  }

  /** Rounds of sixty slots: a version, and with it a written state, comes every fifty rounds. */
  @Test
  void publishesTheSameVersionsOfSmallRoundsWhateverHappens() throws Exception {
    try (CrashHarness crash = new CrashHarness(broker, folder, "small", Layout.DIRECT, 2, false, 5)
        .under(CrashLearner.Rule.SMALL_ROUNDS)) {
      crash.run(6, 1);
      crash.runReference();
      checkEqual(crash);
      checkSlots(crash);
      assertThat(crash.ledger(crash.app()))
          .allMatch(each -> each.round() - each.firstRound() == 49);
      assertThat(crash.watcher().conflicts()).isEmpty();
    }
  }

  /** Every block is read ten times: most kills come while one is read again. */
  @Test
  void publishesTheSameBitsOfBlocksThatAreReadAgain() throws Exception {
    try (CrashHarness crash = new CrashHarness(broker, folder, "blocks", Layout.DIRECT, 2, false, 8)
        .under(CrashLearner.Rule.BLOCKS)) {
      crash.run(5, 1);
      crash.runReference();
      checkEqual(crash);
      checkSlots(crash);
      assertThat(crash.ledger(crash.app())).allMatch(each -> each.round() == each.firstRound());
      assertThat(crash.watcher().conflicts()).isEmpty();
    }
  }

  @Test
  void publishesTheSameBitsFromTheSameSequenceInTheFunnel() throws Exception {
    try (CrashHarness crash =
        new CrashHarness(broker, folder, "funnel", Layout.FUNNEL, 3, false, 2)) {
      crash.run(4, 1);
      crash.runReference();
      checkEqual(crash);
      checkSlots(crash);
      assertThat(crash.slots().get(0))
          .hasSize((int) crash.written()); // each event one slot of the sequence
      assertThat(crash.watcher().conflicts()).isEmpty();
    }
  }

  /** The twin: a learner that trusts its heap is caught by the very same checks. */
  @Test
  void catchesALearnerThatTrustsItsHeap() throws Exception {
    try (CrashHarness crash = new CrashHarness(broker, folder, "heap", Layout.DIRECT, 2, true, 3)) {
      crash.run(3, 0);
      crash.runReference();
      assertThat(crash.published(crash.app())).isNotEqualTo(crash.published(crash.reference()));
    }
  }

  static void checkEqual(CrashHarness crash) {
    Map<String, List<String>> broken = crash.published(crash.app());
    assertThat(broken.values().stream().mapToInt(List::size).sum()).isGreaterThan(10);
    assertThat(broken).isEqualTo(crash.published(crash.reference()));
  }

  static void checkSlots(CrashHarness crash) {
    SlotChecks.check(crash.ledger(crash.app()), crash.slots(), CrashLearner.BATCH);
  }
}
