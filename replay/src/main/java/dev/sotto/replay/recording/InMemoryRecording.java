package dev.sotto.replay.recording;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** A recording in memory, for tests and for records that a program generates. */
public final class InMemoryRecording implements Recording {
  private final RecordingHeader header;
  private final Map<Integer, List<RecordedRecord>> partitions;

  private InMemoryRecording(RecordingHeader header, Map<Integer, List<RecordedRecord>> partitions) {
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
    private final Map<Integer, List<RecordedRecord>> partitions = new TreeMap<>();
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
          .add(new RecordedRecord.Stored(offset, timestamp, key, value, headers));
      ends.put(partition, offset + 1);
      return this;
    }

    /** Skips offsets of a partition, which hold no record. */
    public Builder skip(int partition, long offsets) {
      partition(partition, starts.getOrDefault(partition, 0L));
      ends.merge(partition, offsets, Long::sum);
      return this;
    }

    /** The recording so far. */
    public InMemoryRecording build() {
      List<RecordedRange> ranges = new ArrayList<>();
      Map<Integer, List<RecordedRecord>> copy = new TreeMap<>();
      partitions.forEach((partition, entries) -> {
        copy.put(partition, List.copyOf(entries));
        ranges.add(new RecordedRange(
            partition, starts.get(partition), ends.get(partition), entries.size()));
      });
      return new InMemoryRecording(
          new RecordingHeader("memory", new RecordingOrigin("", topic, topicId), ranges, "", ""),
          copy);
    }
  }

  private static final class Cursor implements RecordCursor {
    private final List<RecordedRecord> entries;
    private int at = -1;

    Cursor(List<RecordedRecord> entries) {
      this.entries = entries;
    }

    @Override
    public boolean next() {
      at = Math.min(at + 1, entries.size());
      return at < entries.size();
    }

    @Override
    public RecordedRecord current() {
      return entries.get(at);
    }

    @Override
    public void close() {}
  }
}
