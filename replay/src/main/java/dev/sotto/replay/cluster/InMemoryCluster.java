package dev.sotto.replay.cluster;

import dev.sotto.learner.key.NoiseKey;
import dev.sotto.serdes.record.RoundGenesis;
import dev.sotto.serdes.registry.RecordPlace;
import dev.sotto.topology.LearnerTopology;
import dev.sotto.topology.client.CleanStop;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.NewHistory;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.layout.LayoutTopology;
import dev.sotto.topology.layout.Subtopology;
import dev.sotto.topology.log.ControlRecords;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.SourceTopics;
import dev.sotto.topology.settings.TopicRequirement;
import dev.sotto.topology.status.LearnerStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.Record;

/**
 * A cluster in memory that runs a learner's own processors over a recording: its topics, and one
 * task for each processor and partition. The caller decides which task takes a step, commits or
 * crashes, and when time passes. Not thread-safe.
 */
final class InMemoryCluster implements AutoCloseable {
  private static final String ID = RecordPlace.UNIDENTIFIED;

  private long aged; // nanoseconds, of transactions
  private LongSupplier clock = () -> 0; // stands still
  private final LearnerStatus status =
      new LearnerStatus(LearnerStatus.MOST_MODELS, () -> clock.getAsLong() + aged);
  private final LearnerSettings settings;
  private final InMemoryTopics topics;
  private final OutputListener outputs;
  private final NoiseKeyHistory keys;
  private final int modelPartitions;
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
    this.settings = settings;
    this.outputs = outputs;
    this.topics = new InMemoryTopics(settings, input);
    int partitions = topics.partitions();
    this.modelPartitions = settings.layout().homes(partitions);
    String recorded = topics.eventTopicId();
    String topicId = recorded.isEmpty() ? ID : topics.hasLabels() ? recorded + "-joined" : recorded;
    settings.layout().misfit(settings, partitions).ifPresent(misfit -> {
      throw new SottoException(
          settings.layout().needsOnePartition(settings)
              ? FailureKind.TOPIC
              : FailureKind.CONFIGURATION,
          "the recording has " + partitions + " partitions instead of " + misfit.must() + ": "
              + misfit.fix());
    });
    for (TopicRequirement need : LayoutTopology.of(settings).topics(settings)) {
      if (!topics.isRecorded(need.topic())) {
        topics.create(need.topic(), need.partitions().of(partitions));
      }
    }
    RoundGenesis genesis = settings.layout().sumsParts() ? genesis(topicId) : null;
    for (int i = 0; i < modelPartitions; i++) {
      ledger.add(new ArrayList<>());
    }
    arrivals = settings.layout().keepsOrder() && !topics.followsOrder()
        ? new Arrivals(this, partitions, topics.hasLabels())
        : null;
    createTasks(topicId, genesis);
  }

  /** The signal of a clean stop of its tasks. */
  CleanStop cleanStop() {
    return status.threads().stop();
  }

  /** A transaction has ended, and the next one begins. */
  void transactionBegan() {
    status.transactionBegan();
  }

  /** The open transaction has been open for so long that tasks leave what they can to the next. */
  void transactionAges() {
    aged += TimeUnit.HOURS.toNanos(1);
  }

  private void createTasks(String topicId, RoundGenesis genesis) {
    String trainingId = settings.layout().readsEvents() ? topicId : ID;
    SourceTopics source =
        new SourceTopics(settings.trainingTopic(), trainingId, modelPartitions, topicId, genesis);
    InMemoryLogs logs = new InMemoryLogs(this);
    int group = 0;
    List<Subtopology> parts = topics.hasLabels()
        ? LearnerTopology.subtopologies(settings, source, logs, status)
        : LearnerTopology.behindEvents(settings, source, logs, status); // joined, if ever
    for (Subtopology part : parts) {
      List<ProcessorTask> all = new ArrayList<>();
      String input = part.inputs().get(0).topic();
      boolean byEvents =
          input.equals(settings.eventTopic()) || input.equals(settings.sourceTopic());
      int count = byEvents ? topics.partitions() : 1;
      for (int i = 0; i < count; i++) {
        all.add(new ProcessorTask(part, new TaskId(group, i), this));
      }
      tasks.add(all);
      group++;
    }
  }

  /** Begins the model, as a first start does. */
  private RoundGenesis genesis(String topicId) {
    RoundGenesis genesis =
        ControlRecords.genesis(settings, topicId, topics.firstSlices(), originKey());
    for (Record<byte[], byte[]> each : ControlRecords.beginning(settings, genesis)) {
      topics.internal().get(Names.control(settings.app())).forEach(log -> log.append(each));
    }
    return genesis;
  }

  private NoiseKey originKey() {
    String first = keys.keyOf(settings.modelIds().name(), 1);
    if (first == null) {
      return settings.key();
    }
    if (!settings.key().holds(first)) {
      throw new UnsafeToContinueException("the model was begun under noise key " + first
          + ", which is not given: " + NewHistory.OLD_KEY);
    }
    return settings.key().ofId(first);
  }

  NoiseKeyHistory keys() {
    return keys;
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
    return arrivals != null && !topics.hasLabels();
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

  void made(String sink, Record<byte[], byte[]> output) {
    listener.made(sink, output);
  }

  /** Has its tasks look at another clock, in nanoseconds, instead of one that stands still. */
  void clock(LongSupplier newClock) {
    clock = newClock;
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

  /** The committed position of the task that reads a partition. */
  long committed(String topic, int partition) {
    return all().stream()
        .filter(each -> each.partition() == partition)
        .mapToLong(each -> each.committed(topic))
        .filter(each -> each >= 0)
        .findFirst()
        .orElse(0);
  }

  InMemoryTopics topics() {
    return topics;
  }

  List<byte[]> ledger(int partition) {
    return ledger.get(partition);
  }

  InMemoryTransaction begin() {
    return new InMemoryTransaction(settings, topics.internal(), ledger, outputs);
  }

  /** Drops records that are not read again if no task crashes. */
  void trim() {
    if (downstream().isEmpty()) {
      return;
    }
    for (ProcessorTask each : tasks.get(tasks.size() - 1)) {
      topics.log(settings.trainingTopic(), each.partition()).trim(each.committed());
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
