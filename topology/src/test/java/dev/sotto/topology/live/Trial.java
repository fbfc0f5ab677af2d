package dev.sotto.topology.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.key.RunName;
import dev.sotto.learner.training.ClosedRound;
import dev.sotto.learner.training.ModelKeys;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.learner.training.Plan;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.serdes.record.UnitSource;
import dev.sotto.testing.Seed;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.Cadence;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.ServiceSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * One learner of a test: its settings, and how to run it. The event topic is called after the
 * application.
 *
 * @param clients Kafka settings
 */
public record Trial(
    String app,
    Layout layout,
    int dimension,
    long batch,
    byte[] key,
    Supplier<EventDecoder> decoder,
    Path folder,
    Map<String, String> clients) {
  public static final int DIMENSION = 4;
  public static final Duration PATIENCE = Duration.ofSeconds(120);

  /** A small model of ready-made examples, rounds of four. */
  public static Trial of(String app, Path folder, Map<String, String> clients) {
    return new Trial(app, Layout.DIRECT, DIMENSION, 4, new byte[32], null, folder, clients)
        .withClients(Map.of(
            "consumer.session.timeout.ms", "6000", "consumer.heartbeat.interval.ms", "1500"));
  }

  public Trial with(Layout other) {
    return new Trial(app, other, dimension, batch, key, decoder, folder, clients);
  }

  public Trial withKey(byte[] other) {
    return new Trial(app, layout, dimension, batch, other, decoder, folder, clients);
  }

  public Trial withModel(int otherDimension, long otherBatch, Supplier<EventDecoder> other) {
    return new Trial(app, layout, otherDimension, otherBatch, key, other, folder, clients);
  }

  public Trial withFolder(Path other) {
    return new Trial(app, layout, dimension, batch, key, decoder, other, clients);
  }

  public Trial withClients(Map<String, String> more) {
    Map<String, String> all = new HashMap<>(clients);
    all.putAll(more);
    return new Trial(app, layout, dimension, batch, key, decoder, folder, all);
  }

  public String topic() {
    return app + "-events";
  }

  public Plan plan() {
    return dev.sotto.topology.Trial.plan(dimension, batch).toBuilder()
        .features("a trial")
        .build();
  }

  public LearnerSettings learner() {
    Supplier<EventDecoder> examples = () -> new ExampleCodec(dimension, 1 << 20, UnitSource.NONE);
    return new LearnerSettings(
        app,
        layout,
        new LearnerSettings.Events(
            topic(),
            new ModelIdRule(ModelIdRule.Source.CONSTANT, "model"),
            decoder == null ? examples : decoder),
        new LearnerSettings.Run(plan(), NoiseKey.of(key), "1"),
        Cadence.everyVersion());
  }

  public ServiceSettings service() {
    return new ServiceSettings(
        clients,
        folder,
        new ServiceSettings.FirstStart((short) 1, false, Duration.ofDays(1)),
        1,
        Duration.ofSeconds(10));
  }

  public LearnerService start() {
    LearnerService service = new LearnerService(learner(), service());
    service.start();
    return service;
  }

  /** Runs until so many rounds are committed, then stops. */
  /** Starts a learner of another plan over the same topics. */
  public LearnerService start(UnaryOperator<Plan> change) {
    LearnerSettings learner = learner();
    LearnerService service = new LearnerService(
        new LearnerSettings(
            learner.app(),
            learner.layout(),
            new LearnerSettings.Events(learner.eventTopic(), learner.modelIds(), learner.decoder()),
            new LearnerSettings.Run(change.apply(learner.plan()), learner.key(), learner.label()),
            learner.cadence()),
        service());
    service.start();
    return service;
  }

  public void learnRounds(int rounds) {
    try (LearnerService service = start()) {
      awaitRounds(service, rounds);
    }
  }

  public void awaitRounds(LearnerService service, int rounds) {
    Awaitility.await()
        .atMost(PATIENCE.multipliedBy(2))
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(() -> {
          assertThat(service.failure()).isNull();
          assertThat(Published.read(clients, Names.ledger(app)).size())
              .isGreaterThanOrEqualTo(rounds);
        });
  }

  /** Runs until the learner stops by itself, and says why. */
  public SottoException learnUntilFailure() {
    try (LearnerService service = start()) {
      Awaitility.await().atMost(PATIENCE).until(service::hasEnded);
      assertThat(service.failure()).isNotNull();
      return service.failure();
    }
  }

  public Published published() {
    return Published.of(clients, app);
  }

  /** The digests of the model versions that the pure step makes of these values. */
  public List<byte[]> expectedDigests(List<byte[]> values) {
    Plan plan = plan();
    ModelLearner model = ModelLearner.start(
        plan, ModelKeys.of(NoiseKey.of(key)), "model", new RunName(app, "1"), null);
    EventDecoder reader = learner().decoder().get();
    Slot slot = new Slot(dimension);
    List<byte[]> digests = new ArrayList<>();
    for (byte[] value : values) {
      reader.decode(null, value, slot);
      if (model.fill(slot)) {
        ClosedRound round = model.close();
        digests.add(ModelSnapshot.digest(round.weights(), round.guarantee()));
      }
    }
    return digests;
  }

  /** Good events. */
  public static List<byte[]> events(int count, long seed) {
    Random random = Seed.random(seed);
    return Stream.generate(() -> example(random)).limit(count).toList();
  }

  private static byte[] example(Random random) {
    double[] values = random.doubles(DIMENSION, -1, 1).toArray();
    return ExampleCodec.encodeDense(null, null, values, random.nextInt(2), 1);
  }
}
