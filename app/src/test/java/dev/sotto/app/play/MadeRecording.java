package dev.sotto.app.play;

import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.RecordedRecord;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingHeader;
import dev.sotto.replay.recording.RecordingOrigin;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * A recording that is computed: the same in every process.
 *
 * @param start timestamp of the first records
 * @param step milliseconds between two records of a partition
 */
record MadeRecording(String digest, int partitions, int records, long start, long step)
    implements Recording {
  @Override
  public RecordingHeader header() {
    List<RecordedRange> ranges = IntStream.range(0, partitions)
        .mapToObj(each -> new RecordedRange(each, 100, 100 + 3L * records, records))
        .toList();
    return new RecordingHeader("avro", new RecordingOrigin("", "events", ""), ranges, "", digest);
  }

  @Override
  public RecordCursor open(int partition) {
    return new Cursor(partition);
  }

  @Override
  public void close() {}

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private final class Cursor implements RecordCursor {
    private final int partition;
    private int at = -1;

    Cursor(int partition) {
      this.partition = partition;
    }

    @Override
    public boolean next() {
      return ++at < records;
    }

    @Override
    public RecordedRecord current() {
      return this;
    }

    @Override
    public long offset() {
      return 100 + 3L * at;
    }

    @Override
    public long timestamp() {
      return start + step * at + partition;
    }

    @Override
    public byte[] key() {
      return at % 3 == 0 ? null : bytes("key " + at % 7);
    }

    @Override
    public byte[] value() {
      return at % 11 == 5 ? null : bytes("value " + partition + "/" + at);
    }

    @Override
    public Headers headers() {
      RecordHeaders headers = new RecordHeaders();
      if (at % 2 == 0) {
        headers.add("place", bytes(partition + "/" + at)).add("nothing", null);
      }
      return headers;
    }

    @Override
    public void close() {}
  }
}
