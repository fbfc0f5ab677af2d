package dev.sotto.app.live;

import dev.sotto.learner.example.Slot;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.optim.Potentials;
import dev.sotto.learner.optim.PrivateFtrl;
import dev.sotto.learner.optim.StepSize;
import dev.sotto.learner.privacy.Adjacency;
import dev.sotto.learner.privacy.Budget;
import dev.sotto.learner.privacy.PrivacyUnit;
import dev.sotto.learner.release.Mechanisms;
import dev.sotto.learner.release.NoiseKey;
import dev.sotto.learner.round.ModelLearner;
import dev.sotto.learner.round.ModelSnapshot;
import dev.sotto.learner.round.Plan;
import dev.sotto.learner.round.Round;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.serdes.record.UnitSource;
import dev.sotto.topology.KafkaLogs;
import dev.sotto.topology.Layout;
import dev.sotto.topology.LearnerService;
import dev.sotto.topology.LearnerSettings;
import dev.sotto.topology.Logs;
import dev.sotto.topology.ModelIds;
import dev.sotto.topology.ServiceSettings;
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

/** A learner of 2^20 weights from sparse events, at any cadence; its event topic is called after the application. */
record LargeModel(
    String app,
    Layout layout,
    Mechanisms mechanism,
    long batch,
    LearnerSettings.Cadence cadence,
    Path folder,
    Map<String, String> clients) {
  static final int WEIGHTS = 1 << 20;
  static final int FILLED = 20;

  private static final Duration TRANSACTION_TIMEOUT = Duration.ofSeconds(30);
  private static final NoiseKey KEY = NoiseKey.of(new byte[32]);

  static LearnerSettings.Cadence cadence(long checkpointSlots, long stateEvery, long releaseEvery) {
    return new LearnerSettings.Cadence(
        checkpointSlots, Duration.ofHours(1), stateEvery, releaseEvery);
  }

  LargeModel withFolder(Path other) {
    return new LargeModel(app, layout, mechanism, batch, cadence, other, clients);
  }

  String topic() {
    return app + "-events";
  }

  Plan plan() {
    return new Plan(
        "2^20 weights",
        WEIGHTS,
        "logistic",
        Losses.LOGISTIC.make(),
        "private-ftrl",
        "decreasing 1",
        new PrivateFtrl(
            Potentials.L2.make(Potentials.Shape.ofRadius(Double.POSITIVE_INFINITY)),
            new StepSize.Decreasing(1)),
        mechanism.make(),
        1,
        batch,
        2,
        Adjacency.ZERO_OUT,
        PrivacyUnit.RECORD,
        new Budget(1e6, 1e-6));
  }

  LearnerService start() {
    return start(new KafkaLogs(TRANSACTION_TIMEOUT));
  }

  LearnerService start(Logs logs) {
    LearnerSettings learner = new LearnerSettings(
        app,
        layout,
        topic(),
        new ModelIds(ModelIds.Source.CONSTANT, "model"),
        plan(),
        KEY,
        "1",
        () -> new ExampleCodec(WEIGHTS, 1 << 20, UnitSource.NONE),
        cadence);
    LearnerService service = new LearnerService(
        learner,
        new ServiceSettings(
            clients, folder, (short) 1, false, Duration.ofDays(1), 1, TRANSACTION_TIMEOUT),
        logs);
    service.start();
    return service;
  }

  /** The digests of the model versions that the pure step makes of these events. */
  List<byte[]> expectedDigests(List<byte[]> events) {
    ModelLearner model = ModelLearner.start(plan(), KEY, "model", "1");
    var reader = new ExampleCodec(WEIGHTS, 1 << 20, UnitSource.NONE);
    Slot slot = new Slot(WEIGHTS);
    List<byte[]> digests = new ArrayList<>();
    for (byte[] event : events) {
      reader.decode(null, event, slot);
      if (model.fill(slot)) {
        Round round = model.close();
        digests.add(ModelSnapshot.digest(round.weights(), round.guarantee()));
      }
    }
    return digests;
  }

  static List<byte[]> events(int count, long seed) {
    Random random = new Random(seed);
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
