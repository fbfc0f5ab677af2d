package dev.sotto.replay.recording;

import java.util.List;
import java.util.OptionalLong;

/**
 * What a recording says about itself.
 *
 * @param format {@code avro} for one that {@code record} has written, otherwise that of the text
 *     file
 * @param origin where the records come from
 * @param ranges by partition, in ascending order
 * @param schema the Avro schema of the values as JSON; empty where there is none
 * @param digest of the whole recording; empty for a text file
 */
public record RecordingHeader(
    String format,
    RecordingOrigin origin,
    List<RecordedRange> ranges,
    String schema,
    String digest) {
  public RecordingHeader {
    ranges = List.copyOf(ranges);
  }

  /** The id of the cluster; empty where there is none. */
  public String clusterId() {
    return origin.clusterId();
  }

  /** The name of the topic or file. */
  public String topic() {
    return origin.topic();
  }

  /** The id of the topic; empty where there is none. */
  public String topicId() {
    return origin.topicId();
  }

  /** The same header over other ranges. */
  public RecordingHeader withRanges(List<RecordedRange> others) {
    return new RecordingHeader(format, origin, others, schema, digest);
  }

  /** One more than the highest partition; 1 where there is none. */
  public int partitions() {
    return 1 + ranges.stream().mapToInt(RecordedRange::partition).max().orElse(0);
  }

  /** The number of records in all partitions; empty where it is not known. */
  public OptionalLong records() {
    return ranges.stream().anyMatch(each -> each.records() < 0)
        ? OptionalLong.empty()
        : OptionalLong.of(ranges.stream().mapToLong(RecordedRange::records).sum());
  }
}
