package dev.sotto.replay.play;

import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingHeader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** A recording that a test writes down record by record. */
final class MemoryRecording implements Recording {
  private final SortedMap<Integer, List<Entry>> records = new TreeMap<>();
  private final String digest;

  private record Entry(long offset, long timestamp, byte[] key, byte[] value, Headers headers) {}

  MemoryRecording(String digest, int partitions) {
    this.digest = digest;
    for (int i = 0; i < partitions; i++) {
      records.put(i, new ArrayList<>());
    }
  }

  MemoryRecording add(int partition, long timestamp, String value) {
    return add(partition, timestamp, value.getBytes(StandardCharsets.UTF_8), new RecordHeaders());
  }

  MemoryRecording add(int partition, long timestamp, byte[] value, Headers headers) {
    List<Entry> all = records.get(partition);
    all.add(new Entry(10 + 2L * all.size(), timestamp, null, value, headers));
    return this;
  }

  @Override
  public RecordingHeader header() {
    List<RecordedRange> ranges = new ArrayList<>();
    records.forEach((partition, all) ->
        ranges.add(new RecordedRange(partition, 10, 10 + 2L * all.size(), all.size())));
    return new RecordingHeader("avro", "", "events", "", ranges, "", digest);
  }

  @Override
  public RecordCursor open(int partition) {
    return new Cursor(records.get(partition));
  }

  @Override
  public void close() {}

  private static final class Cursor implements RecordCursor {
    private final List<Entry> all;
    private int at = -1;

    Cursor(List<Entry> all) {
      this.all = all;
    }

    @Override
    public boolean next() {
      return ++at < all.size();
    }

    @Override
    public long offset() {
      return all.get(at).offset;
    }

    @Override
    public long timestamp() {
      return all.get(at).timestamp;
    }

    @Override
    public byte[] key() {
      return all.get(at).key;
    }

    @Override
    public byte[] value() {
      return all.get(at).value;
    }

    @Override
    public Headers headers() {
      return all.get(at).headers;
    }

    @Override
    public void close() {}
  }
}
