package dev.sotto.replay.cluster;

import dev.sotto.learner.privacy.OffsetRange;
import dev.sotto.learner.release.NoiseKey;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.Recording;
import dev.sotto.serdes.record.RoundGenesis;
import dev.sotto.topology.ExitCode;
import dev.sotto.topology.Layout;
import dev.sotto.topology.LearnerSettings;
import dev.sotto.topology.LearnerTopology;
import dev.sotto.topology.ModelIds;
import dev.sotto.topology.Names;
import dev.sotto.topology.RoundsLog;
import dev.sotto.topology.Source;
import dev.sotto.topology.StartFailure;
import dev.sotto.topology.Subtopology;
import dev.sotto.topology.core.Refusal;
import dev.sotto.topology.status.LearnerStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntSupplier;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.Record;

/**
 * A cluster in memory that runs a learner's own processors over a recording: its topics, and one task for each
 * processor and partition. Who takes a step, commits, crashes or lets time pass is up to the caller. Not safe for use by
 * several threads.
 */
final class Cluster implements AutoCloseable {
  private static final String ID = "recorded";

  private final LearnerSettings settings;
  private final Recording recording;
  private final Outputs outputs;
  private final KeyHistory keys;
  private final Map<Integer, RecordedRange> ranges = new TreeMap<>();
  private final Map<Integer, Long> ends = new HashMap<>();
  private final int partitions;
  private final int homes;
  private final Map<String, List<MemoryLog>> topics = new HashMap<>();
  private final List<List<byte[]>> ledger = new ArrayList<>();
  private final List<List<Task>> tasks = new ArrayList<>();
  private final Map<String, Object> config = Map.of();
  private EventWatcher watcher = (partition, event) -> {};
  private IntSupplier patience = () -> Integer.MAX_VALUE;
  private long now;
  private long events;

  /**
   * A cluster before its first step.
   *
   * @param settings with layouts as they are; of a recorded sequence see {@code Replay}
   */
  Cluster(LearnerSettings settings, Recording recording, Outputs outputs) {
    this(settings, recording, outputs, (modelId, round) -> null);
  }

  /** The same, of a run whose noise key was rotated. */
  Cluster(LearnerSettings settings, Recording recording, Outputs outputs, KeyHistory keys) {
    this.keys = keys;
    this.settings = settings;
    this.recording = recording;
    this.outputs = outputs;
    recording.header().ranges().forEach(each -> ranges.put(each.partition(), each));
    this.partitions = 1 + ranges.keySet().stream().mapToInt(each -> each).max().orElse(0);
    this.homes = settings.layout() == Layout.DIRECT ? partitions : 1;
    String topicId =
        recording.header().topicId().isEmpty() ? ID : recording.header().topicId();
    RoundGenesis genesis = null;
    if (settings.layout() == Layout.ROUNDS) {
      genesis = RoundsLog.genesis(settings, topicId, firstSlices(), originKey());
      create(Names.sums(settings.app()), 1);
      create(Names.control(settings.app()), partitions);
      for (Record<byte[], byte[]> each : RoundsLog.beginning(settings, genesis)) {
        topics.get(Names.control(settings.app())).forEach(log -> log.append(each));
      }
    } else if (settings.layout() == Layout.FUNNEL) {
      create(Names.sequence(settings.app()), 1);
    } else if (partitions > 1 && settings.modelIds().source() == ModelIds.Source.CONSTANT) {
      throw new StartFailure(
          ExitCode.TOPIC,
          "layout direct with one model learns from one partition, but the recording has "
              + partitions
              + ": choose layout funnel or rounds, or another model.id.source");
    }
    for (int i = 0; i < homes; i++) {
      ledger.add(new ArrayList<>());
    }
    draw(topicId, genesis);
  }

  private void draw(String topicId, RoundGenesis genesis) {
    String trainingId = settings.layout() == Layout.DIRECT ? topicId : ID;
    Source source = new Source(settings.trainingTopic(), trainingId, homes, topicId, genesis);
    LearnerStatus status = new LearnerStatus(LearnerStatus.MOST_MODELS);
    ClusterLogs logs = new ClusterLogs(this);
    int group = 0;
    for (Subtopology part : LearnerTopology.subtopologies(settings, source, logs, status)) {
      List<Task> all = new ArrayList<>();
      int count = part.inputs().get(0).topic().equals(settings.eventTopic()) ? partitions : 1;
      for (int i = 0; i < count; i++) {
        all.add(new Task(part, new TaskId(group, i), this));
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
      throw new Refusal(
          "the model was begun under noise key " + first
              + ", which is not given: make it noise.key.file, or list it under noise.key.previous.files");
    }
    return settings.key().ofId(first);
  }

  KeyHistory keys() {
    return keys;
  }

  private List<OffsetRange> firstSlices() {
    long batch = settings.plan().batch();
    if (batch % partitions != 0) {
      throw new StartFailure(
          ExitCode.CONFIGURATION,
          "batch.size must be a multiple of the recording's " + partitions
              + " partitions in layout rounds, but was " + batch);
    }
    List<OffsetRange> slices = new ArrayList<>();
    for (int i = 0; i < partitions; i++) {
      RecordedRange range = ranges.get(i);
      if (range == null) {
        throw new StartFailure(
            ExitCode.RECORDING,
            "layout rounds needs every partition from 0 on, but the recording lacks partition "
                + i);
      }
      slices.add(new OffsetRange(i, range.from(), range.from() + batch / partitions));
    }
    return slices;
  }

  private void create(String topic, int count) {
    List<MemoryLog> logs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      logs.add(new MemoryLog());
    }
    topics.put(topic, logs);
  }

  /** Tasks that read events, one a partition. */
  List<Task> sources() {
    return tasks.get(0);
  }

  /** Tasks that read what those wrote; none in layout direct. */
  List<Task> behind() {
    return tasks.size() > 1 ? tasks.get(1) : List.of();
  }

  List<Task> all() {
    return tasks.stream().flatMap(List::stream).toList();
  }

  void watch(EventWatcher newWatcher) {
    watcher = newWatcher;
  }

  /** How many records may be read again before it takes too long. */
  void patience(IntSupplier records) {
    patience = records;
  }

  int patience() {
    return patience.getAsInt();
  }

  LearnerSettings settings() {
    return settings;
  }

  String application() {
    return settings.app();
  }

  Map<String, Object> config() {
    return config;
  }

  long now() {
    return now;
  }

  void passTime(long millis) {
    now += millis;
  }

  /** How many events have been taken, of all partitions; those that were read again, again. */
  long events() {
    return events;
  }

  void taken(int partition, Record<byte[], byte[]> event) {
    events++;
    watcher.taken(partition, event);
  }

  /** A feed from the beginning of what there is. */
  Feed feed(String topic, int partition) {
    List<MemoryLog> logs = topics.get(topic);
    if (logs != null) {
      return logs.get(partition).feed(0);
    }
    RecordedRange range = ranges.get(partition);
    return range == null ? MemoryLog.nothing() : new RecordedFeed(recording, range);
  }

  MemoryLog log(String topic, int partition) {
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
    try (Feed feed = new RecordedFeed(recording, range)) {
      while (feed.hasNext()) {
        feed.advance();
      }
      return feed.position();
    }
  }

  Transaction begin() {
    return new Transaction(settings, topics, ledger, outputs);
  }

  /** Forgets what nobody reads again where nothing ever crashes. */
  void trim() {
    for (Task each : behind()) {
      topics.get(settings.trainingTopic()).get(each.partition()).trim(each.committed());
    }
  }

  @Override
  public void close() {
    all().forEach(Task::stop);
  }
}
