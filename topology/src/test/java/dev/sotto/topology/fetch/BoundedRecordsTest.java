package dev.sotto.topology.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.internals.RecordHeaders;
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
