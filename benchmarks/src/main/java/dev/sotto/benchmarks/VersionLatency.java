package dev.sotto.benchmarks;

import dev.sotto.benchmarks.table.ResultTable;
import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.VersionSchedule;
import dev.sotto.serdes.snapshot.SnapshotAssembler;
import dev.sotto.topology.read.CommittedTopic;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.Cadence;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.ServiceSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * How long it takes from the moment at which the last event of a version was acknowledged by the
 * broker to the moment at which a reader has the version, committed, verified and put together:
 * rounds of 64 events, a version each, at a steady rate.
 */
final class VersionLatency {
  private static final BenchmarkCase WHAT = BenchmarkCase.DENSE_64;
  private static final int RATE = 1000; // events/s
  private static final int BATCH = LearnerSetup.SMALLEST;
  private static final long WARM_UP = 60; // versions
  private static final Duration TRANSACTION = Duration.ofSeconds(10);

  private final BenchmarkOptions options;
  private final BenchmarkBroker broker;

  VersionLatency(BenchmarkOptions options, BenchmarkBroker broker) {
    this.options = options;
    this.broker = broker;
  }

  /** A table in Markdown. */
  String measure() throws Exception {
    ResultTable table = new ResultTable(
        "what", "partitions", "versions", "median ms", "90 % ms", "99 % ms", "longest ms");
    for (LearnerSetup setup :
        List.of(LearnerSetup.DIRECT_64, LearnerSetup.ordered(1, 1), LearnerSetup.ordered(4, 1))) {
      double[] millis = millis(setup);
      Arrays.sort(millis);
      table.add(
          setup.layout().configName(),
          setup.partitions(),
          millis.length,
          Math.round(at(millis, 0.5)),
          Math.round(at(millis, 0.9)),
          Math.round(at(millis, 0.99)),
          Math.round(at(millis, 1)));
    }
    return table.markdown();
  }

  private static double at(double[] sorted, double share) {
    return sorted[(int) Math.round(share * (sorted.length - 1))];
  }

  private double[] millis(LearnerSetup setup) throws Exception {
    String app = "latency-" + UUID.randomUUID();
    String events = app + "-events";
    broker.create(events, setup.partitions());
    Map<String, String> clients = Map.of("bootstrap.servers", broker.bootstrapServers());
    Plan plan = WHAT.plan(new LearnerSetup(Layout.DIRECT, false, 1, BATCH, 0, 1)).toBuilder()
        .versions(new VersionSchedule(BATCH, 0))
        .build();
    var settings = new LearnerSettings(
        app,
        setup.layout(),
        new LearnerSettings.Events(
            events, new ModelIdRule(ModelIdRule.Source.CONSTANT, "model"), WHAT::decoder),
        new LearnerSettings.Run(plan, NoiseKey.of(new byte[32]), "benchmark"),
        Cadence.everyVersion());
    try (var folder = new TemporaryFolder()) {
      var service = new ServiceSettings(
          clients,
          folder.path(),
          new ServiceSettings.FirstStart((short) 1, false, Duration.ofDays(1)),
          setup.threads(),
          TRANSACTION);
      try (var learner = new LearnerService(settings, service)) {
        learner.start();
        return follow(app, events, setup.partitions(), clients, learner);
      }
    } finally {
      broker.deleteAll(app);
    }
  }

  private double[] follow(
      String app,
      String events,
      int partitions,
      Map<String, String> clients,
      LearnerService learner)
      throws Exception {
    long wanted = options.quick ? 200 : 600;
    List<Double> millis = new ArrayList<>();
    var appended = new Appended(events, partitions, clients);
    Thread sender = new Thread(appended::send, "events");
    sender.start();
    var assembler = new SnapshotAssembler();
    try (var snapshots = CommittedTopic.followed(clients, Names.snapshots(app))) {
      while (millis.size() < wanted) {
        snapshots.follow(
            Duration.ofMillis(5),
            record -> assembler
                .accept(record.key(), record.value())
                .filter(model -> model.manifest().version() > WARM_UP)
                .ifPresent(model -> millis.add(
                    (System.nanoTime() - appended.last(model.manifest().ranges())) / 1e6)));
        if (learner.hasEnded()) {
          throw new IllegalStateException("the learner must not stop, but did", learner.failure());
        }
        if (!sender.isAlive()) {
          throw new IllegalStateException("events must be written, but are not", appended.failed());
        }
      }
    } finally {
      appended.stop();
      sender.join();
    }
    return millis.stream().mapToDouble(each -> each).toArray();
  }

  /** Sends events at a rate, and knows when each was acknowledged. */
  private static final class Appended {
    private final String topic;
    private final int partitions;
    private final Map<String, String> clients;
    private final Map<TopicPartition, Map<Long, Long>> nanos = new ConcurrentHashMap<>();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final AtomicReference<Exception> failure = new AtomicReference<>();

    Appended(String topic, int partitions, Map<String, String> clients) {
      this.topic = topic;
      this.partitions = partitions;
      this.clients = clients;
      for (int i = 0; i < partitions; i++) {
        nanos.put(new TopicPartition(topic, i), new ConcurrentHashMap<>());
      }
    }

    void send() {
      var random = new SplittableRandom(1);
      byte[] value = WHAT.encode(random);
      var bytes = new ByteArraySerializer();
      try (var producer = new KafkaProducer<>(Map.<String, Object>copyOf(clients), bytes, bytes)) {
        long begin = System.nanoTime();
        for (long i = 0; !stopped.get() && failure.get() == null; i++) {
          long due = begin + i * 1_000_000_000L / RATE;
          while (System.nanoTime() - due < 0) {
            LockSupport.parkNanos(due - System.nanoTime());
          }
          producer.send(
              new ProducerRecord<>(topic, (int) (i % partitions), null, value), (sent, failed) -> {
                if (failed != null) {
                  failure.set(failed);
                } else {
                  nanos
                      .get(new TopicPartition(topic, sent.partition()))
                      .put(sent.offset(), System.nanoTime());
                }
              });
        }
      }
    }

    /** When the last event of some ranges was acknowledged. */
    long last(List<OffsetRange> ranges) {
      long last = Long.MIN_VALUE;
      for (OffsetRange each : ranges) {
        if (each.to() > each.from()) {
          long time = nanos.get(new TopicPartition(topic, each.partition())).get(each.to() - 1);
          last = last == Long.MIN_VALUE || time - last > 0 ? time : last;
        }
      }
      return last;
    }

    void stop() {
      stopped.set(true);
    }

    Exception failed() {
      return failure.get();
    }
  }
}
