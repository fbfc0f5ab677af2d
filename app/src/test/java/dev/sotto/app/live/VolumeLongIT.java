package dev.sotto.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.config.SottoConfig;
import dev.sotto.evaluation.volume.TopicVolume;
import dev.sotto.evaluation.volume.VolumeForecast;
import dev.sotto.evaluation.volume.VolumeScenario;
import dev.sotto.evaluation.volume.VolumeScenario.Load;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.testbroker.Cluster;
import dev.sotto.topology.live.Published;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.Names;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A day of events by the time of the log, learned as fast as it goes with the defaults: every topic
 * holds no more than {@code plan} prints. Rounds, versions and states are those of a day; what
 * comes with the clock of the machine (commits, announcements) is less, and {@link VolumeIT}
 * compares it. {@code sotto.volume.rate} is the number of events a second: at 10,000 each layout
 * takes most of an hour.
 */
@Tag("long")
class VolumeLongIT {
  private static final int RATE = Integer.getInteger("sotto.volume.rate", 1000);
  private static final int PARTITIONS = 2;
  private static final int DIMENSION = 16;
  private static final long DAY = TimeUnit.DAYS.toSeconds(1);

  @TempDir
  private Path folder;

  private SottoConfig config(Cluster cluster, String app, Layout layout) {
    String text = """
        app.id: %s
        layout: %s
        events.topic: %s-events
        events.format: example
        features.dimension: %d
        loss: logistic
        privacy.epsilon: 2
        privacy.delta: 1e-6
        noise.key.env: KEY
        model.id.source: %s
        state.dir: %s
        topics.replication.factor: 1
        """.formatted(
            app,
            layout.configName(),
            app,
            DIMENSION,
            layout == Layout.DIRECT ? "partition" : "constant",
            folder.resolve("state"));
    return VolumeIT.load(cluster, text);
  }

  /** A day of events that ends now, evenly over the partitions. */
  private static void write(Cluster cluster, String topic, byte[] event) throws Exception {
    long count = RATE * DAY;
    long begin = System.currentTimeMillis() - TimeUnit.SECONDS.toMillis(DAY);
    AtomicReference<Exception> lost = new AtomicReference<>();
    try (KafkaProducer<byte[], byte[]> producer = cluster.producer(
        Map.of("linger.ms", 20, "batch.size", 512 << 10, "compression.type", "lz4"))) {
      for (long i = 0; i < count; i++) {
        producer.send(
            new ProducerRecord<>(
                topic, (int) (i % PARTITIONS), begin + i * 1000 / RATE, null, event),
            (where, failure) -> {
              if (failure != null) {
                lost.set(failure);
              }
            });
      }
    }
    if (lost.get() != null) {
      throw lost.get();
    }
  }

  /** Slots that lie in committed versions, of all models. */
  private static long slots(Cluster cluster, String app) {
    return Published.read(cluster.clients(), Names.ledger(app)).stream()
        .map(each -> Codecs.LEDGER.decode(each.value()))
        .collect(Collectors.toMap(LedgerEntry::modelId, LedgerEntry::slots, Math::max))
        .values()
        .stream()
        .mapToLong(each -> each)
        .sum();
  }

  @ParameterizedTest
  @EnumSource(names = {"ORDERED", "DIRECT"})
  @Timeout(7200)
  void holdsADayInWhatThePlanPrints(Layout layout) throws Exception {
    try (Cluster cluster = Cluster.shared()) {
      String app = "day-" + layout.configName();
      SottoConfig config = config(cluster, app, layout);
      cluster.createTopic(app + "-events", PARTITIONS, Map.of());
      byte[] event = ExampleCodec.encodeDense(null, null, new double[DIMENSION], 1, 1);
      write(cluster, app + "-events", event);
      long models = layout == Layout.DIRECT ? PARTITIONS : 1;
      VolumeScenario scenario = new VolumeScenario(
          config.learner(), config.service(), new Load(RATE, event.length, PARTITIONS, models, 0));
      long due = RATE * DAY - models * scenario.slotsOfVersion();
      long begin = System.nanoTime();
      try (LearnerService service = new LearnerService(config.learner(), config.service())) {
        service.start();
        Awaitility.await()
            .atMost(Duration.ofHours(1))
            .pollInterval(Duration.ofSeconds(5))
            .untilAsserted(() -> {
              assertThat(service.failure()).isNull();
              assertThat(slots(cluster, app)).isGreaterThanOrEqualTo(due);
            });
      }
      System.out.printf(
          Locale.ROOT,
          "a day at %,d events/s, %s: learned in %d s%n",
          RATE,
          layout.configName(),
          (System.nanoTime() - begin) / 1_000_000_000);
      compare(app, VolumeForecast.of(scenario), VolumeIT.sizes(cluster));
    }
  }

  private static void compare(String app, Iterable<TopicVolume> forecasts, Map<String, Long> held) {
    int compared = 0;
    for (TopicVolume each : forecasts) {
      long bytes = held.getOrDefault(each.topic(), 0L);
      double day = each.bytesPerDay();
      double most = Double.isNaN(each.heldAtMost()) || Double.isInfinite(each.heldAtMost())
          ? day
          : each.heldAtMost();
      if (each.topic().equals(app + "-events") || !held.containsKey(each.topic())) {
        continue;
      }
      System.out.printf(
          Locale.ROOT,
          "  %s: holds %,d bytes; plan: %,.0f a day, at most %,.0f%n",
          each.topic(),
          bytes,
          day,
          most);
      assertThat((double) bytes).as(each.topic()).isLessThanOrEqualTo(Math.max(1, most));
      if (each.topic().equals(Names.ledger(app))) {
        assertThat((double) bytes).as(each.topic()).isGreaterThan(0.75 * day);
      }
      compared++;
    }
    assertThat(compared).isGreaterThanOrEqualTo(5);
  }
}
