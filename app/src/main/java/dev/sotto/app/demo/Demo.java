package dev.sotto.app.demo;

import dev.sotto.app.broker.BrokerSettings;
import dev.sotto.app.broker.EmbeddedBroker;
import dev.sotto.app.view.Figures;
import dev.sotto.app.view.Progress;
import dev.sotto.learner.example.Verdict;
import dev.sotto.learner.optim.Optimizers;
import dev.sotto.learner.privacy.Budget;
import dev.sotto.learner.privacy.LedgerEntry;
import dev.sotto.learner.privacy.PrivacyUnit;
import dev.sotto.learner.release.Mechanisms;
import dev.sotto.learner.release.NoiseKey;
import dev.sotto.learner.round.Plan;
import dev.sotto.topology.ExitCode;
import dev.sotto.topology.Layout;
import dev.sotto.topology.LearnerService;
import dev.sotto.topology.LearnerSettings;
import dev.sotto.topology.ModelIds;
import dev.sotto.topology.ServiceSettings;
import dev.sotto.topology.StartFailure;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The whole product on one machine: a real broker, a recorded stream played into it, and a learner that publishes
 * private model versions, watched from outside.
 */
public final class Demo implements AutoCloseable {
  /** The application id of the demo's learner. */
  public static final String APP = "sotto-demo";

  private static final String EVENTS = "player-seasons";
  private static final String MODEL = "regulars";
  private static final String LABEL = "demo";
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final Options options;
  private final Path folder;
  private final PrintStream out;
  private EmbeddedBroker broker;
  private LearnerService learner;

  /**
   * How the demo is to run.
   *
   * @param home where the build put the recorded stream
   * @param keyFile a noise key, or null for a fresh one in the demo's folder
   */
  public record Options(
      Path home,
      Budget budget,
      Optimizers algorithm,
      Mechanisms mechanism,
      PrivacyUnit unit,
      Path keyFile,
      boolean terminal) {}

  /**
   * A demo.
   *
   * @param folder the demo's own: broker, state and results go there
   * @param out for progress
   */
  public Demo(Options options, Path folder, PrintStream out) {
    this.options = options;
    this.folder = folder;
    this.out = out;
  }

  /** Plays, learns, watches, evaluates. */
  public DemoReport run() throws IOException, InterruptedException {
    long began = System.nanoTime();
    List<StreamEvent> events = new ArrayList<>();
    BaseballStream.read(BaseballStream.file(options.home())).forEach(events::add);
    int cut = events.size() * 4 / 5;
    List<StreamEvent> toLearn = events.subList(0, cut);
    List<StreamEvent> heldOut = events.subList(cut, events.size());
    Plan plan = plan(options.unit(), cut);
    NoiseKey key = options.keyFile() == null
        ? NoiseKey.create(folder.resolve("noise.key"))
        : NoiseKey.read(options.keyFile());
    say(
        "%,d player-seasons to learn from, %,d held out; protected: %s; %s with %s noise, sigma %s of a clip of %.0f",
        cut,
        heldOut.size(),
        plan.unit() == PrivacyUnit.KEY ? "every player as a person" : "every single season",
        plan.algorithm(),
        plan.mechanism().name(),
        Figures.down(plan.sigma(), 2),
        plan.clip());

    say("starting a Kafka broker");
    broker = EmbeddedBroker.start(BrokerSettings.temporary().withFolder(folder.resolve("broker")));
    Map<String, String> clients = Map.of("bootstrap.servers", broker.bootstrapServers());
    say("broker at %s; starting the learner", broker.bootstrapServers());
    EventTopic.create(clients, EVENTS);
    learner = new LearnerService(settings(plan, key), service(clients));
    learner.start();

    long rounds = Math.min(cut / plan.batch(), roundsWithin(plan, cut / plan.batch()));
    DemoResult result;
    ExecutorService side = Executors.newFixedThreadPool(2);
    try (StreamPlayer player =
            new StreamPlayer(Map.copyOf(clients), EVENTS, new AtomicLong()::set);
        Follower follower = new Follower(clients, APP)) {
      Future<Long> played = side.submit(() -> player.play(toLearn));
      Future<DemoResult.Beside> beside = side.submit(() -> beside(plan, key, toLearn, heldOut));
      watch(follower, played, rounds, plan);
      double perSecond = follower.examplesPerSecond();
      result = summarise(follower, plan, heldOut, get(beside), perSecond, began);
      new Results(folder).write(follower, result);
    } finally {
      side.shutdownNow();
      side.awaitTermination(10, TimeUnit.SECONDS);
    }
    return new DemoReport(result, folder, options);
  }

  private static long roundsWithin(Plan plan, long most) {
    long rounds = most;
    while (rounds > 0 && !plan.allows(rounds)) {
      rounds--;
    }
    return rounds;
  }

  private void watch(Follower follower, Future<Long> played, long rounds, Plan plan)
      throws InterruptedException {
    try (Progress progress =
        new Progress(out, "slots", rounds * plan.batch(), options.terminal())) {
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (follower.rounds() < rounds) {
        long before = follower.rounds();
        follower.look(Duration.ofMillis(100));
        requireRunning(played);
        if (follower.rounds() > before) {
          deadline = System.nanoTime() + PATIENCE.toNanos();
          LedgerEntry newest = follower.newest();
          progress.show(
              newest.slots(),
              String.format(
                  Locale.ROOT,
                  "round %d, %,.0f examples/s, epsilon %s of %s, snapshot %s",
                  newest.round(),
                  follower.examplesPerSecond(),
                  Figures.up(newest.guarantee().epsilon(), 4),
                  Figures.upShort(newest.budgetEpsilon(), 6),
                  follower.model() == null ? "-" : follower.model().manifest().version()));
        } else if (System.nanoTime() - deadline > 0) {
          throw new StartFailure(
              ExitCode.UNEXPECTED,
              "no round was closed for " + PATIENCE.toMinutes() + " minutes; see the log");
        }
      }
      while (follower.model() == null || follower.model().manifest().version() < rounds) {
        follower.look(Duration.ofMillis(50));
        requireRunning(played);
      }
    }
  }

  private void requireRunning(Future<Long> played) throws InterruptedException {
    if (learner.hasEnded() && learner.failure() != null) {
      throw learner.failure();
    }
    if (played.isDone()) {
      get(played);
    }
  }

  private static <T> T get(Future<T> future) throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException failed) {
      throw new StartFailure(
          ExitCode.UNEXPECTED,
          "a part of the demo failed: " + failed.getCause(),
          failed.getCause());
    }
  }

  private static DemoResult summarise(
      Follower follower,
      Plan plan,
      List<StreamEvent> heldOut,
      DemoResult.Beside beside,
      double perSecond,
      long began) {
    LedgerEntry last = follower.newest();
    double[] weights = follower.model().weights();
    Evaluation privately = Evaluation.of(weights, plan.loss(), DemoPlan.decoder(), heldOut);
    Map<String, Long> empty = follower.emptySlots(last.ranges().get(0).to());
    if (beside.replayed().notAdmitted() > 0) {
      empty.put(Verdict.NOT_ADMITTED.name(), beside.replayed().notAdmitted());
    }
    return new DemoResult(
        last.round(),
        last.slots(),
        empty,
        follower.model().manifest().guarantee(),
        plan.budget().epsilon(),
        privately,
        beside,
        HexFormat.of().formatHex(follower.model().manifest().digest()),
        perSecond,
        (System.nanoTime() - began) / 1e9);
  }

  private Plan plan(PrivacyUnit unit, long slots) {
    return DemoPlan.of(options.algorithm(), options.mechanism(), options.budget(), unit, slots);
  }

  /** The same events without Kafka: the same plan again, its record-level twin, and no privacy at all. */
  private DemoResult.Beside beside(
      Plan plan, NoiseKey key, List<StreamEvent> toLearn, List<StreamEvent> heldOut) {
    Plan byRecord = plan(PrivacyUnit.RECORD, toLearn.size());
    Plan without = DemoPlan.withoutPrivacy(options.algorithm());
    return new DemoResult.Beside(
        Replay.of(plan, key, MODEL, LABEL, toLearn, heldOut),
        Replay.of(byRecord, key, MODEL, LABEL, toLearn, heldOut),
        Replay.of(without, key, MODEL, "without privacy", toLearn, heldOut).evaluation());
  }

  private static LearnerSettings settings(Plan plan, NoiseKey key) {
    return new LearnerSettings(
        APP,
        Layout.DIRECT, // one partition: the order of the events, and so the digest, is the same in
        // every run
        EVENTS,
        new ModelIds(ModelIds.Source.CONSTANT, MODEL),
        plan,
        key,
        LABEL,
        DemoPlan::decoder,
        LearnerSettings.Cadence.everyRound());
  }

  private ServiceSettings service(Map<String, String> clients) {
    return new ServiceSettings(
        clients,
        folder.resolve("state"),
        (short) 1,
        false,
        Duration.ofDays(1),
        1,
        Duration.ofSeconds(10));
  }

  private void say(String format, Object... values) {
    out.println(String.format(Locale.ROOT, format, values));
  }

  /** The broker's address while it runs. */
  public String bootstrapServers() {
    return broker.bootstrapServers();
  }

  /** Stops the learner, then the broker; results stay in the folder. */
  @Override
  public synchronized void close() {
    if (learner != null) {
      learner.close();
    }
    if (broker != null) {
      broker.close();
    }
    for (String part : List.of("state", "broker")) {
      deleteQuietly(folder.resolve(part));
    }
  }

  private static void deleteQuietly(Path root) {
    if (!Files.exists(root)) {
      return;
    }
    try (var paths = Files.walk(root)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException inUse) {
      // A temporary folder: what cannot be deleted now is left to the operating system.
    }
  }
}
