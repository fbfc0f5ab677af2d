package dev.sotto.replay.recording;

import java.util.List;
import java.util.OptionalLong;

/**
 * What a recording says of itself.
 *
 * @param format {@code avro} for one that {@code record} has made, otherwise that of the text file
 * @param clusterId of the cluster; empty where there was none
 * @param topic its name; of a text file, that of the file
 * @param topicId tells the topic from one that was made again under its name; empty where there was none
 * @param ranges by partition, in ascending order
 * @param schema the Avro schema of the values as JSON; empty where there is none
 * @param digest of everything in it; empty for a text file
 */
public record RecordingHeader(
    String format,
    String clusterId,
    String topic,
    String topicId,
    List<RecordedRange> ranges,
    String schema,
    String digest) {
  public RecordingHeader {
    ranges = List.copyOf(ranges);
  }

  /** How many records there are in all partitions; empty where that is not known. */
  public OptionalLong records() {
    return ranges.stream().anyMatch(each -> each.records() < 0)
        ? OptionalLong.empty()
        : OptionalLong.of(ranges.stream().mapToLong(RecordedRange::records).sum());
  }
}
