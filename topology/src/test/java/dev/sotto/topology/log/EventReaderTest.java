package dev.sotto.topology.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class EventReaderTest {
  private static final String TOPIC = "events";
  private static final int PARTITIONS = 12;
  private static final int RECORDS = 200;
  private static final int POLLED = 40;
  private static final int VALUE = 8192;

  @Test
  void keepsNoMoreOfPartitionsThatWaitThanThereIsRoomFor() {
    long most = 100 * VALUE;

    assertThat(mostHeldInPieces(most)).isLessThanOrEqualTo(most + POLLED * 2L * VALUE);
  }

  /** Each partition keeps what one poll brought, where there is room. */
  @Test
  void keepsWhatWasFetchedOfEveryPartitionWhereThereIsRoom() {
    assertThat(mostHeldInPieces(Long.MAX_VALUE)).isGreaterThan((PARTITIONS - 1L) * POLLED * VALUE);
  }

  /** Reads all partitions in small pieces, in turn; the most bytes that were kept meanwhile. */
  private static long mostHeldInPieces(long most) {
    List<List<Long>> read = new ArrayList<>();
    for (int i = 0; i < PARTITIONS; i++) {
      read.add(new ArrayList<>());
    }
    long held = 0;
    int piece = 7;
    EventReader reader =
        new EventReader(Log::new, TOPIC, SourceReading.PLAIN, Duration.ofHours(1), most);
    for (long from = 0; from < RECORDS; from += piece) {
      for (int partition = 0; partition < PARTITIONS; partition++) {
        List<Long> offsets = read.get(partition);
        SlotLog.Reading reading = reader.read(partition, from, Math.min(RECORDS, from + piece));
        for (SourceRecord each = reading.next(); each != null; each = reading.next()) {
          offsets.add(each.place());
        }
        assertThat(reading.isWhole()).isTrue();
        held = Math.max(held, reader.held());
      }
    }
    reader.close();
    assertThat(read)
        .allSatisfy(offsets -> assertThat(offsets)
            .containsExactlyElementsOf(LongStream.range(0, RECORDS).boxed().toList()));
    return held;
  }

  /** Partitions of the same length, from which a poll brings some records behind the position. */
  private static final class Log extends MockConsumer<byte[], byte[]> {
    Log() {
      super("none");
    }

    @Override
    public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
      for (TopicPartition each : assignment()) {
        long from = paused().contains(each) ? RECORDS : position(each);
        for (long offset = from; offset < Math.min(RECORDS, from + POLLED); offset++) {
          addRecord(record(each, offset));
        }
      }
      return super.poll(timeout);
    }

    private static ConsumerRecord<byte[], byte[]> record(TopicPartition where, long offset) {
      return new ConsumerRecord<>(
          where.topic(),
          where.partition(),
          offset,
          0,
          TimestampType.CREATE_TIME,
          0,
          VALUE,
          new byte[0],
          new byte[0], // the size that is stated counts
          new RecordHeaders(),
          Optional.empty());
    }
  }

  /** Else each range of a partition would be fetched anew after the others had their turn. */
  @Test
  void fetchesSoLittleThatManyPartitionsHaveRoom() {
    for (long heap = 128L << 20; heap <= 64L << 30; heap *= 2) {
      assertThat(64 * EventReader.fetchBytes(heap)).isBetween(64L << 16, heap / 16);
    }
    assertThat(EventReader.fetchBytes(256L << 20)).isEqualTo(256 << 10);
    assertThat(EventReader.fetchBytes(64L << 30)).isEqualTo(4 << 20);
    assertThat(EventReader.fetchBytes(1 << 20)).isEqualTo(64 << 10);
    assertThat(EventReader.bytes(1L << 30, 12)).isEqualTo((64L << 20) + (13L << 20));
  }
}
