package dev.sotto.app.crash;

import dev.sotto.app.command.ExitCode;
import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.mechanism.SampledQueryNoise;
import dev.sotto.learner.optimizer.EuclideanBall;
import dev.sotto.learner.optimizer.Optimizer;
import dev.sotto.learner.optimizer.PrivateFtrl;
import dev.sotto.learner.optimizer.StepSize;
import dev.sotto.learner.optimizer.settings.Optimizers;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.PlanBuilder;
import dev.sotto.learner.training.VersionSchedule;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.serdes.record.UnitSource;
import dev.sotto.topology.live.Pools;
import dev.sotto.topology.log.ForwardingLogs;
import dev.sotto.topology.log.KafkaLogs;
import dev.sotto.topology.log.Logs;
import dev.sotto.topology.log.SlotLog;
import dev.sotto.topology.log.SourceReading;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.Cadence;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import dev.sotto.topology.settings.ServiceSettings;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.function.Supplier;

/** The learner as a process of its own, to be killed. Its one argument is a properties file. */
public final class CrashLearner {
  static final int DIMENSION = 16;
  static final int BATCH = 3000;
  static final Duration TRANSACTION_TIMEOUT = Duration.ofSeconds(8);
  static final NoiseKey KEY = NoiseKey.ofHex("5a".repeat(32));
  static final String LABEL = "crash";

  /** What a property of Kafka's begins with. */
  private static final String KAFKA = "kafka.";

  private static final QuerySchedule POOLS =
      QuerySchedule.sampled(BATCH, 9, new QuerySchedule.Sampling(4, 0.25));

  private CrashLearner() {}

  /** Which records are admitted. */
  enum Rule {
    /** All of them. */
    ONCE(
        UnitSource.NONE,
        PrivacyUnit.RECORD,
        new Participation.Once(),
        Mechanisms.BINARY_TREE.make()),
    /** All of them, in small rounds: a version has fifty. */
    SMALL_ROUNDS(
        UnitSource.NONE, PrivacyUnit.RECORD, new Participation.Once(), Mechanisms.BLT.make()),
    /** Those that secret coins choose, in blocks that are read ten times. */
    BLOCKS(
        UnitSource.NONE,
        PrivacyUnit.RECORD,
        new Participation.Once(),
        new SampledQueryNoise(POOLS)),
    /** While their unit's budget lasts: some twenty rounds. */
    BUDGET(UnitSource.UNIT, PrivacyUnit.KEY, new Participation.Budgeted(2), Mechanisms.BLT.make()),
    /** The first of each id; without noise, so that weights show what was learned. */
    FIRST_OF_ID(
        UnitSource.ID,
        PrivacyUnit.RECORD,
        new Participation.ById(),
        Mechanisms.noneForPublicData());

    final UnitSource source;
    final PrivacyUnit unit;
    final Participation participation;
    final Mechanism mechanism;

    Rule(UnitSource source, PrivacyUnit unit, Participation participation, Mechanism mechanism) {
      this.source = source;
      this.unit = unit;
      this.participation = participation;
      this.mechanism = mechanism;
    }

    EventDecoder decoder() {
      return new ExampleCodec(DIMENSION, 1 << 20, source);
    }

    Plan plan() {
      if (this == BLOCKS) {
        return CrashLearner.blocks();
      }
      Plan plan = CrashLearner.plan(mechanism, unit, participation);
      return this == SMALL_ROUNDS
          ? plan.toBuilder()
              .batch(BATCH / 50)
              .versions(new VersionSchedule(BATCH, 0))
              .build()
          : plan;
    }
  }

  /** Runs until it is killed or told to stop. */
  public static void main(String[] args) throws Exception {
    Properties config = new Properties();
    try (Reader reader = Files.newBufferedReader(Path.of(args[0]))) {
      config.load(reader);
    }
    LearnerService service = service(config);
    Runtime.getRuntime().addShutdownHook(new Thread(service::close));
    service.start();
    service.awaitEnd();
    if (service.failure() != null) {
      System.err.println(service.failure().getMessage());
      Runtime.getRuntime().halt(ExitCode.of(service.failure()).code());
    }
  }

  /** What the learner of a properties file learns. */
  static LearnerSettings settings(Properties config) {
    Layout layout = Layout.valueOf(config.getProperty("layout"));
    Rule rule = Rule.valueOf(config.getProperty("rule"));
    Supplier<EventDecoder> decoder = rule::decoder;
    ModelIdRule.Source source = ModelIdRule.Source.valueOf(config.getProperty("model.source"));
    return new LearnerSettings(
        config.getProperty("app"),
        layout,
        new LearnerSettings.Events(
            config.getProperty("topic"), new ModelIdRule(source, "model"), decoder),
        new LearnerSettings.Run(rule.plan(), KEY, LABEL),
        new Cadence(1_500, Duration.ofSeconds(2), 1));
  }

  /** The learner itself, to be started. */
  static LearnerService service(Properties config) {
    LearnerSettings settings = settings(config);
    Map<String, String> clients = new HashMap<>(Map.of(
        "bootstrap.servers", config.getProperty("bootstrap.servers"),
        "consumer.session.timeout.ms", "6000",
        "consumer.heartbeat.interval.ms", "1500"));
    for (String each : config.stringPropertyNames()) {
      if (each.startsWith(KAFKA)) {
        clients.put(each.substring(KAFKA.length()), config.getProperty(each));
      }
    }
    ServiceSettings.Memory usual = ServiceSettings.Memory.usual();
    ServiceSettings where = new ServiceSettings(
        clients,
        Path.of(config.getProperty("state")),
        new ServiceSettings.FirstStart((short) 1, false, Duration.ofDays(1)),
        1,
        TRANSACTION_TIMEOUT,
        new ServiceSettings.Memory(
            usual.events(),
            Long.parseLong(config.getProperty("rocksdb", Long.toString(usual.rocksDb())))));
    Logs logs = new KafkaLogs(TRANSACTION_TIMEOUT);
    boolean heapOnly = Boolean.parseBoolean(config.getProperty("heap.only"));
    return new LearnerService(settings, where, heapOnly ? new Forgetful(logs) : logs);
  }

  private static Plan blocks() {
    Optimizer pools = Pools.optimizer(POOLS, DIMENSION);
    return plan(Mechanisms.INDEPENDENT.make(), PrivacyUnit.RECORD, new Participation.Once())
        .toBuilder()
        .algorithm(Optimizers.RESQUE.configName(), pools.describe(), pools)
        .mechanism(Rule.BLOCKS.mechanism)
        .build();
  }

  static Plan plan(Mechanism mechanism, PrivacyUnit unit, Participation participation) {
    return new PlanBuilder()
        .features("examples of dimension " + DIMENSION)
        .dimension(DIMENSION)
        .loss(Losses.LOGISTIC.configName(), Losses.LOGISTIC.make())
        .algorithm(
            Optimizers.PRIVATE_FTRL.configName(),
            "decreasing 1",
            new PrivateFtrl(new EuclideanBall(null, 10), new StepSize.Decreasing(1)))
        .mechanism(mechanism)
        .clip(1)
        .batch(BATCH)
        .sigma(8)
        .adjacency(Adjacency.ZERO_OUT)
        .unit(unit)
        .budget(new Budget(
            mechanism.ofPrefixes().map(each -> each.incrementVariance() > 0).orElse(true)
                ? 100
                : Double.POSITIVE_INFINITY,
            1e-6))
        .participation(participation)
        .build();
  }

  /** What a learner would be that trusts its heap: it reads nothing again after a restart. */
  private static final class Forgetful extends ForwardingLogs {
    Forgetful(Logs logs) {
      super(logs);
    }

    @Override
    public SlotLog source(Map<String, Object> config, String topic, SourceReading reading) {
      return (partition, from, to) -> SlotLog.Reading.nothing();
    }
  }
}
