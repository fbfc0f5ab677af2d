package dev.sotto.app.crash;

import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.optim.Optimizers;
import dev.sotto.learner.optim.Potentials;
import dev.sotto.learner.optim.StepSize;
import dev.sotto.learner.privacy.Adjacency;
import dev.sotto.learner.privacy.Budget;
import dev.sotto.learner.privacy.PrivacyUnit;
import dev.sotto.learner.release.Mechanisms;
import dev.sotto.learner.release.NoiseKey;
import dev.sotto.learner.round.Plan;
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

  private CrashLearner() {}

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

  private static LearnerService service(Properties config) {
    Layout layout = Layout.named(config.getProperty("layout")).orElseThrow();
    boolean sequenced = Boolean.parseBoolean(config.getProperty("sequenced"));
    Supplier<EventDecoder> decoder = sequenced
        ? () -> new SequencedDecoder(DIMENSION, inClear(config.getProperty("topic")))
        : () -> new ExampleCodec(DIMENSION, 1 << 20, UnitSource.NONE);
    ModelIds.Source source =
        ModelIds.Source.named(config.getProperty("model.source")).orElseThrow();
    LearnerSettings settings = new LearnerSettings(
        config.getProperty("app"),
        layout,
        config.getProperty("topic"),
        new ModelIds(source, "model"),
        plan(),
        NoiseKey.ofHex("5a".repeat(32)),
        "crash",
        decoder,
        new LearnerSettings.Cadence(1_500, Duration.ofSeconds(2), 1, 1));
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

  static Plan plan() {
    return new Plan(
        "examples of dimension " + DIMENSION,
        DIMENSION,
        Losses.LOGISTIC.configName(),
        Losses.LOGISTIC.make(),
        Optimizers.PRIVATE_FTRL.configName(),
        "decreasing 1",
        Optimizers.PRIVATE_FTRL.make(
            Potentials.L2.make(Potentials.Shape.ofRadius(10)), new StepSize.Decreasing(1)),
        Mechanisms.BINARY_TREE.make(),
        1,
        BATCH,
        8,
        Adjacency.ZERO_OUT,
        PrivacyUnit.RECORD,
        new Budget(100, 1e-6));
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
    public LedgerLog ledger(Map<String, Object> config, String topic) {
      return logs.ledger(config, topic);
    }
  }
}
