package dev.sotto.benchmarks;

import dev.sotto.benchmarks.table.ResultTable;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.VersionSchedule;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.Cadence;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.ServiceSettings;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Models by key that come in turn, a round of records each: those that have no room on the heap are
 * written and read at every turn. Beside them the same records for so few models that all have
 * room.
 */
final class ManyModels {
  private static final BenchmarkCase WHAT = BenchmarkCase.HASHED_20;
  private static final int FEW = 50;
  private static final int DIFFERENT = 1024;
  private static final Duration TRANSACTION = Duration.ofSeconds(60);
  private static final long MEGABYTE = 1 << 20;

  private final BenchmarkOptions options;
  private final BenchmarkBroker broker;

  private record Run(MeasuredRun time, long state, List<Long> heap) {}

  ManyModels(BenchmarkOptions options, BenchmarkBroker broker) {
    this.options = options;
    this.broker = broker;
  }

  /** A table in Markdown. */
  String measure() throws Exception {
    ResultTable table = new ResultTable(
        "models",
        "turns of each",
        "records",
        "records/s",
        "over " + FEW,
        "turns/s",
        "cores: client, broker",
        "state's changelogs, MB",
        "live heap in four quarters, MB");
    int turns = options.turns * options.models;
    measure(FEW, FEW); // warms up
    Run few = measure(FEW, turns);
    Run many = measure(options.models, turns);
    add(table, FEW, turns, few, 1);
    add(table, options.models, turns, many, many.time.perSecond() / few.time.perSecond());
    return table.markdown();
  }

  private static void add(ResultTable table, int models, int turns, Run run, double ratio) {
    table.add(
        models,
        turns / models,
        run.time.records(),
        Math.round(run.time.perSecond()),
        Math.round(ratio * 100) / 100.0,
        Math.round(turns / run.time.seconds()),
        Math.round(run.time.cores() * 100) / 100.0 + ", "
            + Math.round(run.time.brokerCores() * 100) / 100.0,
        run.state,
        run.heap);
  }

  private Run measure(int models, int turns) throws Exception {
    String app = "models-" + UUID.randomUUID();
    String events = app + "-events";
    broker.create(events, 1);
    long records = (long) turns * LearnerSetup.DIRECT_256.batch();
    EndToEnd.say("%,d models: writing %,d records", models, records);
    write(events, models, turns);
    Map<String, String> clients = new HashMap<>(options.settings);
    clients.put("bootstrap.servers", broker.bootstrapServers());
    Plan plan = BenchmarkPlans.of(WHAT, LearnerSetup.DIRECT_256, options.mechanism).toBuilder()
        .versions(new VersionSchedule(WHAT.dimension(), 0)) // as the defaults have it
        .build();
    var timer = new StageTimer(records, broker);
    var settings = new LearnerSettings(
        app,
        Layout.DIRECT,
        new LearnerSettings.Events(
            events,
            new ModelIdRule(ModelIdRule.Source.KEY, "", new ModelIdRule.Limits(Set.of(), models)),
            () -> new TimedDecoder(WHAT.decoder(), timer)),
        new LearnerSettings.Run(plan, NoiseKey.of(new byte[32]), "benchmark"),
        Cadence.everyVersion());
    try (var folder = new TemporaryFolder()) {
      var service = new ServiceSettings(
          clients,
          folder.path(),
          new ServiceSettings.FirstStart((short) 1, false, Duration.ofDays(1)),
          1,
          TRANSACTION);
      List<Long> heap = new ArrayList<>();
      try (var learner = new LearnerService(settings, service)) {
        learner.start();
        while (!timer.await(1000)) {
          heap.add(live());
          if (learner.hasEnded()) {
            throw new IllegalStateException(
                "the learner must not stop, but did", learner.failure());
          }
        }
        heap.add(live());
      }
      long state = (broker.bytes(Names.changelog(app, Names.LEARNER))
              + broker.bytes(Names.changelog(app, Names.HEADS)))
          / MEGABYTE;
      EndToEnd.say("%,d models: %,.0f records/s", models, timer.run().perSecond());
      return new Run(timer.run(), state, quarters(heap));
    } finally {
      broker.deleteAll(app);
    }
  }

  /** What was alive after the last full collection, in all pools. */
  private static long live() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.isCollectionUsageThresholdSupported())
            .map(MemoryPoolMXBean::getCollectionUsage)
            .mapToLong(usage -> usage == null ? 0 : usage.getUsed())
            .sum()
        / MEGABYTE;
  }

  private static List<Long> quarters(List<Long> samples) {
    List<Long> most = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      int from = i * samples.size() / 4;
      int to = Math.max(from + 1, (i + 1) * samples.size() / 4);
      most.add(samples.subList(from, Math.min(to, samples.size())).stream()
          .mapToLong(each -> each)
          .max()
          .orElse(0));
    }
    return most;
  }

  private void write(String topic, int models, int turns) {
    var random = new SplittableRandom(1);
    byte[][] values = new byte[DIFFERENT][];
    for (int i = 0; i < DIFFERENT; i++) {
      values[i] = WHAT.encode(random);
    }
    var bytes = new ByteArraySerializer();
    var failure = new AtomicReference<Exception>();
    Map<String, Object> config = Map.of(
        "bootstrap.servers", broker.bootstrapServers(), "batch.size", 1 << 16, "linger.ms", 20);
    int batch = LearnerSetup.DIRECT_256.batch();
    try (var producer = new KafkaProducer<>(config, bytes, bytes)) {
      for (int turn = 0; turn < turns; turn++) {
        byte[] key = ("m" + turn % models).getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < batch; i++) {
          producer.send(
              new ProducerRecord<>(topic, 0, key, values[(turn + i) % DIFFERENT]),
              (sent, failed) -> {
                if (failed != null) {
                  failure.set(failed);
                }
              });
        }
      }
    }
    if (failure.get() != null) {
      throw new IllegalStateException(
          "every record must be written, but one was not", failure.get());
    }
  }
}
