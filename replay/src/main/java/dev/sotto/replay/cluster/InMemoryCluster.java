package dev.sotto.replay.cluster;

import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.replay.recording.InMemoryRecording;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.Recording;
import dev.sotto.serdes.record.RoundGenesis;
import dev.sotto.serdes.registry.RecordPlace;
import dev.sotto.topology.LearnerTopology;
import dev.sotto.topology.Subtopology;
import dev.sotto.topology.client.CleanStop;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.log.ControlRecords;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.SourceTopics;
import dev.sotto.topology.status.LearnerStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.Record;

/**
 * A cluster in memory that runs a learner's own processors over a recording: its topics, and one
 * task for each processor and partition. The caller decides which task takes a step, commits or
 * crashes, and when time passes. Not thread-safe.
 */
final class InMemoryCluster implements AutoCloseable {
  private static final String ID = RecordPlace.UNIDENTIFIED;

  private long nanos; // stands still but for the age of transactions
  private final LearnerStatus status = new LearnerStatus(LearnerStatus.MOST_MODELS, () -> nanos);
  private final LearnerSettings settings;
  private final Recording recording;
  private final Recording order; // null where the cluster makes its own
  private final Recording labels; // null where the recording holds them
  private final OutputListener outputs;
  private final NoiseKeyHistory keys;
  private final Map<Integer, RecordedRange> ranges = new TreeMap<>();
  private final Map<Integer, RecordedRange> labelRanges = new TreeMap<>();
  private final Map<Integer, Long> ends = new HashMap<>();
  private final int partitions;
  private final int modelPartitions;
  private final Map<String, List<InMemoryPartition>> topics = new HashMap<>();
  private final List<List<byte[]>> ledger = new ArrayList<>();
  private final List<List<ProcessorTask>> tasks = new ArrayList<>();
  private final Arrivals arrivals; // null where no order comes about
  private EventListener listener = (partition, event) -> {};
  private IntSupplier readLimit = () -> Integer.MAX_VALUE;
  private long fetchBytes = Long.MAX_VALUE;
  private long now;
  private long events;
  private boolean endsBeforeOrder;

  /**
   * A cluster before its first step.
   *
   * @param keys under which rounds are computed
   * @param input what was recorded
   */
  InMemoryCluster(
      LearnerSettings settings, RecordedInput input, OutputListener outputs, NoiseKeyHistory keys) {
    this.keys = keys;
    this.recording = input.events();
    this.order = input.order();
    this.labels = input.labels();
    this.settings = settings;
    this.outputs = outputs;
    recording.header().ranges().forEach(each -> ranges.put(each.partition(), each));
    this.partitions = 1 + ranges.keySet().stream().mapToInt(each -> each).max().orElse(0);
    if (labels != null) {
      joinLabels();
    }
    this.modelPartitions = settings.layout() == Layout.DIRECT ? partitions : 1;
    String recorded = recording.header().topicId();
    String topicId = recorded.isEmpty() ? ID : labels == null ? recorded : recorded + "-joined";
    RoundGenesis genesis = null;
    if (settings.layout() == Layout.ROUNDS) {
      genesis = ControlRecords.genesis(settings, topicId, firstSlices(), originKey());
      create(Names.sums(settings.app()), 1);
      create(Names.control(settings.app()), partitions);
      for (Record<byte[], byte[]> each : ControlRecords.beginning(settings, genesis)) {
        topics.get(Names.control(settings.app())).forEach(log -> log.append(each));
      }
    } else if (settings.layout() == Layout.ORDERED) {
      if (order == null) {
        create(Names.order(settings.app()), 1);
      }
    } else if (partitions > 1 && settings.modelIds().source() == ModelIdRule.Source.CONSTANT) {
      throw new SottoException(
          FailureKind.TOPIC,
          "layout direct with one model learns from one partition, but the recording has "
              + partitions
              + ": choose layout ordered or rounds, or another model.id.source");
    }
    for (int i = 0; i < modelPartitions; i++) {
      ledger.add(new ArrayList<>());
    }
    arrivals = settings.layout() == Layout.ORDERED && order == null
        ? new Arrivals(this, partitions, labels != null)
        : null;
    createTasks(topicId, genesis);
  }

  private void joinLabels() {
    List<Integer> there =
        labels.header().ranges().stream().map(RecordedRange::partition).toList();
    ranges.keySet().stream()
        .filter(each -> !there.contains(each))
        .findFirst()
        .ifPresent(lacking -> {
          throw new SottoException(
              FailureKind.RECORDING,
              "the recording of labels lacks partition " + lacking
                  + ", which that of the events has: both topics must have the same partitions");
        });
    labels.header().ranges().forEach(each -> labelRanges.put(each.partition(), each));
    create(settings.eventTopic(), partitions);
  }

  /** Where its tasks are told that they will be stopped. */
  CleanStop cleanStop() {
    return status.threads().stop();
  }

  /** A transaction has ended, and the next one begins. */
  void transactionBegan() {
    status.transactionBegan();
  }

  /** The open transaction has been open for so long that tasks leave what they can to the next. */
  void transactionAges() {
    nanos += TimeUnit.HOURS.toNanos(1);
  }

  private void createTasks(String topicId, RoundGenesis genesis) {
    String trainingId = settings.layout() == Layout.DIRECT ? topicId : ID;
    SourceTopics source =
        new SourceTopics(settings.trainingTopic(), trainingId, modelPartitions, topicId, genesis);
    InMemoryLogs logs = new InMemoryLogs(this);
    int group = 0;
    List<Subtopology> parts = new ArrayList<>();
    if (labels != null) {
      parts.add(LearnerTopology.join(settings, settings.labels().orElseThrow(), logs));
    }
    parts.addAll(LearnerTopology.subtopologies(settings, source, logs, status));
    for (Subtopology part : parts) {
      List<ProcessorTask> all = new ArrayList<>();
      String input = part.inputs().get(0).topic();
      boolean byEvents =
          input.equals(settings.eventTopic()) || input.equals(settings.sourceTopic());
      int count = byEvents ? partitions : 1;
      for (int i = 0; i < count; i++) {
        all.add(new ProcessorTask(part, new TaskId(group, i), this));
      }
      tasks.add(all);
      group++;
    }
  }

  private NoiseKey originKey() {
    String first = keys.keyOf(settings.modelIds().name(), 1);
    if (first == null) {
      return settings.key();
    }
    if (!settings.key().holds(first)) {
      throw new UnsafeToContinueException("the model was begun under noise key " + first
          + ", which is not given: make it noise.key.file, or list it under"
          + " noise.key.previous.files");
    }
    return settings.key().ofId(first);
  }

  NoiseKeyHistory keys() {
    return keys;
  }

  private List<OffsetRange> firstSlices() {
    long batch = settings.plan().batch();
    if (batch % partitions != 0) {
      throw new SottoException(
          FailureKind.CONFIGURATION,
          (settings.plan().learnsFromBlocks() ? "block.slots" : "batch.size")
              + " must be a multiple of the recording's " + partitions
              + " partitions in layout rounds, but was " + batch);
    }
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

  private void create(String topic, int count) {
    List<InMemoryPartition> logs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      logs.add(new InMemoryPartition());
    }
    topics.put(topic, logs);
  }

  /** The tasks that read what was recorded, one for each partition; none that are announced. */
  List<ProcessorTask> sources() {
    return isAnnounced() ? List.of() : tasks.get(0);
  }

  /** The tasks that read the output of those, or announcements; none in layout direct. */
  List<ProcessorTask> downstream() {
    return tasks.stream().skip(isAnnounced() ? 0 : 1).flatMap(List::stream).toList();
  }

  private boolean isAnnounced() {
    return arrivals != null && labels == null;
  }

  /** The events of an order that comes about as they arrive; null without one. */
  Arrivals arrivals() {
    return arrivals;
  }

  List<ProcessorTask> all() {
    return tasks.stream().flatMap(List::stream).toList();
  }

  void watch(EventListener newListener) {
    listener = newListener;
  }

  /** How many records may be read again at once. */
  void readLimit(IntSupplier records) {
    readLimit = records;
  }

  int readLimit() {
    return readLimit.getAsInt();
  }

  /** How many bytes of events are read at once, beside the first. */
  void fetches(long bytes) {
    fetchBytes = bytes;
  }

  /** What is left of a fetch behind its current record. */
  static long left(long bytes, PartitionFeed feed) {
    byte[] key = feed.key();
    byte[] value = feed.value();
    return bytes - (key == null ? 0 : key.length) - (value == null ? 0 : value.length);
  }

  long fetchBytes() {
    return fetchBytes;
  }

  /** The events of a recording are used up, and the order that was recorded goes on. */
  void endBeforeOrder() {
    endsBeforeOrder = true;
  }

  boolean endsBeforeOrder() {
    return endsBeforeOrder;
  }

  LearnerSettings settings() {
    return settings;
  }

  String application() {
    return settings.app();
  }

  long now() {
    return now;
  }

  void passTime(long millis) {
    now += millis;
  }

  /** The number of events taken, of all partitions; those taken twice count twice. */
  long events() {
    return events;
  }

  void taken(int partition, Record<byte[], byte[]> event) {
    events++;
    listener.taken(partition, event);
  }

  /** Whether it follows an order that was recorded: then events are taken as they are read. */
  boolean followsOrder() {
    return order != null;
  }

  /** Offset behind what is recorded of a partition; beyond all where that is not known. */
  long recordedTo(int partition) {
    RecordedRange range = ranges.get(partition);
    return range == null ? 0 : range.to() < 0 ? Long.MAX_VALUE : range.to();
  }

  /** The committed position of the task that reads a partition. */
  long committed(String topic, int partition) {
    return all().stream()
        .filter(each -> each.partition() == partition)
        .mapToLong(each -> each.committed(topic))
        .filter(each -> each >= 0)
        .findFirst()
        .orElse(0);
  }

  /** A feed from the beginning of what there is. */
  PartitionFeed feed(String topic, int partition) {
    List<InMemoryPartition> logs = topics.get(topic);
    if (logs != null) {
      return logs.get(partition).feed(0);
    }
    if (order != null && topic.equals(Names.order(settings.app()))) {
      return new RecordedFeed(order, order.header().ranges().get(0));
    }
    boolean ofLabels = labels != null && !topic.equals(settings.sourceTopic());
    RecordedRange range = (ofLabels ? labelRanges : ranges).get(partition);
    return range == null
        ? InMemoryPartition.nothing()
        : new RecordedFeed(ofLabels ? labels : recording, range);
  }

  /** The topics between its tasks. */
  Map<String, List<InMemoryPartition>> topics() {
    return topics;
  }

  /** A topic between its tasks, as it is now. */
  Recording recorded(String topic) {
    int count = topics.get(topic).size();
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

  InMemoryPartition log(String topic, int partition) {
    return topics.get(topic).get(partition);
  }

  List<byte[]> ledger(int partition) {
    return ledger.get(partition);
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
    try (PartitionFeed feed = new RecordedFeed(recording, range)) {
      while (feed.hasNext()) {
        feed.advance();
      }
      return feed.position();
    }
  }

  InMemoryTransaction begin() {
    return new InMemoryTransaction(settings, topics, ledger, outputs);
  }

  /** Drops records that are not read again if no task crashes. */
  void trim() {
    if (downstream().isEmpty()) {
      return;
    }
    for (ProcessorTask each : tasks.get(tasks.size() - 1)) {
      topics.get(settings.trainingTopic()).get(each.partition()).trim(each.committed());
    }
  }

  @Override
  public void close() {
    all().forEach(ProcessorTask::stop);
    if (arrivals != null) {
      arrivals.close();
    }
  }
}
