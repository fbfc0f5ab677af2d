package dev.sotto.benchmarks.experiments;

import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.RecordedRecord;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingHeader;
import dev.sotto.replay.recording.RecordingOrigin;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * A recording of any length that takes no room: its records are made as they are read.
 *
 * @param partitions of the topic
 * @param records in each partition
 * @param key of the record at an offset; null for none
 * @param value of the record at an offset
 */
record GeneratedRecording(
    int partitions, long records, LongFunction<byte[]> key, LongFunction<byte[]> value)
    implements Recording {
  private static final Headers NO_HEADERS = new RecordHeaders();

  @Override
  public RecordingHeader header() {
    List<RecordedRange> ranges = IntStream.range(0, partitions)
        .mapToObj(each -> new RecordedRange(each, 0, records, records))
        .toList();
    return new RecordingHeader("memory", new RecordingOrigin("", "events", ""), ranges, "", "");
  }

  @Override
  public RecordCursor open(int partition) {
    return new RecordCursor() {
      private long at = -1;

      @Override
      public boolean next() {
        at = Math.min(at + 1, records);
        return at < records;
      }

      @Override
      public RecordedRecord current() {
        return new RecordedRecord.Stored(at, at, key.apply(at), value.apply(at), NO_HEADERS);
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public void close() {}
}
