package dev.sotto.topology.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.junit.jupiter.api.Test;

class AbandonedTransactionsTest {
  private static final String ONE = "7a7a4de8-b3e9-43a7-9d80-8291cdb1af42";
  private static final String OTHER = "759c911a-fbf4-4085-abf6-8bd4b047f80e";

  private static String client(String app, String process) {
    return app + "-" + process + "-StreamThread-1-consumer";
  }

  @Test
  void endsThoseWhoseProcessTheGroupDoesNotHave() {
    List<String> open = List.of("flights-" + ONE + "-1", "flights-" + OTHER + "-2");
    assertThat(AbandonedTransactions.dead("flights", open, List.of(client("flights", ONE))))
        .containsExactly("flights-" + OTHER + "-2");
    assertThat(AbandonedTransactions.dead("flights", open, List.of()))
        .containsExactlyInAnyOrderElementsOf(open);
  }

  @Test
  void leavesOtherApplicationsAndOtherProducersAlone() {
    List<String> open = List.of(
        "flights-test-" + OTHER + "-1",
        "flights-genesis",
        "other-" + OTHER + "-1",
        "flights-" + OTHER,
        "flights-" + OTHER + "-1-x",
        "writer");
    assertThat(AbandonedTransactions.dead("flights", open, List.of())).isEmpty();
  }

  @Test
  void takesNobodyForDeadWhereAMemberDoesNotNameItsProcess() {
    List<String> open = List.of("flights-" + OTHER + "-1");
    assertThat(AbandonedTransactions.dead(
            "flights", open, List.of(client("flights", ONE), "mine-StreamThread-1-consumer")))
        .isEmpty();
    assertThat(AbandonedTransactions.dead("flights", open, List.of(client("flights-test", ONE))))
        .isEmpty();
  }

  /** A cluster that counts what it is asked. */
  private static final class Cluster implements TransactionRequests {
    final List<String> patterns = new CopyOnWriteArrayList<>();
    final List<Set<String>> ended = new CopyOnWriteArrayList<>();
    volatile List<String> open = List.of();
    boolean knowsPatterns = true;

    @Override
    public List<String> open(String pattern) throws ExecutionException {
      patterns.add(String.valueOf(pattern));
      if (pattern != null && !knowsPatterns) {
        throw new ExecutionException(new UnsupportedVersionException("no patterns here"));
      }
      return open.stream().filter(id -> pattern == null || id.matches(pattern)).toList();
    }

    @Override
    public Set<String> members() {
      return Set.of();
    }

    @Override
    public void end(Set<String> ids) {
      ended.add(ids);
      open = open.stream().filter(id -> !ids.contains(id)).toList();
    }

    @Override
    public void close() {}
  }

  @Test
  void asksForTheApplicationsTransactionsOnly() {
    Cluster cluster = new Cluster();
    String dead = "my.flights-" + OTHER + "-1";
    cluster.open = List.of(dead, "my-flights-" + OTHER + "-1", "writer");
    Timer timer = new Timer();
    try (var look = new AbandonedTransactions(cluster, "my.flights", () -> true, timer)) {
      look.look();
      timer.run();
      assertThat(cluster.ended).containsExactly(Set.of(dead));
      assertThat(cluster.patterns).allSatisfy(pattern -> {
        assertThat(dead).matches(pattern);
        assertThat("my-flights-" + OTHER + "-1").doesNotMatch(pattern);
        assertThat("writer").doesNotMatch(pattern);
      });
    }
  }

  @Test
  void asksForAllWhereBrokersKnowNoPatterns() {
    Cluster cluster = new Cluster();
    cluster.knowsPatterns = false;
    String dead = "flights-" + OTHER + "-1";
    cluster.open = List.of(dead, "writer");
    Timer timer = new Timer();
    try (var look = new AbandonedTransactions(cluster, "flights", () -> true, timer)) {
      look.look();
      timer.run();
      assertThat(cluster.ended).containsExactly(Set.of(dead));
      timer.run();
      assertThat(cluster.patterns).hasSize(3);
      assertThat(cluster.patterns.subList(1, 3)).containsOnly("null"); // asked in vain once only
    }
  }

  /** Runs what is due when the test says so, and notes in how many milliseconds it was wanted. */
  private static final class Timer extends ScheduledThreadPoolExecutor {
    final List<Long> pauses = new ArrayList<>();
    private Runnable due;
    private ScheduledFuture<?> pending;

    Timer() {
      super(1);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long time, TimeUnit unit) {
      pauses.add(unit.toMillis(time));
      due = task;
      pending = super.schedule(() -> {}, 1, TimeUnit.DAYS);
      return pending;
    }

    void run() {
      Runnable now = due;
      due = null;
      now.run();
    }
  }

  /** Twice a second for as long as a restore takes would be a load. */
  @Test
  void asksLessAndLessOftenUntilWorkIsHandedOutAnew() {
    Cluster cluster = new Cluster();
    AtomicBoolean settled = new AtomicBoolean();
    Timer timer = new Timer();
    try (var look = new AbandonedTransactions(cluster, "flights", settled::get, timer)) {
      look.look();
      for (int i = 0; i < 4; i++) {
        timer.run();
      }
      assertThat(timer.pauses).containsExactly(0L, 500L, 1000L, 2000L, 2000L);
      assertThat(cluster.patterns).hasSize(4);
      settled.set(true);
      ScheduledFuture<?> earlier = timer.pending;
      look.look();
      assertThat(earlier.isCancelled()).isTrue(); // or there would be two looks from now on
      timer.run();
      assertThat(timer.pauses).endsWith(2000L, 0L);
      assertThat(timer.due).isNull(); // all runs, and none are left
      assertThat(cluster.patterns).hasSize(5);
    }
  }
}
