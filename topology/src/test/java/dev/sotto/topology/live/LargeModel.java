package dev.sotto.topology.live;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.key.RunName;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.optimizer.EuclideanBall;
import dev.sotto.learner.optimizer.PrivateFtrl;
import dev.sotto.learner.optimizer.StepSize;
import dev.sotto.learner.training.ModelKeys;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.PlanBuilder;
import dev.sotto.learner.training.VersionSchedule;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.serdes.record.UnitSource;
import dev.sotto.testing.Seed;
import dev.sotto.topology.log.KafkaLogs;
import dev.sotto.topology.log.Logs;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.Cadence;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import dev.sotto.topology.settings.ServiceSettings;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * A learner of 2^20 weights from sparse events, at any cadence; its event topic is called after the
 * application.
 */
record LargeModel(
    String app,
    Layout layout,
    Mechanisms mechanism,
    Rounds rounds,
    Cadence cadence,
    Path folder,
    Map<String, String> clients) {
  static final int WEIGHTS = 1 << 20;
  static final int FILLED = 20;

  private static final Duration TRANSACTION_TIMEOUT = Duration.ofSeconds(30);
  /** How many slots a round has, and how many rounds a version. */
  record Rounds(long batch, long ofVersion) {}

  private static final NoiseKey KEY = NoiseKey.of(new byte[32]);

  static Cadence cadence(long checkpointSlots, long stateEvery) {
    return new Cadence(checkpointSlots, Duration.ofHours(1), stateEvery);
  }

  LargeModel withFolder(Path other) {
    return new LargeModel(app, layout, mechanism, rounds, cadence, other, clients);
  }

  String topic() {
    return app + "-events";
  }

  Plan plan() {
    return new PlanBuilder()
        .features("2^20 weights")
        .dimension(WEIGHTS)
        .loss("logistic", Losses.LOGISTIC.make())
        .algorithm(
            "private-ftrl",
            "decreasing 1",
            new PrivateFtrl(
                new EuclideanBall(null, Double.POSITIVE_INFINITY), new StepSize.Decreasing(1)))
        .mechanism(mechanism.make())
        .clip(1)
        .batch(rounds.batch())
        .versions(new VersionSchedule(rounds.batch() * rounds.ofVersion(), 0))
        .sigma(2)
        .adjacency(Adjacency.ZERO_OUT)
        .unit(PrivacyUnit.RECORD)
        .budget(new Budget(1e6, 1e-6))
        .build();
  }

  LearnerService start() {
    return start(new KafkaLogs(TRANSACTION_TIMEOUT));
  }

  LearnerService start(Logs logs) {
    LearnerSettings learner = new LearnerSettings(
        app,
        layout,
        new LearnerSettings.Events(
            topic(),
            new ModelIdRule(ModelIdRule.Source.CONSTANT, "model"),
            () -> new ExampleCodec(WEIGHTS, 1 << 20, UnitSource.NONE)),
        new LearnerSettings.Run(plan(), KEY, "1"),
        cadence);
    LearnerService service = new LearnerService(
        learner,
        new ServiceSettings(
            clients,
            folder,
            new ServiceSettings.FirstStart((short) 1, false, Duration.ofDays(1)),
            1,
            TRANSACTION_TIMEOUT),
        logs);
    service.start();
    return service;
  }

  /** The digests of the model versions that the pure step makes of these events. */
  List<byte[]> expectedDigests(List<byte[]> events) {
    ModelLearner model =
        ModelLearner.start(plan(), ModelKeys.of(KEY), "model", new RunName(app, "1"), null);
    var reader = new ExampleCodec(WEIGHTS, 1 << 20, UnitSource.NONE);
    Slot slot = new Slot(WEIGHTS);
    List<byte[]> digests = new ArrayList<>();
    for (byte[] event : events) {
      reader.decode(null, event, slot);
      if (model.fill(slot)) {
        model
            .close()
            .version()
            .ifPresent(version ->
                digests.add(ModelSnapshot.digest(version.weights(), version.guarantee())));
      }
    }
    return digests;
  }

  static List<byte[]> events(int count, long seed) {
    Random random = Seed.random(seed);
    return Stream.generate(() -> sparse(random)).limit(count).toList();
  }

  private static byte[] sparse(Random random) {
    int[] indices = random.ints(0, WEIGHTS).distinct().limit(FILLED).sorted().toArray();
    double[] values = random.doubles(FILLED, -1, 1).toArray();
    return ExampleCodec.encodeSparse(null, null, indices, values, random.nextInt(2), 1);
  }

  /** What the running learner of this process has sent so far: bytes by topic. */
  Map<String, Long> sent() {
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    Map<String, Long> sent = new TreeMap<>();
    try {
      for (ObjectName name :
          beans.queryNames(new ObjectName("kafka.producer:type=producer-topic-metrics,*"), null)) {
        String topic = ObjectName.unquote(quoted(name.getKeyProperty("topic")));
        if (topic.startsWith(app + ".") || topic.startsWith(app + "-")) {
          sent.merge(
              topic.substring(app.length() + 1),
              ((Double) beans.getAttribute(name, "byte-total")).longValue(),
              Long::sum);
        }
      }
    } catch (JMException absent) {
      throw new AssertionError(absent);
    }
    return sent;
  }

  private static String quoted(String name) {
    return name.startsWith("\"") ? name : ObjectName.quote(name);
  }
}
