package dev.sotto.replay.verify;

import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.RecordedRecord;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingHeader;
import java.util.Map;

/**
 * A recording without the records before some offsets.
 *
 * @param whole the recording, which is not closed with this one
 * @param starts the first offset of a partition; otherwise a partition begins where it is recorded
 */
record TrimmedRecording(Recording whole, Map<Integer, Long> starts) implements Recording {
  @Override
  public RecordingHeader header() {
    RecordingHeader header = whole.header();
    return header.withRanges(header.ranges().stream().map(this::trimmed).toList());
  }

  private RecordedRange trimmed(RecordedRange range) {
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
    public RecordedRecord current() {
      return all.current();
    }

    @Override
    public void close() {
      all.close();
    }
  }
}
