package dev.sotto.app.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.broker.EmbeddedBroker;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.topology.settings.Layout;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * The learner is killed with SIGKILL, frozen and revived while events keep coming, some of them
 * aborted.
 */
@Tag("long")
class CrashLongIT {
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
      int kills = 10;
      crash.run(kills, kills / 5);
      crash.runReference();
      assertThat(crash.openAtKill())
          .as("kills with a transaction open")
          .isGreaterThanOrEqualTo(kills / 2);
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
  void publishesTheSameBitsInTheSameOrder() throws Exception {
    try (CrashHarness crash =
        new CrashHarness(broker, folder, "ordered", Layout.ORDERED, 3, false, 2)) {
      crash.run(4, 1);
      checkOrder(crash);
      crash.runReference();
      checkEqual(crash);
      assertThat(crash.watcher().conflicts()).isEmpty();
    }
  }

  /** Passes over a block go back through the pieces of several partitions. */
  @Test
  void publishesTheSameBitsOfBlocksOfAnOrder() throws Exception {
    try (CrashHarness crash = new CrashHarness(
            broker, folder, "ordered-blocks", Layout.ORDERED, 2, false, 9)
        .under(CrashLearner.Rule.BLOCKS)) {
      crash.run(4, 1);
      checkOrder(crash);
      crash.runReference();
      checkEqual(crash);
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
    assertThat(broken.values().stream().mapToInt(List::size).sum()).isGreaterThanOrEqualTo(5);
    assertThat(broken).isEqualTo(crash.published(crash.reference()));
  }

  /** Every event has one place in the order, and rounds take them in that order. */
  private static void checkOrder(CrashHarness crash) {
    List<ConsumerRecord<byte[], byte[]>> ordered = crash.inOrder();
    assertThat(ordered).hasSize((int) crash.written());
    assertThat(crash.ledger(crash.app())).isNotEmpty();
    int slots = 0;
    for (LedgerEntry entry : crash.ledger(crash.app())) {
      List<ConsumerRecord<byte[], byte[]>> taken =
          ordered.subList(slots, slots + CrashLearner.BATCH);
      slots += CrashLearner.BATCH;
      assertThat(ordered.stream().filter(each -> lies(entry, each)))
          .containsExactlyElementsOf(taken);
    }
    assertThat(ordered.size() - slots).isBetween(0, CrashLearner.BATCH - 1);
  }

  private static boolean lies(LedgerEntry entry, ConsumerRecord<byte[], byte[]> event) {
    return entry.ranges().stream()
        .anyMatch(range -> range.partition() == event.partition()
            && event.offset() >= range.from()
            && event.offset() < range.to());
  }

  static void checkSlots(CrashHarness crash) {
    SlotChecks.check(crash.ledger(crash.app()), crash.slots(), CrashLearner.BATCH);
  }
}
