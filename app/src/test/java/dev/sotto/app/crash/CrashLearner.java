package dev.sotto.app.crash;

import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.optim.Optimizers;
import dev.sotto.learner.optim.Potentials;
import dev.sotto.learner.optim.PrivateFtrl;
import dev.sotto.learner.optim.StepSize;
import dev.sotto.learner.privacy.Adjacency;
import dev.sotto.learner.privacy.Budget;
import dev.sotto.learner.privacy.Generations;
import dev.sotto.learner.privacy.PrivacyUnit;
import dev.sotto.learner.release.Mechanism;
import dev.sotto.learner.release.Mechanisms;
import dev.sotto.learner.release.NoiseKey;
import dev.sotto.learner.round.Plan;
import dev.sotto.learner.unit.Participation;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.serdes.record.UnitSource;
import dev.sotto.topology.KafkaLogs;
import dev.sotto.topology.Layout;
import dev.sotto.topology.LearnerService;
import dev.sotto.topology.LearnerSettings;
import dev.sotto.topology.Logs;
import dev.sotto.topology.ModelIds;
import dev.sotto.topology.SequencedDecoder;
import dev.sotto.topology.ServiceSettings;
import dev.sotto.topology.core.LedgerLog;
import dev.sotto.topology.core.PointLog;
import dev.sotto.topology.core.SlotLog;
import dev.sotto.topology.encryption.Encryption;
import dev.sotto.topology.encryption.Place;
import dev.sotto.topology.encryption.TopicCipher;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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

  private CrashLearner() {}

  /** Which records are admitted. */
  enum Rule {
    /** All of them. */
    ONCE(
        UnitSource.NONE,
        PrivacyUnit.RECORD,
        new Participation.Once(),
        Mechanisms.BINARY_TREE.make()),
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
      return CrashLearner.plan(mechanism, unit, participation);
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
      Runtime.getRuntime().halt(service.failure().exitCode().code());
    }
  }

  /** What the learner of a properties file learns. */
  static LearnerSettings settings(Properties config) {
    Layout layout = Layout.named(config.getProperty("layout")).orElseThrow();
    boolean sequenced = Boolean.parseBoolean(config.getProperty("sequenced"));
    Rule rule = Rule.valueOf(config.getProperty("rule"));
    Supplier<EventDecoder> decoder = sequenced
        ? () -> new SequencedDecoder(DIMENSION, inClear(config.getProperty("topic")))
        : rule::decoder;
    ModelIds.Source source =
        ModelIds.Source.named(config.getProperty("model.source")).orElseThrow();
    return new LearnerSettings(
        config.getProperty("app"),
        layout,
        config.getProperty("topic"),
        new ModelIds(source, "model"),
        rule.plan(),
        KEY,
        LABEL,
        decoder,
        new LearnerSettings.Cadence(1_500, Duration.ofSeconds(2), 1, 1));
  }

  private static LearnerService service(Properties config) {
    LearnerSettings settings = settings(config);
    ServiceSettings where = new ServiceSettings(
        Map.of(
            "bootstrap.servers", config.getProperty("bootstrap.servers"),
            "consumer.session.timeout.ms", "6000",
            "consumer.heartbeat.interval.ms", "1500"),
        Path.of(config.getProperty("state")),
        (short) 1,
        false,
        Duration.ofDays(1),
        1,
        TRANSACTION_TIMEOUT);
    Logs logs = new KafkaLogs(TRANSACTION_TIMEOUT);
    boolean heapOnly = Boolean.parseBoolean(config.getProperty("heap.only"));
    return new LearnerService(settings, where, heapOnly ? new Forgetful(logs) : logs);
  }

  private static TopicCipher inClear(String topic) {
    return Encryption.none().topic(Place.topic(topic, 0));
  }

  static Plan plan(Mechanism mechanism, PrivacyUnit unit, Participation participation) {
    return new Plan(
        "examples of dimension " + DIMENSION,
        DIMENSION,
        Losses.LOGISTIC.configName(),
        Losses.LOGISTIC.make(),
        Optimizers.PRIVATE_FTRL.configName(),
        "decreasing 1",
        new PrivateFtrl(
            Potentials.L2.make(Potentials.Shape.ofRadius(10)), new StepSize.Decreasing(1)),
        mechanism,
        1,
        BATCH,
        8,
        Adjacency.ZERO_OUT,
        unit,
        new Budget(mechanism.incrementVariance() > 0 ? 100 : Double.POSITIVE_INFINITY, 1e-6),
        participation,
        Generations.NONE,
        null);
  }

  /** What a learner would be that trusts its heap: it reads nothing again after a restart. */
  private record Forgetful(Logs logs) implements Logs {
    @Override
    public SlotLog slots(Map<String, Object> config, String topic, String modelHeader) {
      return (partition, from, to, visitor) -> true;
    }

    @Override
    public boolean sequenceHolds(
        Map<String, Object> config, String sequence, SequencedDecoder decoder, int partition) {
      return logs.sequenceHolds(config, sequence, decoder, partition);
    }

    @Override
    public PointLog points(
        Map<String, Object> config, String control, TopicCipher cipher, String events) {
      return logs.points(config, control, cipher, events);
    }

    @Override
    public LedgerLog ledger(Map<String, Object> config, String topic) {
      return logs.ledger(config, topic);
    }
  }
}
