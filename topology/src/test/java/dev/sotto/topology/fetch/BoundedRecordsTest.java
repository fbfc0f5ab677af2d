package dev.sotto.topology.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.serialization.Deserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BoundedRecordsTest {
  /** Fails where another version of Kafka has its connection elsewhere. */
  @ParameterizedTest
  @ValueSource(strings = {"classic", "consumer"})
  void looksAtWhatIsFetched(String protocol) throws ReflectiveOperationException {
    Map<String, Object> config = new HashMap<>(
        Map.of("bootstrap.servers", "localhost:1", "group.id", "g", "group.protocol", protocol));
    try (BoundedRecords consumer = new BoundedRecords(config, 100)) {
      var delegate = KafkaConsumer.class.getDeclaredField("delegate");
      delegate.setAccessible(true);
      assertThat(BoundedRecords.connection(delegate.get(consumer)))
          .matches(each -> Proxy.isProxyClass(each.getClass()));
    }
  }

  /** Of a topic that is not named, and of brokers without ids, nothing is known. */
  @Test
  void takesNoRecordsOfATopicThatWasMadeAgain() {
    Uuid first = Uuid.randomUuid();
    TopicIds ids = TopicIds.of(Map.of(
        TopicIds.SETTING,
        new TopicIds(Map.of("a.b-c", first.toString(), "old", Uuid.ZERO_UUID.toString()))
            .setting()));
    assertThat(ids.id("a.b-c")).isEqualTo(first.toString());
    assertThat(ids.id("old")).isEmpty();
    assertThat(ids.fault(request("a.b-c", first))).isNull();
    assertThat(ids.fault(request("a.b-c", Uuid.ZERO_UUID))).isNull();
    assertThat(ids.fault(request("old", Uuid.randomUuid()))).isNull();
    assertThat(ids.fault(request("a.b-c", Uuid.randomUuid())))
        .hasMessageContaining("topic a.b-c was deleted and made again");
    assertThat(TopicIds.of(Map.of()).byName()).isEmpty();
  }

  private static FetchRequest.Builder request(String topic, Uuid id) {
    return FetchRequest.Builder.forConsumer(
        ApiKeys.FETCH.latestVersion(),
        1,
        1,
        Map.of(
            new TopicPartition(topic, 0),
            new FetchRequest.PartitionData(id, 0, 0, 1, Optional.empty())));
  }

  @Test
  void aPollEndsWhereItsBytesAreSpent() {
    PollLimit budget = new PollLimit(100);
    budget.reset();
    take(budget.ofKeys(), 60);
    take(budget.ofValues(), 900); // of the first record: it always passes
    assertThatThrownBy(() -> take(budget.ofKeys(), 1)).isInstanceOf(SerializationException.class);
    budget.reset();
    take(budget.ofValues(), 60);
    take(budget.ofValues(), 40);
    assertThatThrownBy(() -> take(budget.ofValues(), 1)).isInstanceOf(SerializationException.class);
    budget.reset();
    take(budget.ofKeys(), 60); // of a record without a value
    take(budget.ofKeys(), 20);
    assertThatThrownBy(() -> take(budget.ofValues(), 21))
        .isInstanceOf(SerializationException.class);
  }

  private static void take(Deserializer<byte[]> part, int size) {
    assertThat(part.deserialize("t", new RecordHeaders(), ByteBuffer.allocate(size)))
        .hasSize(size);
  }
}
