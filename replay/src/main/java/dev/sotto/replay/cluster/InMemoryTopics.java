package dev.sotto.replay.cluster;

import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.replay.recording.InMemoryRecording;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.Recording;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The topics of a cluster in memory: recordings of events, of labels and of their order, which are
 * read only, and the topics between its tasks. Not thread-safe.
 */
final class InMemoryTopics {
  private final LearnerSettings settings;
  private final Recording events;
  private final Recording order; // null where the cluster makes its own
  private final Recording labels; // null where the events hold them
  private final Map<Integer, RecordedRange> ranges = new TreeMap<>();
  private final Map<Integer, RecordedRange> labelRanges = new TreeMap<>();
  private final Map<Integer, Long> ends = new HashMap<>();
  private final Map<String, List<InMemoryPartition>> internal = new HashMap<>();
  private final int partitions;

  /**
   * Those that were recorded.
   *
   * @throws SottoException where events and labels have other partitions
   */
  InMemoryTopics(LearnerSettings settings, RecordedInput input) {
    this.settings = settings;
    this.events = input.events();
    this.order = input.order();
    this.labels = input.labels();
    events.header().ranges().forEach(each -> ranges.put(each.partition(), each));
    this.partitions = 1 + ranges.keySet().stream().mapToInt(each -> each).max().orElse(0);
    if (labels != null) {
      labels.header().ranges().forEach(each -> labelRanges.put(each.partition(), each));
      checkLabels();
      create(settings.eventTopic(), partitions);
    }
  }

  private void checkLabels() {
    for (int each : ranges.keySet()) {
      if (!labelRanges.containsKey(each)) {
        throw new SottoException(
            FailureKind.RECORDING,
            "the recording of labels lacks partition " + each
                + ", which that of the events has: both topics must have the same partitions");
      }
    }
  }

  /** Makes an empty topic between tasks. */
  void create(String topic, int count) {
    List<InMemoryPartition> logs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      logs.add(new InMemoryPartition());
    }
    internal.put(topic, logs);
  }

  /** Those between the tasks, by name. */
  Map<String, List<InMemoryPartition>> internal() {
    return internal;
  }

  InMemoryPartition log(String topic, int partition) {
    return internal.get(topic).get(partition);
  }

  /** The partitions of the event topic. */
  int partitions() {
    return partitions;
  }

  /** The id of the event topic, empty where it was not recorded. */
  String eventTopicId() {
    return events.header().topicId();
  }

  boolean hasLabels() {
    return labels != null;
  }

  /** Whether it follows an order that was recorded: then events are taken as they are read. */
  boolean followsOrder() {
    return order != null;
  }

  /** Whether a topic of the learner's own was recorded. */
  boolean isRecorded(String topic) {
    return order != null && topic.equals(Names.order(settings.app()));
  }

  /** A feed from the beginning of what there is. */
  PartitionFeed feed(String topic, int partition) {
    List<InMemoryPartition> logs = internal.get(topic);
    if (logs != null) {
      return logs.get(partition).feed(0);
    }
    if (isRecorded(topic)) {
      return new RecordedFeed(order, order.header().ranges().get(0));
    }
    boolean ofLabels = labels != null && !topic.equals(settings.sourceTopic());
    RecordedRange range = (ofLabels ? labelRanges : ranges).get(partition);
    return range == null
        ? InMemoryPartition.nothing()
        : new RecordedFeed(ofLabels ? labels : events, range);
  }

  /** A topic between tasks, as it is now. */
  Recording recorded(String topic) {
    int count = internal.get(topic).size();
    InMemoryRecording.Builder made = InMemoryRecording.of(topic);
    for (int i = 0; i < count; i++) {
      made.partition(i, 0);
      try (PartitionFeed feed = feed(topic, i)) {
        for (; feed.hasNext(); feed.advance()) {
          made.add(i, feed.offset(), feed.timestamp(), feed.key(), feed.value(), feed.headers());
        }
        made.skip(i, log(topic, i).end() - feed.position()); // markers, and what was aborted
      }
    }
    return made.build();
  }

  /** Offset behind what is recorded of a partition; beyond all where that is not known. */
  long recordedTo(int partition) {
    RecordedRange range = ranges.get(partition);
    return range == null ? 0 : range.to() < 0 ? Long.MAX_VALUE : range.to();
  }

  /** One past the last offset of an event partition. */
  long endOfEvents(int partition) {
    return ends.computeIfAbsent(partition, this::measure);
  }

  private long measure(int partition) {
    RecordedRange range = ranges.get(partition);
    if (range == null || range.to() >= 0) {
      return range == null ? 0 : range.to();
    }
    try (PartitionFeed feed = new RecordedFeed(events, range)) {
      while (feed.hasNext()) {
        feed.advance();
      }
      return feed.position();
    }
  }

  /**
   * The slices of the first round in layout rounds.
   *
   * @throws SottoException where a partition is lacking
   */
  List<OffsetRange> firstSlices() {
    long batch = settings.plan().batch();
    List<OffsetRange> slices = new ArrayList<>();
    for (int i = 0; i < partitions; i++) {
      RecordedRange range = ranges.get(i);
      if (range == null) {
        throw new SottoException(
            FailureKind.RECORDING,
            "layout rounds needs every partition from 0 on, but the recording lacks partition "
                + i);
      }
      slices.add(new OffsetRange(i, range.from(), range.from() + batch / partitions));
    }
    return slices;
  }
}
