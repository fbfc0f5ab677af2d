package dev.sotto.client;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The current version of one published model, kept up to date by a thread of its own: read
 * committed, newest first, checked against its digest and its ledger entry, swapped atomically.
 *
 * <pre>{@code
 * try (LiveModel model = LiveModel.open(Map.of("bootstrap.servers", servers), "my-app")) {
 *   Scorer scorer = model.await(Duration.ofSeconds(30)).scorer();
 *   scorer.score(event);
 * }
 * }</pre>
 *
 * <p>What comes damaged is reported ({@link #health()}, {@link ModelListener}), and the last
 * verified version stays in place. It joins no group and writes nothing. All methods are safe for
 * use by several threads; {@link #current()} takes no lock.
 */
public final class LiveModel implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LiveModel.class);

  private final CopyOnWriteArrayList<ModelListener> listeners = new CopyOnWriteArrayList<>();
  private final Object change = new Object();
  private final ModelFollower follower;
  private volatile VersionSearch.Found found;
  private volatile ScoringModel current;
  private volatile ModelHealth health;

  private LiveModel(Options options) {
    this.health = new ModelHealth(
        ModelHealth.State.SEARCHING, "looking for " + text(options.choice) + " of " + options.app);
    listeners.addAll(options.listeners);
    this.follower = new ModelFollower(options, this);
  }

  /**
   * What is followed, and how.
   *
   * @param clients Kafka client settings: bootstrap.servers, security
   * @param app the learner's app.id
   * @param choice which version of which model
   * @param ledger whether versions are checked against their ledger entries
   * @param listeners who hears of changes, from the first on
   */
  public record Options(
      Map<String, ?> clients,
      String app,
      ModelChoice choice,
      boolean ledger,
      List<ModelListener> listeners) {
    public Options {
      clients = Map.copyOf(clients);
      Objects.requireNonNull(app, "app");
      Objects.requireNonNull(choice, "choice");
      listeners = List.copyOf(listeners);
    }

    /** This choice instead of the newest version of the one model. */
    public Options with(ModelChoice other) {
      return new Options(clients, app, other, ledger, listeners);
    }

    /** The newest version of the model of this id, where an application learns several. */
    public Options withModel(String id) {
      return with(new ModelChoice.Newest(id));
    }

    /** This version of the application's only model, and no other. */
    public Options withVersion(long version) {
      return with(new ModelChoice.Pinned(null, version));
    }

    /** This version of a model, and no other. */
    public Options withVersion(String modelId, long version) {
      return with(new ModelChoice.Pinned(modelId, version));
    }

    /** The version that this alias names, now and later. */
    public Options withAlias(String name) {
      return with(new ModelChoice.Alias(name));
    }

    /** Versions are checked against their digests alone, for those who may not read the ledger. */
    public Options withoutLedger() {
      return new Options(clients, app, choice, false, listeners);
    }

    /** Only this listener hears of changes. */
    public Options withListener(ModelListener listener) {
      return new Options(clients, app, choice, ledger, List.of(listener));
    }
  }

  /** Follows the newest version of the application's only model; does not wait for it. */
  public static LiveModel open(Map<String, ?> clients, String app) {
    return open(clients, app, UnaryOperator.identity());
  }

  /** Follows what the options say; does not wait for it. */
  public static LiveModel open(Map<String, ?> clients, String app, UnaryOperator<Options> options) {
    ModelChoice usual = new ModelChoice.Newest(null);
    LiveModel model =
        new LiveModel(options.apply(new Options(clients, app, usual, true, List.of())));
    model.follower.start();
    return model;
  }

  /** A choice in words. */
  static String text(ModelChoice choice) {
    if (choice instanceof ModelChoice.Alias alias) {
      return "alias " + alias.name();
    }
    if (choice instanceof ModelChoice.Pinned pinned) {
      return "version " + pinned.version() + " of " + model(pinned.modelId());
    }
    return model(((ModelChoice.Newest) choice).modelId());
  }

  private static String model(String id) {
    return id == null ? "the only model" : "model " + id;
  }

  /** The version in place; empty before the first one. */
  public Optional<ScoringModel> current() {
    return Optional.ofNullable(current);
  }

  /**
   * Waits for the first version, through whatever is in its way.
   *
   * @throws ModelUnavailableException where there is none in time; the message says why
   */
  public ScoringModel await(Duration most) throws InterruptedException {
    long deadline = System.nanoTime() + most.toNanos();
    synchronized (change) {
      while (current == null) {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          throw new ModelUnavailableException(health.text());
        }
        change.wait(left / 1_000_000 + 1);
      }
    }
    return current;
  }

  /** How long ago the version in place was published; empty before the first one. */
  public Optional<Duration> age() {
    VersionSearch.Found now = found;
    return Optional.ofNullable(now)
        .map(each -> Duration.between(Instant.ofEpochMilli(each.time()), Instant.now()));
  }

  /** How it stands. */
  public ModelHealth health() {
    return health;
  }

  /** How often it has looked in vain so far for what an open transaction may hold. */
  long undecidedLooks() {
    return follower.undecidedLooks();
  }

  /** Hears of all changes from now on. */
  public void addListener(ModelListener listener) {
    listeners.add(listener);
  }

  /**
   * Puts a verified version in place.
   *
   * @param newer what is wrong with a newer one; empty where this is the newest
   */
  void put(VersionSearch.Found fresh, ScoringModel model, Optional<String> newer) {
    ScoringModel before = current;
    boolean same = before != null
        && before.modelId().equals(model.modelId())
        && before.version() == model.version()
        && Arrays.equals(before.manifest().runId(), model.manifest().runId());
    if (!same) {
      synchronized (change) {
        found = fresh;
        current = model;
        change.notifyAll();
      }
      tell(each -> each.changed(model));
    }
    newer.ifPresentOrElse(
        text -> say(ModelHealth.State.DAMAGED, text),
        () -> say(
            ModelHealth.State.CURRENT,
            "version " + model.version() + " of model " + model.modelId() + " is in place"));
  }

  /** Says how it stands; what is in place is added. */
  void say(ModelHealth.State state, String text) {
    ScoringModel model = current;
    String whole = state == ModelHealth.State.CURRENT || model == null
        ? text
        : text + "; version " + model.version() + " stays in place";
    ModelHealth now = new ModelHealth(state, whole);
    if (!now.equals(health)) {
      health = now;
      tell(each -> each.health(now));
    }
  }

  /** A listener that fails does not stop the others, nor the reading. */
  private void tell(Consumer<ModelListener> news) {
    for (ModelListener each : listeners) {
      try {
        news.accept(each);
      } catch (RuntimeException failed) {
        LOG.warn("the listener {} failed", each.getClass().getName(), failed);
      }
    }
  }

  @Override
  public void close() {
    follower.close();
  }
}
