package dev.sotto.app.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.RoundRobinPartitioner;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class StreamPlayerTest {
  private static final StreamEvent EVENT = new StreamEvent(new byte[] {1}, new byte[] {2});

  private final List<Long> told = new ArrayList<>();

  @Test
  void tellsOnlyWhatIsCommitted() {
    var producer = producer();
    long sent = new StreamPlayer(producer, true, "t", n -> {
          told.add(n);
          assertThat(producer.history()).hasSize((int) n); // committed records only
        })
        .play(Collections.nCopies(2500, EVENT));
    assertThat(sent).isEqualTo(2500);
    assertThat(told).containsExactly(1000L, 2000L, 2500L);
  }

  @Test
  void commitsWhatWasSentWhenStopped() {
    var producer = producer();
    var player = new AtomicReference<StreamPlayer>();
    player.set(new StreamPlayer(producer, true, "t", n -> {
      told.add(n);
      player.get().stop();
    }));
    assertThat(player.get().play(Collections.nCopies(2500, EVENT))).isEqualTo(1000);
    assertThat(producer.history()).hasSize(1000);
    player.get().close();
    assertThat(producer.closed()).isTrue();
  }

  @Test
  void abortsWhenOneEventIsRefused() {
    var producer = producer();
    List<StreamEvent> events = new ArrayList<>(Collections.nCopies(10, EVENT));
    producer.sendException = null;
    var refusing = new Iterable<StreamEvent>() {
      @Override
      public java.util.Iterator<StreamEvent> iterator() {
        return events.stream()
            .peek(e -> producer.sendException = new RecordTooLargeException("too large"))
            .iterator();
      }
    };
    assertThatThrownBy(() -> new StreamPlayer(producer, true, "t", told::add).play(refusing))
        .isInstanceOf(KafkaException.class);
    assertThat(producer.transactionAborted()).isTrue();
    assertThat(producer.history()).isEmpty();
    assertThat(told).isEmpty();
  }

  private static MockProducer<byte[], byte[]> producer() {
    return new MockProducer<>(
        true, new RoundRobinPartitioner(), new ByteArraySerializer(), new ByteArraySerializer());
  }
}
