package dev.sotto.replay.recording;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** A recording that was never on disk: records that were written down by hand, or made by a program. */
public final class MemoryRecording implements Recording {
  private final RecordingHeader header;
  private final Map<Integer, List<Entry>> partitions;

  private record Entry(long offset, long timestamp, byte[] key, byte[] value, Headers headers) {}

  private MemoryRecording(RecordingHeader header, Map<Integer, List<Entry>> partitions) {
    this.header = header;
    this.partitions = partitions;
  }

  /** Records of one topic, to be added. */
  public static Builder of(String topic) {
    return new Builder(topic);
  }

  @Override
  public RecordingHeader header() {
    return header;
  }

  @Override
  public RecordCursor open(int partition) {
    return new Cursor(partitions.getOrDefault(partition, List.of()));
  }

  @Override
  public void close() {}

  /** Collects records. */
  public static final class Builder {
    private final String topic;
    private String topicId = "";
    private final Map<Integer, List<Entry>> partitions = new TreeMap<>();
    private final Map<Integer, Long> starts = new TreeMap<>();
    private final Map<Integer, Long> ends = new TreeMap<>();

    private Builder(String topic) {
      this.topic = topic;
    }

    /** Names the topic's id, as a cluster would. */
    public Builder topicId(String id) {
      topicId = id;
      return this;
    }

    /** Makes a partition begin at an offset; it may stay empty. */
    public Builder partition(int partition, long from) {
      partitions.computeIfAbsent(partition, none -> new ArrayList<>());
      starts.put(partition, from);
      ends.merge(partition, from, Math::max);
      return this;
    }

    /** Adds a record at the partition's next offset. */
    public Builder add(int partition, byte[] key, byte[] value) {
      return add(partition, ends.getOrDefault(partition, 0L), 0, key, value, new RecordHeaders());
    }

    /**
     * Adds a record.
     *
     * @param offset beyond those that the partition has; offsets between them hold no record
     * @param timestamp in milliseconds since 1970
     */
    public Builder add(
        int partition, long offset, long timestamp, byte[] key, byte[] value, Headers headers) {
      long end = ends.getOrDefault(partition, 0L);
      if (partition < 0 || offset < end) {
        throw new IllegalArgumentException("offset " + offset + " of partition " + partition
            + " must be at least " + end + ", the end so far");
      }
      starts.putIfAbsent(partition, 0L);
      partitions
          .computeIfAbsent(partition, none -> new ArrayList<>())
          .add(new Entry(offset, timestamp, key, value, headers));
      ends.put(partition, offset + 1);
      return this;
    }

    /** Leaves offsets of a partition behind that hold no record. */
    public Builder skip(int partition, long offsets) {
      partition(partition, starts.getOrDefault(partition, 0L));
      ends.merge(partition, offsets, Long::sum);
      return this;
    }

    /** The recording so far. */
    public MemoryRecording build() {
      List<RecordedRange> ranges = new ArrayList<>();
      Map<Integer, List<Entry>> copy = new TreeMap<>();
      partitions.forEach((partition, entries) -> {
        copy.put(partition, List.copyOf(entries));
        ranges.add(new RecordedRange(
            partition, starts.get(partition), ends.get(partition), entries.size()));
      });
      return new MemoryRecording(
          new RecordingHeader("memory", "", topic, topicId, ranges, "", ""), copy);
    }
  }

  private static final class Cursor implements RecordCursor {
    private final List<Entry> entries;
    private int at = -1;

    Cursor(List<Entry> entries) {
      this.entries = entries;
    }

    @Override
    public boolean next() {
      at = Math.min(at + 1, entries.size());
      return at < entries.size();
    }

    @Override
    public long offset() {
      return entries.get(at).offset();
    }

    @Override
    public long timestamp() {
      return entries.get(at).timestamp();
    }

    @Override
    public byte[] key() {
      return entries.get(at).key();
    }

    @Override
    public byte[] value() {
      return entries.get(at).value();
    }

    @Override
    public Headers headers() {
      return entries.get(at).headers();
    }

    @Override
    public void close() {}
  }
}
