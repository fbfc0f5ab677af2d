package dev.sotto.replay.play;

import dev.sotto.learner.key.Sha256;
import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.RecordedRecord;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingException;
import dev.sotto.replay.recording.RecordingHeader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.common.header.Header;

/**
 * What a recording holds, found by reading all of it before any record of it is sent: one that is
 * damaged, or that the topic would refuse, leaves nothing behind.
 *
 * @param digest the recording's own; empty where it has none
 * @param identity tells the recording from others by where it is from, not by what records hold:
 *     cluster, topic, offsets and numbers of records, hashed
 * @param records how many there are, by partition
 * @param oldest timestamp, in milliseconds; {@link Long#MAX_VALUE} where there is no record with
 *     one
 * @param newest timestamp; {@link Long#MIN_VALUE} where there is no record with one
 * @param largest the record with the most bytes; null where there is none
 */
record RecordingSummary(
    String digest,
    String identity,
    SortedMap<Integer, Long> records,
    long oldest,
    long newest,
    Largest largest) {
  private static final int STEP = 10_000;
  private static final int HEADER_LENGTHS = 10; // more than the two lengths of a header take

  /** A record and the bytes of its key, value and headers. */
  record Largest(int partition, long offset, long bytes) {}

  /** How many records there are. */
  long total() {
    return records.values().stream().mapToLong(Long::longValue).sum();
  }

  /** How many partitions a topic needs for them. */
  int partitions() {
    return records.lastKey() + 1;
  }

  /**
   * Reads a recording from end to end.
   *
   * @throws RecordingException where it is damaged, or holds no partition
   */
  static RecordingSummary of(Recording recording, PlayProgress progress) {
    if (recording.header().ranges().isEmpty()) {
      throw new RecordingException("the recording of " + recording.header().topic()
          + " names no partition: there is nothing to play");
    }
    Reading reading = new Reading(recording, progress);
    recording.header().ranges().forEach(reading::read);
    return reading.summary();
  }

  private static final class Reading {
    private final Recording recording;
    private final PlayProgress progress;
    private final SortedMap<Integer, Long> records = new TreeMap<>();
    private final long most;
    private long oldest = Long.MAX_VALUE;
    private long newest = Long.MIN_VALUE;
    private Largest largest;
    private long done;

    Reading(Recording recording, PlayProgress progress) {
      this.recording = recording;
      this.progress = progress;
      this.most = recording.header().records().orElse(-1);
    }

    void read(RecordedRange range) {
      long count = 0;
      try (RecordCursor cursor = recording.open(range.partition())) {
        while (cursor.next()) {
          count++;
          take(range.partition(), cursor);
          if (++done % STEP == 0) {
            progress.checked(done, most);
          }
        }
      }
      records.put(range.partition(), count);
    }

    private void take(int partition, RecordCursor record) {
      if (record.timestamp() >= 0) {
        oldest = Math.min(oldest, record.timestamp());
        newest = Math.max(newest, record.timestamp());
      }
      long bytes = RecordingSummary.bytes(record);
      if (largest == null || bytes > largest.bytes()) {
        largest = new Largest(partition, record.offset(), bytes);
      }
    }

    RecordingSummary summary() {
      progress.checked(done, done);
      return new RecordingSummary(
          recording.header().digest(), identity(), records, oldest, newest, largest);
    }

    private String identity() {
      RecordingHeader header = recording.header();
      MessageDigest places = Sha256.digest();
      for (String each : List.of(
          header.format(),
          header.clusterId(),
          header.topic(),
          header.topicId(),
          header.ranges().toString(),
          records.toString())) {
        byte[] text = each.getBytes(StandardCharsets.UTF_8);
        places.update(ByteBuffer.allocate(4).putInt(text.length).array());
        places.update(text);
      }
      return HexFormat.of().formatHex(places.digest());
    }
  }

  /** The bytes of key, value and headers. */
  static long bytes(RecordedRecord record) {
    long bytes = length(record.key()) + length(record.value());
    for (Header header : record.headers()) {
      bytes += header.key().getBytes(StandardCharsets.UTF_8).length
          + length(header.value())
          + HEADER_LENGTHS;
    }
    return bytes;
  }

  private static long length(byte[] bytes) {
    return bytes == null ? 0 : bytes.length;
  }
}
