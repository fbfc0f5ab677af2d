package dev.sotto.app.demo;

import dev.sotto.app.http.HttpEndpoint;
import dev.sotto.app.page.StatusPage;
import dev.sotto.app.view.Progress;
import dev.sotto.app.view.RecordDescriptions;
import dev.sotto.app.view.Screen;
import dev.sotto.broker.BrokerSettings;
import dev.sotto.broker.EmbeddedBroker;
import dev.sotto.config.settings.HttpSettings;
import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.description.GuaranteeFigures;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.training.Plan;
import dev.sotto.replay.play.PlayProgress;
import dev.sotto.replay.play.PlayResult;
import dev.sotto.replay.play.PlaySettings;
import dev.sotto.replay.play.PlaybackRate;
import dev.sotto.replay.play.Player;
import dev.sotto.replay.recording.InMemoryRecording;
import dev.sotto.topology.admin.AdminRequests;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.Cadence;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import dev.sotto.topology.settings.ServiceSettings;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.utils.Utils;

/**
 * The whole product on one machine: a real broker, a recorded stream played into it, and a learner
 * that publishes private model versions, which are read from outside.
 */
public final class Demo implements AutoCloseable {
  /** The application id of the demo's learner. */
  public static final String APP = "sotto-demo";

  static final String MODEL = "regulars";
  static final String EVENTS = "player-seasons";
  private static final String LABEL = "demo";
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final Options options;
  private final Path folder;
  private final PrintStream out;
  private EmbeddedBroker broker;
  private LearnerService learner;
  private HttpEndpoint http;
  private StatusPage page;

  /**
   * How the demo is to run.
   *
   * @param home where the build put the recorded stream
   * @param keyFile a noise key, or null for a fresh one in the demo's folder
   */
  public record Options(Path home, DemoPlan.Options plan, Path keyFile, boolean terminal) {}

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

  /** Plays, learns, follows what is published, evaluates. */
  public DemoReport run() throws IOException, InterruptedException {
    long began = System.nanoTime();
    DemoCase demo = DemoCase.of(options.home(), options.plan());
    Plan plan = demo.plan();
    NoiseKey key = options.keyFile() == null
        ? NoiseKey.create(folder.resolve("noise.key"))
        : NoiseKey.read(options.keyFile());
    say(
        "%,d player-seasons to learn from, %,d held out; protected: %s; %s with %s noise, sigma"
            + " %s of a clip of %s",
        demo.events().size(),
        demo.heldOut().size(),
        plan.unit() == PrivacyUnit.KEY ? "every player as a person" : "every single season",
        plan.algorithm(),
        plan.mechanism().name(),
        GuaranteeFigures.down(plan.sigma(), 2),
        GuaranteeFigures.upShort(plan.clip(), 3));
    say("starting a Kafka broker");
    broker = EmbeddedBroker.start(BrokerSettings.temporary().withFolder(folder.resolve("broker")));
    Map<String, String> clients = Map.of("bootstrap.servers", broker.bootstrapServers());
    say("broker at %s; starting the learner", broker.bootstrapServers());
    createTopic(clients);
    LearnerSettings settings = settings(plan, key);
    ServiceSettings service = service(clients);
    learner = new LearnerService(settings, service);
    page = new StatusPage(APP, Map::of);
    http = HttpEndpoint.start(
        APP, HttpSettings.anyPort(), plan, () -> Optional.of(learner), Map::of, page.paths());
    page.start(service, settings);
    say("watch it learn in a browser: %s/", http.address());
    learner.start();

    long rounds = publishedRounds(plan, demo.events().size());
    ExecutorService side = Executors.newFixedThreadPool(2);
    try (Player player = player(clients, demo.events());
        PublishedModelFollower follower = new PublishedModelFollower(clients, APP)) {
      Future<PlayResult> played = side.submit(player::play);
      Future<DemoResult.Beside> beside = side.submit(() -> beside(key, demo));
      follow(follower, played, rounds, plan);
      DemoResult result = summarise(follower, demo, get(beside), began);
      JsonRenderer.write(folder.resolve("result.json"), result.json());
      JsonRenderer.write(
          folder.resolve("snapshot.json"), RecordDescriptions.model(follower.model()));
      JsonRenderer.write(
          folder.resolve("ledger-last.json"), RecordDescriptions.entry(follower.newest()));
      return new DemoReport(result, folder, options);
    } finally {
      side.shutdownNow();
      side.awaitTermination(10, TimeUnit.SECONDS);
    }
  }

  /** The last round of the last version that a number of events fills. */
  private static long publishedRounds(Plan plan, long events) {
    long perVersion = plan.learning().versions().rounds(plan.batch());
    long full = events / plan.batch();
    long rounds = full - full % perVersion;
    return rounds == 0 ? 0 : plan.lastRound(rounds);
  }

  /** One partition with arrival times: recorded times would make events deletable at once. */
  private static void createTopic(Map<String, String> clients) {
    NewTopic topic = new NewTopic(EVENTS, 1, (short) 1)
        .configs(Map.of("message.timestamp.type", "LogAppendTime"));
    try (Admin admin = Admin.create(Map.copyOf(clients))) {
      new AdminRequests(clients.get("bootstrap.servers"))
          .await(admin.createTopics(List.of(topic)).all(), "create topic " + EVENTS);
    }
  }

  private static Player player(Map<String, String> clients, List<BaseballStream.Event> events) {
    InMemoryRecording.Builder recording = InMemoryRecording.of(EVENTS);
    events.forEach(each -> recording.add(0, each.key(), each.value()));
    PlaySettings settings = new PlaySettings(
        EVENTS,
        clients,
        new PlaybackRate.Fastest(),
        PlaySettings.Start.PLAIN,
        true,
        PlaySettings.Bounds.USUAL);
    return new Player(recording.build(), settings, PlayProgress.NONE);
  }

  private void follow(
      PublishedModelFollower follower, Future<PlayResult> played, long rounds, Plan plan)
      throws InterruptedException {
    try (Progress progress =
        Progress.everywhere(out, options.terminal() ? Screen.output() : Screen.none())) {
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (follower.rounds() < rounds) {
        long before = follower.rounds();
        follower.poll(Duration.ofMillis(100));
        requireRunning(played);
        if (follower.rounds() > before) {
          deadline = System.nanoTime() + PATIENCE.toNanos();
          LedgerEntry newest = follower.newest();
          progress.at(
              "slots",
              newest.slots(),
              rounds * plan.batch(),
              String.format(
                  Locale.ROOT,
                  "round %d, %,.0f examples/s, epsilon %s of %s, snapshot %s",
                  newest.round(),
                  follower.examplesPerSecond(),
                  GuaranteeFigures.up(newest.guarantee().epsilon(), 4),
                  GuaranteeFigures.upShort(newest.budgetEpsilon(), 6),
                  follower.model() == null ? "-" : follower.model().manifest().version()));
        } else if (System.nanoTime() - deadline > 0) {
          throw new SottoException(
              FailureKind.UNEXPECTED,
              "no round was closed for " + PATIENCE.toMinutes() + " minutes; see the log");
        }
      }
      while (follower.model() == null || follower.model().manifest().version() < rounds) {
        follower.poll(Duration.ofMillis(50));
        requireRunning(played);
      }
    }
  }

  private void requireRunning(Future<PlayResult> played) throws InterruptedException {
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
      throw new SottoException(
          FailureKind.UNEXPECTED,
          "a part of the demo failed: " + failed.getCause(),
          failed.getCause());
    }
  }

  private static DemoResult summarise(
      PublishedModelFollower follower, DemoCase demo, DemoResult.Beside beside, long began) {
    LedgerEntry last = follower.newest();
    double perSecond = follower.examplesPerSecond();
    Map<String, Long> empty = follower.emptySlots(last.ranges().get(0).to());
    if (beside.replayed().notAdmitted() > 0) {
      empty.put(RecordStatus.NOT_ADMITTED.name(), beside.replayed().notAdmitted());
    }
    return new DemoResult(
        last,
        HexFormat.of().formatHex(follower.model().manifest().digest()),
        empty,
        HeldOutScores.of(
            follower.model().weights(), demo.plan().loss(), demo.decoder(), demo.heldOut()),
        beside,
        new DemoResult.Speed(perSecond, (System.nanoTime() - began) / 1e9));
  }

  /**
   * The same events without Kafka: the same plan again, its record-level twin, and the best without
   * privacy.
   */
  private DemoResult.Beside beside(NoiseKey key, DemoCase demo) {
    Plan byRecord =
        DemoPlan.of(options.plan().with(PrivacyUnit.RECORD), demo.events().size());
    return new DemoResult.Beside(
        DemoReplay.of(demo.plan(), key, LABEL, demo),
        DemoReplay.of(byRecord, key, LABEL, demo),
        DemoReplay.inHindsight(
            DemoPlan.withoutPrivacy(options.plan()), key, "without privacy", demo));
  }

  private static LearnerSettings settings(Plan plan, NoiseKey key) {
    return new LearnerSettings(
        APP,
        Layout.DIRECT, // one partition: the order of the events, and so the digest, is the same in
        // every run
        new LearnerSettings.Events(
            EVENTS, new ModelIdRule(ModelIdRule.Source.CONSTANT, MODEL), DemoPlan::decoder),
        new LearnerSettings.Run(plan, key, LABEL),
        Cadence.everyVersion());
  }

  private ServiceSettings service(Map<String, String> clients) {
    return new ServiceSettings(
        clients,
        folder.resolve("state"),
        new ServiceSettings.FirstStart((short) 1, false, Duration.ofDays(1)),
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

  /** The address of the page while it runs. */
  public String pageAddress() {
    return http.address() + "/";
  }

  /** Stops the learner, then the broker; results stay in the folder. */
  @Override
  public synchronized void close() {
    if (http != null) {
      http.close();
      page.close();
    }
    if (learner != null) {
      learner.close();
    }
    if (broker != null) {
      broker.close();
    }
    for (String part : List.of("state", "broker")) {
      try {
        Utils.delete(folder.resolve(part).toFile());
      } catch (IOException inUse) {
        // A temporary folder: what cannot be deleted now is left to the operating system.
      }
    }
  }
}
