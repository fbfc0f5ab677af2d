package dev.sotto.app.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.app.broker.Clients;
import dev.sotto.app.broker.EmbeddedBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class StreamPlayerIT {
  private static EmbeddedBroker broker;

  @BeforeAll
  static void start() {
    broker = EmbeddedBroker.start();
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void playsTheWholeStreamInOrder(boolean transactional) throws Exception {
    String topic = "whole-" + transactional;
    try (Admin admin = Admin.create(Clients.settings(broker, Map.of()))) {
      admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
    }
    BaseballStream stream = BaseballStream.read(BaseballStream.file(Path.of("..")));
    Map<String, Object> more = transactional ? Map.of("transactional.id", topic) : Map.of();
    List<Long> told = new ArrayList<>();
    try (var player = new StreamPlayer(Clients.settings(broker, more), topic, told::add)) {
      assertThat(player.play(stream)).isEqualTo(stream.size());
    }
    assertThat(told).isSorted().hasSize(73).endsWith((long) stream.size());
    var expected = stream.iterator();
    int count = 0;
    Map<String, Object> reading = Map.of("isolation.level", "read_committed");
    try (var consumer = new KafkaConsumer<>(
        Clients.settings(broker, reading),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer())) {
      var partition = new TopicPartition(topic, 0);
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long end = consumer.endOffsets(List.of(partition)).get(partition);
      while (consumer.position(partition) < end) {
        for (var record : consumer.poll(Duration.ofSeconds(1))) {
          StreamEvent event = expected.next();
          assertThat(record.key()).isEqualTo(event.key());
          assertThat(record.value()).isEqualTo(event.value());
          count++;
        }
      }
    }
    assertThat(count).isEqualTo(stream.size());
  }

  @Test
  void failsWithoutTheTopic() {
    Map<String, Object> settings = Clients.settings(broker, Map.of("max.block.ms", 1000));
    List<StreamEvent> one = List.of(new StreamEvent(new byte[1], new byte[1]));
    try (var player = new StreamPlayer(settings, "nowhere", n -> {})) {
      assertThatThrownBy(() -> player.play(one))
          .hasMessageContaining("every event must be taken by topic nowhere")
          .cause()
          .hasMessageContaining("nowhere");
    }
  }
}
