package dev.sotto.topology.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.Test;

class EventBatchTest {
  private static ConsumerRecord<byte[], byte[]> record(long offset, int bytes) {
    return new ConsumerRecord<>(
        "events",
        3,
        offset,
        1000 + offset,
        TimestampType.CREATE_TIME,
        -1,
        bytes,
        null,
        new byte[bytes],
        new RecordHeaders(),
        Optional.of(7));
  }

  /** Every third offset is a marker or an aborted record, which no consumer sees. */
  private static List<ConsumerRecord<byte[], byte[]>> records(int number, int bytes) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (long offset = 10; records.size() < number; offset++) {
      if (offset % 3 != 0) {
        records.add(record(offset, bytes));
      }
    }
    return records;
  }

  private static List<ConsumerRecord<byte[], byte[]>> apart(
      List<ConsumerRecord<byte[], byte[]>> batches) {
    return batches.stream()
        .flatMap(each ->
            EventBatch.of(each.headers()).map(EventBatch::records).orElse(List.of(each)).stream())
        .toList();
  }

  @Test
  void holdsEveryRecordOnceInItsPlace() {
    for (int number : new int[] {0, 1, 2, 63, 64, 65, 128, 1000}) {
      for (int bytes : new int[] {0, 10, 1500, 70_000}) {
        List<ConsumerRecord<byte[], byte[]>> records = records(number, bytes);
        List<ConsumerRecord<byte[], byte[]>> batches = EventBatch.batches(records, BatchRule.ANY);
        assertThat(apart(batches)).as("%d of %d bytes", number, bytes).isEqualTo(records);
      }
    }
  }

  /** What waits is committed as not read: a batch has the place of its first record. */
  @Test
  void hasThePlaceOfItsFirstRecord() {
    List<ConsumerRecord<byte[], byte[]>> records = records(100, 20);
    List<ConsumerRecord<byte[], byte[]>> batches = EventBatch.batches(records, BatchRule.ANY);
    assertThat(batches).hasSize(2);
    ConsumerRecord<byte[], byte[]> second = batches.get(1);
    ConsumerRecord<byte[], byte[]> first = records.get(64);
    assertThat(second.topic()).isEqualTo("events");
    assertThat(second.partition()).isEqualTo(3);
    assertThat(second.offset()).isEqualTo(first.offset());
    assertThat(second.timestamp()).isEqualTo(first.timestamp());
    assertThat(second.leaderEpoch()).contains(7);
    assertThat(second.serializedValueSize()).isEqualTo(36 * 20);
    assertThat(EventBatch.of(second.headers()).orElseThrow().end())
        .isEqualTo(records.get(99).offset() + 1);
  }

  @Test
  void endsWhereItsBytesAreEnough() {
    List<ConsumerRecord<byte[], byte[]>> batches =
        EventBatch.batches(records(100, 8192), BatchRule.ANY);
    assertThat(batches).hasSize(13);
    assertThat(EventBatch.of(batches.get(0).headers()).orElseThrow().records()).hasSize(8);
    List<ConsumerRecord<byte[], byte[]>> large = records(5, 100_000);
    assertThat(EventBatch.batches(large, BatchRule.ANY)).isEqualTo(large); // each alone, as it came
  }

  /** What comes by a logical time of its round comes in batches of one round. */
  @Test
  void keepsApartWhatTheRuleKeepsApart() {
    for (int slots : new int[] {1, 3, 50, 64, 100, 1000}) {
      List<ConsumerRecord<byte[], byte[]>> records = records(400, 10);
      List<ConsumerRecord<byte[], byte[]>> batches =
          EventBatch.batches(records, each -> each.offset() / slots);
      assertThat(apart(batches)).isEqualTo(records);
      assertThat(batches).hasSizeLessThan(slots == 1 ? 401 : 400);
      for (ConsumerRecord<byte[], byte[]> batch : batches) {
        assertThat(apart(List.of(batch)))
            .allMatch(each -> each.offset() / slots == batch.offset() / slots);
      }
    }
  }

  /** Streams copies headers, but not what they hold. */
  @Test
  void survivesTheWayThroughStreams() {
    ConsumerRecord<byte[], byte[]> batch =
        EventBatch.batches(records(3, 5), BatchRule.ANY).get(0);
    Record<byte[], byte[]> handed =
        new Record<>(batch.key(), batch.value(), batch.timestamp(), batch.headers());
    assertThat(EventBatch.of(handed.headers()).orElseThrow().records()).hasSize(3);
  }

  /** Anybody may send a header of that name. */
  @Test
  void takesNobodysHeaderForABatch() {
    RecordHeaders headers = new RecordHeaders();
    assertThat(EventBatch.of(headers)).isEmpty();
    headers.add("sotto.batch", "64".getBytes(StandardCharsets.UTF_8));
    assertThat(EventBatch.of(headers)).isEmpty();
  }
}
