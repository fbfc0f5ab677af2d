package dev.sotto.app.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.app.Main;
import dev.sotto.app.command.ExitCode;
import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.NoisyMetrics;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.testbroker.Cluster;
import dev.sotto.testing.Seed;
import dev.sotto.topology.live.Published;
import dev.sotto.topology.live.Trial;
import dev.sotto.topology.runtime.ExactMetricsWarning;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.Names;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Private metrics from configuration to command line: what is committed, and what it is worth. */
class MetricsIT {
  private static final int BATCH = 200;
  private static final int WINDOW = 3;
  private static final int ROUNDS = 10;

  /** Two-sided: once in 5e7 runs for each of the three windows. */
  private static final double ERRORS = 5.6;

  @RegisterExtension
  static Cluster cluster = Cluster.shared();

  @TempDir
  Path folder;

  /** What was true of one window's examples. */
  private record Truth(long count, long right) {}

  private SottoConfig config(Trial trial, String metrics) {
    String yaml = """
        app.id: %s
        bootstrap.servers: %s
        layout: direct
        events.topic: %s
        events.format: example
        features.dimension: %d
        loss: logistic
        batch.size: %d
        release.every.slots: 1
        privacy.epsilon: 4
        privacy.delta: 1e-6
        privacy.horizon.rounds: endless
        noise.key.env: NOISE
        state.dir: %s
        metrics.window.rounds: %d
        %s
        """.formatted(
            trial.app(),
            cluster.clients().get("bootstrap.servers"),
            trial.topic(),
            Trial.DIMENSION,
            BATCH,
            folder,
            WINDOW,
            metrics);
    return SottoConfig.load(ConfigSource.of("metrics.yaml", yaml)
        .withEnvironment(Map.of("NOISE", "0123456789abcdef".repeat(4))));
  }

  /** The sign of the first feature decides; one in nine says nothing. */
  private static List<byte[]> events() {
    Random random = Seed.random(8);
    List<byte[]> events = new ArrayList<>();
    for (int i = 0; i < BATCH * ROUNDS; i++) {
      double[] values = random.doubles(Trial.DIMENSION, -0.5, 0.5).toArray();
      byte[] good = ExampleCodec.encodeDense(null, null, values, values[0] > 0 ? 1 : 0, 1);
      events.add(i % 9 == 4 ? new byte[] {1, 2, 3} : good);
    }
    return events;
  }

  private static void learn(Trial trial, SottoConfig config) {
    try (LearnerService service = new LearnerService(config.learner(), config.service())) {
      service.start();
      trial.awaitRounds(service, ROUNDS);
    }
  }

  private static List<NoisyMetrics> windows(Trial trial) {
    return Published.read(cluster.clients(), Names.metrics(trial.app())).stream()
        .map(record -> Codecs.METRICS.decode(record.value()).noisy())
        .toList();
  }

  /** Learns the same without a broker, and counts. */
  private static List<Truth> truths(SottoConfig config) {
    ModelLearner model = ModelLearner.start(
        config.learner().plan(),
        config.learner().key(),
        "model",
        config.learner().label());
    Slot slot = new Slot(Trial.DIMENSION);
    List<Truth> truths = new ArrayList<>();
    long count = 0;
    long right = 0;
    for (byte[] event : events()) {
      double[] weights = model.weights();
      config.learner().decoder().get().decode(null, event, slot);
      boolean used = slot.status() == RecordStatus.USED;
      count += used ? 1 : 0;
      right += used && slot.example().dot(weights) >= 0 == slot.example().label() >= 0.5 ? 1 : 0;
      if (model.fill(slot) && model.close().number() % WINDOW == 0) {
        truths.add(new Truth(count, right));
        count = 0;
        right = 0;
      }
    }
    return truths;
  }

  private static void assertContiguous(List<NoisyMetrics> windows) {
    assertThat(windows).hasSize(ROUNDS / WINDOW);
    for (int i = 0; i < windows.size(); i++) {
      assertThat(windows.get(i).firstRound()).isEqualTo(WINDOW * i + 1);
      assertThat(windows.get(i).lastRound()).isEqualTo(WINDOW * (i + 1));
      assertThat(windows.get(i).slots()).isEqualTo(WINDOW * BATCH);
    }
  }

  @Test
  void publishesWindowsThatAreAsNoisyAsTheySay() throws IOException {
    Trial trial = Trial.of("metered", folder, cluster.clients());
    SottoConfig config = config(trial, "metrics.share: 0.2");
    cluster.createTopic(trial.topic());
    cluster.send(trial.topic(), events());
    learn(trial, config);
    List<NoisyMetrics> windows = windows(trial);
    assertContiguous(windows);
    List<Truth> truths = truths(config);
    for (int i = 0; i < windows.size(); i++) {
      NoisyMetrics window = windows.get(i);
      Truth truth = truths.get(i);
      assertThat(window.noiseStd())
          .isEqualTo(Math.sqrt(WINDOW) * config.learner().plan().metrics().sigma());
      assertThat(window.count())
          .isNotEqualTo(truth.count())
          .isCloseTo(truth.count(), within(ERRORS * window.countError()));
      assertThat(window.accuracy())
          .isCloseTo(
              (double) truth.right() / truth.count(), within(ERRORS * window.accuracyError()));
      assertThat(window.meanLoss()).isBetween(0.0, 1.0);
    }
    assertThat(windows.get(2).accuracy()).isGreaterThan(0.7);
    for (LedgerEntry entry : trial.published().ledger()) {
      assertThat(entry.guarantee().epsilonLimit()).isLessThanOrEqualTo(4);
      assertThat(entry.terms().metricsRatio())
          .isEqualTo(config.learner().plan().terms().metricsRatio())
          .isPositive();
    }
    JsonNode printed =
        new ObjectMapper().readTree(printed(ExitCode.OK, trial, "metrics", "--json"));
    assertThat(printed).hasSize(windows.size());
    assertThat(printed.get(2).get("accuracy").asDouble())
        .isEqualTo(windows.get(2).accuracy());
    assertThat(printed(ExitCode.OK, trial, "metrics", "--last", "1").lines())
        .hasSize(3 + 2 + 2 + 10 + 2) // the best constant and the share, earlier windows, drift
        .anyMatch(line -> line.strip().startsWith("7-9 "));
  }

  @Test
  void makesNoTopicWithoutAShare() {
    Trial trial = Trial.of("unmetered", folder, cluster.clients());
    cluster.createTopic(trial.topic());
    cluster.send(trial.topic(), events());
    learn(trial, config(trial, "metrics.share: 0"));
    assertThat(trial.published().ledger()).allMatch(entry -> entry.terms().metricsRatio() == 0);
    assertThat(cluster.topics())
        .contains(Names.ledger(trial.app()))
        .doesNotContain(Names.metrics(trial.app()));
    assertThat(printed(ExitCode.TOPIC, trial, "metrics")).isEmpty();
    assertThat(cluster.topics()).doesNotContain(Names.metrics(trial.app()));
  }

  @Test
  void saysEverywhereThatExactMetricsVoidTheGuarantee() throws IOException {
    Trial trial = Trial.of("exact", folder, cluster.clients());
    SottoConfig config = config(trial, "metrics.unsafe.exact: true");
    cluster.createTopic(trial.topic());
    cluster.send(trial.topic(), events());
    Logger logger = (Logger) LoggerFactory.getLogger(LearnerService.class);
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    logger.addAppender(log);
    try {
      learn(trial, config);
    } finally {
      logger.detachAppender(log);
    }
    assertThat(log.list)
        .filteredOn(event -> event.getLevel() == Level.WARN)
        .extracting(ILoggingEvent::getMessage)
        .containsExactlyElementsOf(ExactMetricsWarning.warning(config.learner()))
        .hasSizeGreaterThan(3);
    List<NoisyMetrics> windows = windows(trial);
    assertContiguous(windows);
    List<Truth> truths = truths(config);
    for (int i = 0; i < windows.size(); i++) {
      assertThat(windows.get(i).count()).isCloseTo(truths.get(i).count(), within(0.01));
      assertThat(windows.get(i).noiseStd()).isZero();
    }
    assertThat(trial.published().ledger())
        .allMatch(entry -> entry.guarantee().epsilon() == Double.POSITIVE_INFINITY);
    JsonNode ledger = new ObjectMapper().readTree(printed(ExitCode.OK, trial, "ledger", "--json"));
    assertThat(ledger.get("verified").asBoolean()).isTrue();
    assertThat(ledger.get("entries")).hasSize(ROUNDS).allSatisfy(entry -> {
      assertThat(entry.get("guarantee").get("epsilon").isNull()).isTrue();
      assertThat(entry.get("terms").get("metricsExact").asBoolean()).isTrue();
    });
    assertThat(printed(ExitCode.OK, trial, "ledger")).contains("NO GUARANTEE");
    assertThat(printed(ExitCode.OK, trial, "metrics")).contains("EXACT");
    JsonNode snapshot =
        new ObjectMapper().readTree(printed(ExitCode.OK, trial, "snapshot", "--json"));
    assertThat(snapshot.get("snapshots").get(0).get("terms").get("metricsExact").asBoolean())
        .isTrue();
  }

  /** What a command prints on standard output. */
  private static String printed(ExitCode code, Trial trial, String command, String... more) {
    List<String> arguments = new ArrayList<>(List.of(
        command,
        "--bootstrap-server",
        cluster.clients().get("bootstrap.servers"),
        "--app-id",
        trial.app()));
    arguments.addAll(List.of(more));
    PrintStream before = System.out;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    try {
      assertThat(Main.commandLine().execute(arguments.toArray(String[]::new)))
          .isEqualTo(code.code());
    } finally {
      System.setOut(before);
    }
    return out.toString(StandardCharsets.UTF_8);
  }
}
