package dev.sotto.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.testbroker.Cluster;
import dev.sotto.testbroker.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Where a transaction is open, a reader of committed records knows that there is more. */
class WrittenIT {
  private static final Duration MOMENT = Duration.ofMillis(5);
  private static Cluster broker;
  private static Map<String, Object> clients;

  @BeforeAll
  static void start() {
    broker = Cluster.shared();
    clients = Map.of("bootstrap.servers", broker.bootstrapServers());
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  /** A topic of one partition, and a producer with a transaction open that has written to it. */
  private static KafkaProducer<byte[], byte[]> writing(String topic) throws Exception {
    try (Admin admin = Admin.create(clients)) {
      Topics.create(admin, new NewTopic(topic, 1, (short) 1));
    }
    var bytes = new ByteArraySerializer();
    var producer = new KafkaProducer<>(
        Map.of(
            "bootstrap.servers",
            broker.bootstrapServers(),
            "transactional.id",
            topic,
            "transaction.timeout.ms",
            "600000"),
        bytes,
        bytes);
    producer.initTransactions();
    producer.beginTransaction();
    producer.send(new ProducerRecord<>(topic, 0, null, new byte[1])).get();
    return producer;
  }

  @Test
  void saysUpToWhereItIsKnownWhatIsCommitted() throws Exception {
    List<TopicPartition> all = List.of(new TopicPartition("ends", 0));
    try (var producer = writing("ends");
        TopicReader reader = new TopicReader(clients, "ends", MOMENT)) {
      TopicReader.Written written = reader.written(all);
      assertThat(written.await(MOMENT)).isFalse();
      assertThat(written.isDecided()).isFalse();
      assertThat(written.hasMoved()).isFalse();
      assertThat(reader.ends(all)).as("what is committed").containsEntry(all.get(0), 0L);
      producer.commitTransaction();
      assertThat(written.await(Duration.ofMinutes(2))).isTrue(); // its marker may come later
      assertThat(written.hasMoved()).isTrue();
      assertThat(reader.ends(all)).containsEntry(all.get(0), 2L);
      producer.beginTransaction();
      producer.send(new ProducerRecord<>("ends", 0, null, new byte[1])).get();
      assertThat(written.isDecided()).as("whatever comes later").isTrue();
      producer.abortTransaction();
    }
  }
}
