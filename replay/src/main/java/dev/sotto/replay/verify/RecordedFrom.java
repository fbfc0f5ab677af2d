package dev.sotto.replay.verify;

import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingHeader;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.Headers;

/**
 * A recording without what lies before some offsets.
 *
 * @param whole the recording, which is not closed with this one
 * @param starts the first offset of a partition; one that is not named begins where it is recorded
 */
record RecordedFrom(Recording whole, Map<Integer, Long> starts) implements Recording {
  @Override
  public RecordingHeader header() {
    RecordingHeader of = whole.header();
    List<RecordedRange> ranges = of.ranges().stream().map(this::cut).toList();
    return new RecordingHeader(
        of.format(), of.clusterId(), of.topic(), of.topicId(), ranges, of.schema(), of.digest());
  }

  private RecordedRange cut(RecordedRange range) {
    long start = start(range.partition());
    return start <= range.from()
        ? range
        : new RecordedRange(
            range.partition(), start, range.to() < 0 ? -1 : Math.max(start, range.to()), -1);
  }

  private long start(int partition) {
    return starts.getOrDefault(partition, 0L);
  }

  @Override
  public RecordCursor open(int partition) {
    return new Cursor(whole.open(partition), start(partition));
  }

  @Override
  public void close() {}

  private record Cursor(RecordCursor all, long start) implements RecordCursor {
    @Override
    public boolean next() {
      while (all.next()) {
        if (all.offset() >= start) {
          return true;
        }
      }
      return false;
    }

    @Override
    public long offset() {
      return all.offset();
    }

    @Override
    public long timestamp() {
      return all.timestamp();
    }

    @Override
    public byte[] key() {
      return all.key();
    }

    @Override
    public byte[] value() {
      return all.value();
    }

    @Override
    public Headers headers() {
      return all.headers();
    }

    @Override
    public void close() {
      all.close();
    }
  }
}
