package dev.sotto.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.app.Main;
import dev.sotto.app.command.ExitCode;
import dev.sotto.app.quality.QualityWatch;
import dev.sotto.client.alias.AliasReader;
import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.training.ClosedRound;
import dev.sotto.learner.training.ModelKeys;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.record.AliasTarget;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.testbroker.Cluster;
import dev.sotto.testing.Seed;
import dev.sotto.topology.live.Published;
import dev.sotto.topology.live.Trial;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.CandidateModels;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Candidates from configuration to alias on a broker: one price, the same bits, the best one named. */
class CandidatesIT {
  private static final int BATCH = 500;
  private static final int ROUNDS = 40;

  @RegisterExtension
  static Cluster cluster = Cluster.shared();

  @TempDir
  Path folder;

  /** One candidate may only have tiny weights, so that the other one is far better. */
  private SottoConfig config(Trial trial) {
    String yaml = """
        app.id: %s
        bootstrap.servers: %s
        events.topic: %s
        events.format: example
        model.id: m
        features.dimension: %d
        loss: logistic
        batch.size: %d
        release.every.slots: 1
        privacy.epsilon: 8
        privacy.delta: 1e-5
        privacy.horizon.rounds: endless
        noise.key.env: NOISE
        state.dir: %s
        metrics.share: 0.5
        candidates.free.ftrl.radius: inf
        candidates.tight.ftrl.radius: 0.001
        """.formatted(
            trial.app(),
            cluster.clients().get("bootstrap.servers"),
            trial.topic(),
            Trial.DIMENSION,
            BATCH,
            folder);
    return SottoConfig.load(ConfigSource.of("candidates.yaml", yaml)
        .withEnvironment(Map.of("NOISE", "0123456789abcdef".repeat(4))));
  }

  private static List<byte[]> events() {
    Random random = Seed.random(8);
    List<byte[]> events = new ArrayList<>();
    for (int i = 0; i < BATCH * ROUNDS; i++) {
      double[] values = new double[Trial.DIMENSION];
      values[0] = random.nextBoolean() ? 1 : -1;
      events.add(ExampleCodec.encodeDense(null, null, values, values[0] > 0 ? 1 : 0, 1));
    }
    return events;
  }

  /** What the pure learner of one candidate publishes. */
  private static List<String> alone(LearnerSettings settings, CandidateModels.One one) {
    ModelLearner learner = ModelLearner.start(
        one.plan(), ModelKeys.of(settings.key()), "m." + one.name(), settings.runName(), null);
    EventDecoder decoder =
        settings.newDecoders().get(settings.run().candidates().all().indexOf(one));
    Slot slot = new Slot(one.plan().inputs());
    List<String> digests = new ArrayList<>();
    for (byte[] event : events()) {
      decoder.decode(null, event, slot);
      if (learner.fill(slot)) {
        ClosedRound round = learner.close();
        digests.add(
            HexFormat.of().formatHex(ModelSnapshot.digest(round.weights(), round.guarantee())));
      }
    }
    return digests;
  }

  private static void learn(SottoConfig config, int versions) {
    QualityWatch quality = new QualityWatch(10);
    try (LearnerService service = new LearnerService(config.learner(), config.service())) {
      service.start();
      quality.start(config, service);
      Awaitility.await()
          .atMost(Duration.ofSeconds(120))
          .until(() -> service.status().models().stream()
                  .filter(each -> each.round() >= versions)
                  .count()
              == 2);
      if (versions == ROUNDS) {
        try (AliasReader aliases =
            new AliasReader(config.service().clients(), config.learner().app())) {
          Awaitility.await()
              .atMost(Duration.ofSeconds(120))
              .until(
                  () -> aliases.readToEnd().target("best").map(AliasTarget::modelId),
                  Optional.of("m.free")::equals);
        }
      }
    } finally {
      quality.close();
    }
  }

  @Test
  void learnTheSameBitsUnderOnePriceAndTheBestIsNamed() {
    Trial trial = Trial.of("candidates", folder, cluster.clients());
    SottoConfig config = config(trial);
    cluster.createTopic(trial.topic());
    List<byte[]> events = events();
    cluster.send(trial.topic(), events.subList(0, events.size() / 2));
    learn(config, ROUNDS / 2);
    cluster.send(trial.topic(), events.subList(events.size() / 2, events.size()));
    learn(config, ROUNDS);
    cluster.awaitMarkers(Names.ledger(trial.app()));

    List<LedgerEntry> ledger = Published.read(cluster.clients(), Names.ledger(trial.app())).stream()
        .map(record -> Codecs.LEDGER.decode(record.value()))
        .toList();
    assertThat(ledger).hasSize(2 * ROUNDS);
    for (CandidateModels.One each : config.learner().run().candidates().all()) {
      List<LedgerEntry> its = ledger.stream()
          .filter(entry -> entry.modelId().equals("m." + each.name()))
          .toList();
      assertThat(its)
          .extracting(entry -> HexFormat.of().formatHex(entry.snapshotDigest()))
          .isEqualTo(alone(config.learner(), each));
      assertThat(its).allSatisfy(entry -> {
        assertThat(entry.terms().candidates()).isEqualTo(2);
        assertThat(entry.guarantee().epsilon()).isLessThanOrEqualTo(8);
      });
    }
    // The same joint cost in both, round by round.
    assertThat(IntStream.range(0, ROUNDS)
            .filter(i -> ledger.get(2 * i).guarantee().mu()
                != ledger.get(2 * i + 1).guarantee().mu())
            .count())
        .isZero();
    int code = Main.commandLine()
        .execute(
            "ledger",
            "--bootstrap-server",
            config.service().bootstrapServers(),
            "--app-id",
            trial.app());
    assertThat(code).isEqualTo(ExitCode.OK.code()); // every figure follows from the entry
  }
}
