package dev.sotto.topology.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.testbroker.Cluster;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.ServiceSettings;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A learner inside an application of one's own, which writes the events and keeps a count. */
class OwnTopologyIT {
  private static final int EVENTS = 1200;

  /** Far less than all records take: those of the own topic must not wait for it. */
  private static final long MEMORY = 32_768;

  @RegisterExtension
  static Cluster cluster = Cluster.shared();

  @TempDir
  Path folder;

  private static Topology own(Trial trial) {
    Serde<byte[]> bytes = Serdes.ByteArray();
    Serde<String> text = Serdes.String();
    StreamsBuilder builder = new StreamsBuilder();
    var raw = builder.stream(trial.app() + "-raw", Consumed.with(bytes, bytes));
    raw.to(trial.topic(), Produced.with(bytes, bytes));
    raw.map((key, value) -> new KeyValue<>("all", value))
        .groupByKey(Grouped.with("own", text, bytes))
        .count(Materialized.as("own-count"))
        .toStream()
        .to(trial.app() + "-counts", Produced.with(text, Serdes.Long()));
    return builder.build();
  }

  private static LearnerService service(Trial trial) {
    ServiceSettings usual = trial.service();
    return new LearnerService(
        trial.learner(),
        new ServiceSettings(
            usual.clients(),
            usual.stateFolder(),
            usual.firstStart(),
            usual.threads(),
            usual.transactionTimeout(),
            new ServiceSettings.Memory(MEMORY, 16 << 20)));
  }

  /** Stopped and started in between; neither an event nor a count is lost or doubled. */
  @Test
  void learnsExactlyOnceFromWhatItsOwnPartWrites() {
    Trial trial = Trial.of("own", folder, cluster.clients())
        .with(Layout.ORDERED)
        .withModel(Trial.DIMENSION, 100, null);
    List<byte[]> values = Trial.events(EVENTS, 1);
    for (String topic : List.of("-raw", "-events", "-counts")) {
      cluster.createTopic(trial.app() + topic, 1, Map.of());
    }
    cluster.send(trial.app() + "-raw", values.subList(0, EVENTS / 2));
    run(trial, EVENTS / 2);
    cluster.send(trial.app() + "-raw", values.subList(EVENTS / 2, EVENTS));
    run(trial, EVENTS);
    assertThat(Published.read(cluster.clients(), trial.topic())).hasSize(EVENTS);
    assertThat(trial.published().models())
        .extracting(each -> each.manifest().digest())
        .containsExactlyElementsOf(trial.expectedDigests(values));
  }

  private static void run(Trial trial, int events) {
    try (LearnerService service = service(trial)) {
      service.start(own(trial));
      trial.awaitRounds(service, events / 100);
      Awaitility.await()
          .atMost(Duration.ofSeconds(120))
          .untilAsserted(() -> assertThat(counted(trial)).isEqualTo(events));
    }
  }

  private static long counted(Trial trial) {
    List<ConsumerRecord<byte[], byte[]>> counts =
        Published.read(cluster.clients(), trial.app() + "-counts");
    return counts.isEmpty()
        ? 0
        : ByteBuffer.wrap(counts.get(counts.size() - 1).value()).getLong();
  }
}
