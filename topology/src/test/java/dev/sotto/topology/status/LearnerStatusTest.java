package dev.sotto.topology.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LearnerStatusTest {
  private long now = 1_000;
  private final LearnerStatus status = new LearnerStatus(2, () -> now);
  private final Map<String, Long> slots = new HashMap<>();
  private boolean behind;

  private void open(int partition, Map<String, Long> rounds) {
    status.opened(partition, rounds, model -> slots.getOrDefault(model, -1L), () -> behind);
  }

  private void pass(long seconds) {
    now += TimeUnit.SECONDS.toNanos(seconds);
  }

  private ModelStatus only() {
    assertThat(status.models()).hasSize(1);
    return status.models().get(0);
  }

  @Test
  void asksOnlyTasksOfTheCallingThreadWhetherTheyAreBehind() throws InterruptedException {
    behind = true;
    assertThat(status.isBehind(0)).as("a task that is not there").isFalse();
    open(0, Map.of());
    assertThat(status.isBehind(0)).isTrue();
    behind = false;
    assertThat(status.isBehind(0)).isFalse();
    behind = true;
    boolean[] asked = new boolean[1];
    Thread other = new Thread(() -> asked[0] = status.isBehind(0));
    other.start();
    other.join();
    assertThat(asked[0]).as("of another thread").isFalse();
    status.closed(0);
    assertThat(status.isBehind(0)).isFalse();
  }

  @Test
  void showsNothingOfARoundBeforeItsTransactionHasCommitted() {
    open(0, Map.of("m", 3L));
    status.versionClosed(0, "m", 4, 4);
    status.snapshotPublished(0, "m", 4);
    slots.put("m", 7L);
    assertThat(only().round()).isEqualTo(3);
    assertThat(only().snapshot()).isEmpty();
    assertThat(only().openSlots()).isEmpty();
    assertThat(status.roundsCommitted()).isZero();

    status.transactionCommitted();
    assertThat(only().round()).isEqualTo(4);
    assertThat(only().snapshot().orElseThrow().round()).isEqualTo(4);
    assertThat(only().openSlots()).isEqualTo(OptionalLong.of(7));
    assertThat(status.roundsCommitted()).isEqualTo(1);
  }

  @Test
  void forgetsWhatWasAborted() {
    open(0, Map.of("m", 3L));
    status.versionClosed(0, "m", 4, 4);
    status.awaiting(0, 5, Set.of(1));
    status.transactionLost();
    status.transactionCommitted();
    assertThat(only().round()).isEqualTo(3);
    assertThat(status.roundsCommitted()).isZero();
    assertThat(status.awaited()).isEmpty();
  }

  @Test
  void beginsAgainWithTheCommittedStateAfterATaskWasLost() {
    open(0, Map.of("m", 3L));
    status.versionClosed(0, "m", 4, 4);
    open(0, Map.of("m", 3L));
    status.transactionCommitted();
    assertThat(only().round()).isEqualTo(3);
  }

  @Test
  void commitsForTheTasksOfItsOwnThreadOnly() throws InterruptedException {
    Thread other = new Thread(() -> {
      open(0, Map.of("theirs", 1L));
      status.versionClosed(0, "theirs", 2, 2);
    });
    other.start();
    other.join();
    open(1, Map.of());
    status.versionClosed(1, "ours", 1, 1);
    status.versionClosed(0, "theirs", 9, 9); // no task of this thread
    status.transactionCommitted();
    assertThat(status.models())
        .extracting(ModelStatus::modelId, ModelStatus::round)
        .containsExactly(tuple("ours", 1L), tuple("theirs", 1L));
    status.closed(0); // nor is it ours to close
    assertThat(status.models()).hasSize(2);
  }

  @Test
  void neverGoesBackWhileRoundsAreDerivedAgain() {
    open(0, Map.of("m", 9L));
    status.versionClosed(0, "m", 7, 7);
    status.transactionCommitted();
    assertThat(only().round()).isEqualTo(9);
  }

  @Test
  void tellsTheAgesOfRoundsAndVersions() {
    open(0, Map.of("m", 1L));
    pass(10);
    assertThat(only().roundAge()).isEqualTo(Duration.ofSeconds(10));
    assertThat(status.newestRoundAge()).contains(Duration.ofSeconds(10));
    status.versionClosed(0, "m", 2, 2);
    status.snapshotPublished(0, "m", 2);
    status.transactionCommitted();
    pass(5);
    status.versionClosed(0, "m", 3, 3);
    status.transactionCommitted();
    pass(1);
    assertThat(only().roundAge()).isEqualTo(Duration.ofSeconds(1));
    assertThat(only().snapshot().orElseThrow())
        .isEqualTo(new ModelStatus.Snapshot(2, Duration.ofSeconds(6)));
    assertThat(status.newestRoundAge()).contains(Duration.ofSeconds(1));
  }

  @Test
  void hasNoRoundAgeWithoutATask() {
    assertThat(status.newestRoundAge()).isEmpty();
  }

  @Test
  void showsNoMoreModelsThanItMay() {
    open(0, Map.of("a", 1L));
    assertThat(status.hidesModels()).isFalse();
    for (String model : new String[] {"b", "c", "d"}) {
      status.versionClosed(0, model, 1, 1);
      status.transactionCommitted();
    }
    assertThat(status.models()).extracting(ModelStatus::modelId).containsExactly("a", "b");
    assertThat(status.hidesModels()).isTrue();
    assertThat(status.roundsCommitted()).isEqualTo(3);
    pass(1);
    status.versionClosed(0, "d", 2, 2); // a hidden one counts all the same
    status.transactionCommitted();
    assertThat(status.newestRoundAge()).contains(Duration.ZERO);

    status.closed(0);
    assertThat(status.models()).isEmpty();
    assertThat(status.hidesModels()).isFalse();
    open(0, Map.of("c", 1L, "d", 2L)); // both places are free again
    assertThat(status.models()).hasSize(2);
    assertThat(status.hidesModels()).isFalse();
  }

  @Test
  void tellsWhichPartitionsHoldARoundUpAndSinceWhen() {
    open(0, Map.of());
    status.awaiting(0, 1, Set.of(0, 1, 2));
    assertThat(status.awaited()).isEmpty();
    status.transactionCommitted();
    pass(3);
    status.awaiting(0, 1, Set.of(2));
    status.transactionCommitted();
    pass(4);
    assertThat(status.awaited()).containsExactly(new AwaitedPartition(2, 1, Duration.ofSeconds(7)));
    status.awaiting(0, 2, Set.of(2)); // of the next round: counted anew
    status.transactionCommitted();
    assertThat(status.awaited()).containsExactly(new AwaitedPartition(2, 2, Duration.ZERO));
    status.awaiting(0, 3, Set.of());
    status.transactionCommitted();
    assertThat(status.awaited()).isEmpty();
  }

  /** Before any part there is no transaction to wait for. */
  @Test
  void tellsAtOnceThatNobodyHasSentAPartYet() {
    open(0, Map.of());
    status.awaitingSince(0, 1, Set.of(0, 1));
    pass(5);
    status.awaiting(0, 1, Set.of(1));
    status.transactionLost();
    assertThat(status.awaited())
        .containsExactly(
            new AwaitedPartition(0, 1, Duration.ofSeconds(5)),
            new AwaitedPartition(1, 1, Duration.ofSeconds(5)));
    status.awaiting(0, 1, Set.of(1));
    status.transactionCommitted();
    assertThat(status.awaited()).containsExactly(new AwaitedPartition(1, 1, Duration.ofSeconds(5)));
  }

  /**
   * Whatever is sent meanwhile, or nothing at all: a transaction begins with the first write, which
   * only some records cause.
   */
  @Test
  void tellsForHowLongRecordsHaveNotBeenCommitted() {
    status.threads().transactions().taken();
    pass(4);
    status.threads().transactions().taken();
    String me = Thread.currentThread().getName();
    assertThat(status.transactions())
        .containsExactly(new TransactionStatus(me, Duration.ofSeconds(4), Duration.ofSeconds(4)));
    status.transactionCommitted();
    pass(2);
    assertThat(status.transactions())
        .containsExactly(new TransactionStatus(me, Duration.ZERO, Duration.ofSeconds(2)));
    status.threads().transactions().taken();
    pass(1);
    assertThat(status.transactions())
        .containsExactly(new TransactionStatus(me, Duration.ofSeconds(1), Duration.ofSeconds(3)));
    status.threads().transactions().dropped();
    assertThat(status.transactions())
        .containsExactly(new TransactionStatus(me, Duration.ZERO, Duration.ofSeconds(3)));
  }

  /**
   * Streams aborts where something was sent only; the task is given up at the same time in any
   * case.
   */
  @Test
  void saysNothingOfAborts() {
    status.threads().transactions().taken();
    pass(1);
    List<TransactionStatus> before = status.transactions();
    status.transactionLost();
    assertThat(status.transactions()).isEqualTo(before);
  }
}
