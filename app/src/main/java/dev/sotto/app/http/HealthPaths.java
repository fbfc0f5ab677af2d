package dev.sotto.app.http;

import dev.sotto.topology.failure.NewHistory;
import dev.sotto.topology.registry.RegistryWait;
import dev.sotto.topology.status.AwaitedPartition;
import dev.sotto.topology.status.LifecyclePhase;
import dev.sotto.topology.status.ModelStatus;
import dev.sotto.topology.status.RestoreStatus;
import dev.sotto.topology.status.ThreadStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The answers to probes. Safe for use by several threads. */
final class HealthPaths {
  /** A thread that fails is replaced within a second; this long without is for good. */
  private static final long GONE = TimeUnit.SECONDS.toNanos(60);

  private static final int MOST_NAMED = 3;

  /**
   * An answer.
   *
   * @param up whether all is well in the sense of the question
   * @param phase of the learner
   * @param reasons why not, and what to do; where all is well what is worth knowing
   */
  record Report(boolean up, LifecyclePhase phase, List<String> reasons) {
    String phaseName() {
      return phase.name().toLowerCase(Locale.ROOT);
    }
  }

  private final Supplier<InstanceView> learner;
  private final CostForecast costs;
  private final Optional<Duration> readyRoundAge;
  private final LongSupplier nanos;
  private long missingSince = -1;

  HealthPaths(
      Supplier<InstanceView> learner,
      CostForecast costs,
      Optional<Duration> readyRoundAge,
      LongSupplier nanos) {
    this.learner = learner;
    this.costs = costs;
    this.readyRoundAge = readyRoundAge;
    this.nanos = nanos;
  }

  /** Whether waiting can help; false means that only a new start may. */
  Report live() {
    return live(learner.get());
  }

  Report live(InstanceView view) {
    List<String> reasons = new ArrayList<>();
    ended(view).ifPresent(reasons::add);
    if (view.waiting().isEmpty()) { // threads come and go then
      lostThreads(view).ifPresent(reasons::add);
    }
    return new Report(reasons.isEmpty(), view.phase(), reasons);
  }

  /**
   * Whether the start is over: its tasks ran once, or are being restored and get on, or wait for a
   * schema registry, which may take any time.
   */
  Report started() {
    return started(learner.get());
  }

  Report started(InstanceView view) {
    if (view.lifecycle().started() || view.waiting().isPresent()) {
      return new Report(true, view.phase(), waiting(view));
    }
    return new Report(false, view.phase(), List.of(ended(view).orElseGet(() -> begin(view))));
  }

  /** Whether it learns, and has lately where that is asked for. */
  Report ready() {
    return ready(learner.get());
  }

  Report ready(InstanceView view) {
    if (view.waiting().isPresent()) {
      return new Report(false, view.phase(), waiting(view));
    }
    List<String> reasons = new ArrayList<>();
    if (view.phase() != LifecyclePhase.RUNNING) {
      reasons.add(ended(view).orElseGet(() -> begin(view)));
      return new Report(false, view.phase(), reasons);
    }
    stale(view).ifPresent(reasons::add);
    boolean up = reasons.isEmpty();
    reasons.addAll(exhausted(view));
    return new Report(up, view.phase(), reasons);
  }

  private static List<String> waiting(InstanceView view) {
    return view.waiting().stream().map(RegistryWait.Waiting::sentence).toList();
  }

  private static Optional<String> ended(InstanceView view) {
    return switch (view.phase()) {
      case FAILED ->
        Optional.of(view.lifecycle()
            .failure()
            .orElse("the learner is stopping by itself; the log inside has the details. Start it"
                + " again: nothing that is committed is lost"));
      case STOPPED -> Optional.of("the learner was stopped; start it again to go on");
      case STARTING, RESTORING, RUNNING, STOPPING -> Optional.empty();
    };
  }

  private static String begin(InstanceView view) {
    return switch (view.phase()) {
      case STARTING -> "checking the cluster and the topics; wait";
      case STOPPING -> "told to stop, and committing what it has; send nothing here any more";
      default ->
        view.restores().isEmpty()
            ? "waiting for the group to assign tasks; if this lasts longer than session and"
                + " transaction timeout, look at the brokers and at instances that come and go"
            : "restoring "
                + named(view.restores().stream().map(HealthPaths::text).toList())
                + "; wait, it gets on by itself. A state.dir that survives restarts, and standbys,"
                + " make it short";
    };
  }

  private static String text(RestoreStatus restore) {
    return "store " + restore.store() + " of partition " + restore.partition() + " ("
        + restore.tenths() * 10 + " %, for " + restore.running().toSeconds() + " s)";
  }

  private synchronized Optional<String> lostThreads(InstanceView view) {
    boolean watched =
        view.phase() == LifecyclePhase.RUNNING || view.phase() == LifecyclePhase.RESTORING;
    long alive = view.threads().stream().filter(HealthPaths::isAlive).count();
    if (!watched || alive >= view.streams().wanted()) {
      missingSince = -1;
      return Optional.empty();
    }
    long now = nanos.getAsLong();
    missingSince = missingSince < 0 ? now : missingSince;
    return now - missingSince < GONE
        ? Optional.empty()
        : Optional.of(
            (view.streams().wanted() - alive) + " of " + view.streams().wanted()
                + " stream threads died and were not replaced; restart this instance, and look into"
                + " the log inside for why");
  }

  static boolean isAlive(ThreadStatus thread) {
    return !thread.state().equals("DEAD") && !thread.state().equals("PENDING_SHUTDOWN");
  }

  private Optional<String> stale(InstanceView view) {
    if (readyRoundAge.isEmpty()
        || view.progress().newestRoundAge().isEmpty()
        || allExhausted(view)) {
      return Optional.empty();
    }
    Duration age = view.progress().newestRoundAge().get();
    if (age.compareTo(readyRoundAge.get()) <= 0) {
      return Optional.empty();
    }
    List<String> waiting = view.awaited().stream().map(HealthPaths::text).toList();
    return Optional.of("no round has closed for " + age.toSeconds()
        + " s, longer than http.ready.round.age.ms allows ("
        + readyRoundAge.get().toMillis() + "): "
        + (waiting.isEmpty()
            ? "see whether records still come, and how many a round takes (batch.size, or"
                + " block.slots)"
            : "waiting for " + named(waiting) + "; see whether records come there"));
  }

  private static String text(AwaitedPartition awaited) {
    return "partition " + awaited.partition() + " for " + awaited.waiting().toSeconds() + " s";
  }

  private boolean allExhausted(InstanceView view) {
    return !view.models().isEmpty()
        && !view.progress().hidesModels()
        && view.models().stream().allMatch(this::isExhausted);
  }

  private boolean isExhausted(ModelStatus model) {
    return costs.of(model.round()).exhausted();
  }

  private List<String> exhausted(InstanceView view) {
    List<String> spent = view.models().stream()
        .filter(this::isExhausted)
        .map(ModelStatus::modelId)
        .toList();
    return spent.isEmpty()
        ? List.of()
        : List.of("the budget of model " + named(spent)
            + " is spent: its last version is marked final, and records teach nothing"
            + " more. For more rounds " + NewHistory.START);
  }

  private static String named(List<String> all) {
    String some = String.join(", ", all.subList(0, Math.min(MOST_NAMED, all.size())));
    return all.size() <= MOST_NAMED ? some : some + " and " + (all.size() - MOST_NAMED) + " more";
  }
}
