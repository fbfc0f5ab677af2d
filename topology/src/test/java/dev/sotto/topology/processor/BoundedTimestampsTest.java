package dev.sotto.topology.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class BoundedTimestampsTest {
  private static long extract(long timestamp) {
    return new BoundedTimestamps()
        .extract(
            new ConsumerRecord<>(
                "topic",
                0,
                0,
                timestamp,
                TimestampType.CREATE_TIME,
                0,
                0,
                null,
                null,
                new RecordHeaders(),
                Optional.empty()),
            -1);
  }

  @Test
  void keepsTimesBetween1970AndNow() {
    assertThat(extract(0)).isZero();
    assertThat(extract(1_300_000_000_000L)).isEqualTo(1_300_000_000_000L);
  }

  @Test
  void bringsEarlierAndLaterTimesWithin() {
    assertThat(extract(-1)).isZero();
    assertThat(extract(Long.MIN_VALUE)).isZero();
    long before = System.currentTimeMillis();
    assertThat(extract(Long.MAX_VALUE)).isBetween(before, System.currentTimeMillis());
  }
}
