package dev.sotto.app.preflight;

import dev.sotto.topology.label.LabelIds;
import dev.sotto.topology.read.PartitionReader;
import dev.sotto.topology.settings.LateLabels;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;

/**
 * Whether producers partition by the ids by which models or labels are found: with another
 * partitioner every record is set aside, or no label is found. It looks at ids and partitions,
 * which are coordinates, and tells neither.
 */
final class PartitionerCheck {
  private static final int NEWEST = 500; // records of each partition
  private static final String PRODUCERS = "Java's default partitioner with the id as the key, or"
      + " librdkafka's partitioner=murmur2_random; what lies elsewhere is never found";

  private PartitionerCheck() {}

  static void run(PreflightContext preflight) {
    LearnerSettings settings = preflight.settings();
    String topic = settings.sourceTopic();
    boolean looks = settings.modelIds().sharesPartitions() || settings.labels().isPresent();
    if (!looks || preflight.partitions(topic) == 0) {
      return;
    }
    String subject = "partitions of " + topic;
    preflight.check(subject, () -> {
      try (PartitionReader reader =
          new PartitionReader(preflight.service().clients(), PartitionReader.COMMITTED)) {
        if (settings.modelIds().sharesPartitions()) {
          IdPlaces places = new IdPlaces();
          int partitions = preflight.partitions(topic);
          newest(reader, topic, each -> places.ofModel(settings.modelIds(), each, partitions));
          tell(preflight, subject, places, "Kafka's murmur2 of the model's id");
        }
        settings
            .labels()
            .filter(labels -> preflight.partitions(labels.topic()) > 0)
            .ifPresent(labels -> labels(preflight, reader, subject, labels));
      }
    });
  }

  private static void labels(
      PreflightContext preflight, PartitionReader reader, String subject, LateLabels labels) {
    IdPlaces places = new IdPlaces();
    LabelIds ids = LabelIds.of(labels);
    newest(reader, labels.topic(), each -> places.label(ids, each));
    newest(reader, labels.features(), each -> places.event(ids, each));
    tell(preflight, subject, places, "that of the same id in " + labels.topic());
  }

  private static void newest(
      PartitionReader reader, String topic, Consumer<ConsumerRecord<byte[], byte[]>> visitor) {
    for (TopicPartition where : reader.partitions(topic)) {
      long end = reader.end(where);
      long from = Math.max(reader.beginning(where), end - NEWEST);
      reader.read(where, from, end, record -> {
        visitor.accept(record);
        return true;
      });
    }
  }

  private static void tell(
      PreflightContext preflight, String subject, IdPlaces places, String rule) {
    if (places.elsewhere == 0) {
      if (places.there > 0) {
        preflight.ok(subject, "ids lie in the partition of " + rule);
      }
      return;
    }
    String found = (places.elsewhere > places.there ? "most" : "some")
        + " of the newest records do not lie in the partition of " + rule;
    if (places.elsewhere > places.there) {
      preflight.fault(subject, found, "one partitioner by that id for all records", PRODUCERS);
    } else {
      preflight.warning(subject, found, "one partitioner by that id for all records", PRODUCERS);
    }
  }

  /** How many ids lie where they are looked for. */
  static final class IdPlaces {
    private final Map<String, Integer> labels = new HashMap<>(); // the partition of an id
    private long there;
    private long elsewhere;

    /** An event of a model that is found by its id. */
    void ofModel(ModelIdRule rule, ConsumerRecord<byte[], byte[]> event, int partitions) {
      Header header = rule.header() == null ? null : event.headers().lastHeader(rule.header());
      byte[] id = rule.header() == null ? event.key() : header == null ? null : header.value();
      if (id != null && id.length > 0) {
        count(rule.home(id, partitions) == event.partition());
      }
    }

    /** A label. */
    void label(LabelIds ids, ConsumerRecord<byte[], byte[]> label) {
      String id = ids.of(label.key(), label.value());
      if (id != null) {
        labels.put(id, label.partition());
      }
    }

    /** An event, behind the labels. */
    void event(LabelIds ids, ConsumerRecord<byte[], byte[]> event) {
      Integer partition = labels.get(ids.of(event.key(), event.value()));
      if (partition != null) {
        count(partition == event.partition());
      }
    }

    private void count(boolean home) {
      there += home ? 1 : 0;
      elsewhere += home ? 0 : 1;
    }

    /** How many do. */
    long there() {
      return there;
    }

    /** How many do not. */
    long elsewhere() {
      return elsewhere;
    }
  }
}
