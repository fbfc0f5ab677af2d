package dev.sotto.topology;

import dev.sotto.learner.training.RoundSlices;
import dev.sotto.topology.batch.BatchRule;
import dev.sotto.topology.encryption.Encryption;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.label.WaitingBytes;
import dev.sotto.topology.log.Logs;
import dev.sotto.topology.processor.BoundedTimestamps;
import dev.sotto.topology.processor.HomePartitioner;
import dev.sotto.topology.processor.JoinTimes;
import dev.sotto.topology.processor.LabelProcessor;
import dev.sotto.topology.processor.LogAppendTimes;
import dev.sotto.topology.processor.RoundTimestamps;
import dev.sotto.topology.processor.TrainerProcessor;
import dev.sotto.topology.processor.WorkerProcessor;
import dev.sotto.topology.registry.RegistryCopies;
import dev.sotto.topology.rocksdb.PageStore;
import dev.sotto.topology.settings.CandidateModels;
import dev.sotto.topology.settings.LateLabels;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.SourceTopics;
import dev.sotto.topology.status.LearnerStatus;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.TopologyException;
import org.apache.kafka.streams.processor.TimestampExtractor;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * Builds the topology. Not in it are:
 *
 * <ul>
 *   <li>batches: {@code BoundedConsumer} packs the records of one fetch into one, which {@code
 *       WatchedProcessor} unpacks ({@link #batched});
 *   <li>the announcer of layout ordered, which writes the topic of the order, on a thread of its
 *   own and outside of transactions ({@link Logs#announce});
 *   <li>the readers of committed logs, with consumers of their own and without a group: of events
 *   that an order announces, of all that is read again after a restart, and of the ledger ({@link
 *   Logs}).
 * </ul>
 */
public final class LearnerTopology {
  /**
   * Segments roll by time too: with the events' own times ten years of them would make hundreds.
   * And a segment that is being written is never compacted: with Kafka's 1 GiB a state of 60 MB,
   * written over and over, would lie there up to 20 times, all of it read by whoever restores it.
   * With 64 MiB a changelog stays below about three times the state plus what is written while the
   * broker's cleaner sleeps (15 s by default).
   */
  private static final Map<String, String> CHANGELOG = Map.of(
      "message.timestamp.type", "LogAppendTime", "segment.bytes", Integer.toString(64 << 20));

  private LearnerTopology() {}

  /**
   * The topology of a learner.
   *
   * @param source the topic that the trainer reads: events, announcements, or sums
   */
  public static Topology build(LearnerSettings settings, SourceTopics source, Logs logs) {
    return build(settings, source, logs, new LearnerStatus(LearnerStatus.MOST_MODELS));
  }

  /**
   * The same, telling what it does.
   *
   * @param status reported by the tasks
   */
  public static Topology build(
      LearnerSettings settings, SourceTopics source, Logs logs, LearnerStatus status) {
    Topology topology = new Topology();
    addTo(topology, settings, source, logs, status);
    return topology;
  }

  /** The same, with copies of what is published. */
  public static Topology build(
      LearnerSettings settings, SourceTopics source, Logs logs, Optional<RegistryCopies> copies) {
    Topology topology = new Topology();
    LearnerStatus status = new LearnerStatus(LearnerStatus.MOST_MODELS);
    addTo(topology, settings, source, logs, new TaskWatch(status, copies));
    return topology;
  }

  /**
   * Adds the same to a topology of one's own, which keeps what it has: both run in one application,
   * and in one transaction where they share a thread.
   *
   * @throws SottoException where the two cannot be one: they read the same topic, have nodes or
   *     stores of one name, or the layout holds tasks back
   */
  public static void addTo(
      Topology own,
      LearnerSettings settings,
      SourceTopics source,
      Logs logs,
      LearnerStatus status) {
    addTo(own, settings, source, logs, new TaskWatch(status, Optional.empty()));
  }

  /** The same, with copies of what is published. */
  public static void addTo(
      Topology own, LearnerSettings settings, SourceTopics source, Logs logs, TaskWatch watch) {
    if (settings.layout() == Layout.ROUNDS && !own.describe().subtopologies().isEmpty()) {
      throw new SottoException(
          FailureKind.CONFIGURATION,
          "layout rounds holds tasks back until all of their partitions have records, and would"
              + " hold back those of your own topology: take another layout, or start the learner"
              + " as an application of its own");
    }
    try {
      LearnerNodes.add(
          own, subtopologies(settings, source, logs, watch.status()), settings.app(), watch);
    } catch (TopologyException clash) {
      throw new SottoException(
          FailureKind.CONFIGURATION,
          "the learner cannot be added to your own topology: " + clash.getMessage()
              + "; the learner alone reads " + settings.sourceTopic()
              + " and its own topics, and its nodes and stores need their names for themselves",
          clash);
    }
  }

  /** The topics that the learner's processors read, and nobody else in the application. */
  public static Set<String> inputs(LearnerSettings settings) {
    Set<String> all = new HashSet<>(inputsOfLayout(settings));
    settings.labels().ifPresent(labels -> all.addAll(Set.of(labels.features(), labels.topic())));
    return Set.copyOf(all);
  }

  /**
   * Those of them whose records may come in batches, and in which. Others are few, and a reading
   * may follow each. What Streams hands on by its logical time is of one time in each batch.
   */
  public static Map<String, BatchRule> batched(LearnerSettings settings, SourceTopics source) {
    return switch (settings.layout()) {
      case DIRECT -> Map.of(settings.eventTopic(), BatchRule.ANY);
      case ORDERED -> Map.of();
      case ROUNDS -> {
        RoundSlices slicing = slicing(settings, source);
        yield Map.of(
            settings.eventTopic(), each -> slicing.roundOf(each.partition(), each.offset()));
      }
    };
  }

  private static RoundSlices slicing(LearnerSettings settings, SourceTopics source) {
    return new RoundSlices(source.genesis().firstSlices(), settings.plan().queriesPerRound());
  }

  private static Set<String> inputsOfLayout(LearnerSettings settings) {
    return switch (settings.layout()) {
      case DIRECT -> Set.of(settings.eventTopic());
      case ORDERED -> Set.of(settings.trainingTopic());
      case ROUNDS ->
        Set.of(settings.eventTopic(), Names.control(settings.app()), settings.trainingTopic());
    };
  }

  /**
   * What {@link #build} adds, part by part: a later one reads what an earlier one writes. Where
   * labels come later, the first one is their join, which writes the event topic; no other part
   * knows of it.
   */
  public static List<Subtopology> subtopologies(
      LearnerSettings settings, SourceTopics source, Logs logs, LearnerStatus status) {
    List<Subtopology> parts = new ArrayList<>();
    settings.labels().ifPresent(labels -> parts.add(join(settings, labels, logs)));
    parts.addAll(behindEvents(settings, source, logs, status));
    return parts;
  }

  /** Those of them that stand behind the event topic, whoever writes it. */
  public static List<Subtopology> behindEvents(
      LearnerSettings settings, SourceTopics source, Logs logs, LearnerStatus status) {
    return switch (settings.layout()) {
      case DIRECT ->
        List.of(trainer(settings, source, logs, status, Names.EVENTS, List.of(letters(settings))));
      case ORDERED ->
        List.of(trainer(settings, source, logs, status, Names.ORDER, List.of(letters(settings))));
      case ROUNDS ->
        List.of(
            workers(settings, source, logs, status),
            trainer(
                settings, source, logs, status, Names.SUMS, List.of(control(settings, source))));
    };
  }

  private static Subtopology join(LearnerSettings settings, LateLabels labels, Logs logs) {
    WaitingBytes waiting = new WaitingBytes(labels.most());
    return new Subtopology(
        Names.JOIN,
        List.of(
            new Subtopology.Input(Names.FEATURES, labels.features(), new JoinTimes()),
            new Subtopology.Input(Names.LABELS, labels.topic(), new JoinTimes())),
        () -> new LabelProcessor(settings, labels, logs, waiting),
        // Many writes to few keys between two commits: one goes to disk and changelog.
        List.of(stored(Names.JOINS).withCachingEnabled()),
        List.of(new Subtopology.Output(
            Names.TO_LABELLED, settings.eventTopic(), LabelProcessor.partitioner())));
  }

  /**
   * Events and control meet in one worker a partition, in logical order; parts meet in one
   * coordinator.
   */
  private static Subtopology workers(
      LearnerSettings settings, SourceTopics source, Logs logs, LearnerStatus status) {
    RoundSlices slicing = slicing(settings, source);
    return new Subtopology(
        Names.WORK,
        List.of(
            new Subtopology.Input(
                Names.EVENTS, settings.eventTopic(), RoundTimestamps.ofEvents(slicing)),
            new Subtopology.Input(
                Names.CONTROL, Names.control(settings.app()), RoundTimestamps.ofControl())),
        WorkerProcessor.supplier(settings, source, logs, status),
        List.of(),
        List.of(output(Names.TO_SUMS, Names.sums(settings.app())), letters(settings)));
  }

  private static Subtopology.Output control(LearnerSettings settings, SourceTopics source) {
    Set<Integer> everywhere = IntStream.range(0, source.genesis().firstSlices().size())
        .boxed()
        .collect(Collectors.toUnmodifiableSet());
    return new Subtopology.Output(
        Names.TO_CONTROL,
        Names.control(settings.app()),
        (topic, key, value, partitions) -> Optional.of(everywhere));
  }

  private static Subtopology trainer(
      LearnerSettings settings,
      SourceTopics source,
      Logs logs,
      LearnerStatus status,
      String input,
      List<Subtopology.Output> more) {
    ModelIdRule ids = settings.modelIds();
    CandidateModels candidates = settings.run().candidates();
    int homes = source.partitions();
    String app = settings.app();
    List<StoreBuilder<KeyValueStore<String, byte[]>>> stores =
        new ArrayList<>(List.of(heads(), learner(settings)));
    if (settings.keepsHistories()) {
      stores.add(units());
    }
    List<Subtopology.Output> outputs = new ArrayList<>();
    outputs.add(new Subtopology.Output(
        Names.TO_LEDGER, Names.ledger(app), HomePartitioner.ofIds(ids, candidates, homes)));
    outputs.add(new Subtopology.Output(
        Names.TO_SNAPSHOTS, Names.snapshots(app), HomePartitioner.ofParts(ids, candidates, homes)));
    if (settings.plan().metrics() != null) {
      outputs.add(new Subtopology.Output(
          Names.TO_METRICS, Names.metrics(app), HomePartitioner.ofIds(ids, candidates, homes)));
    }
    outputs.addAll(more);
    return new Subtopology(
        Names.TRAIN,
        List.of(new Subtopology.Input(input, settings.trainingTopic(), times(settings))),
        () -> new TrainerProcessor(settings, source, logs, status),
        stores,
        outputs);
  }

  private static TimestampExtractor times(LearnerSettings settings) {
    return settings.plan().needsLogTime() ? new LogAppendTimes() : new BoundedTimestamps();
  }

  private static Subtopology.Output output(String name, String topic) {
    return new Subtopology.Output(name, topic, null);
  }

  private static Subtopology.Output letters(LearnerSettings settings) {
    return output(Names.TO_DEAD_LETTERS, Names.deadLetters(settings.app()));
  }

  /**
   * Small and persistent, so that the process keeps its id over a restart and fences its dead
   * transaction at once.
   */
  private static StoreBuilder<KeyValueStore<String, byte[]>> heads() {
    return stored(Names.HEADS);
  }

  /** One short history per unit, of any number of units: on disk. */
  private static StoreBuilder<KeyValueStore<String, byte[]>> units() {
    return stored(Names.UNITS);
  }

  private static StoreBuilder<KeyValueStore<String, byte[]>> stored(String name) {
    return Stores.keyValueStoreBuilder(
            Stores.persistentKeyValueStore(name), Serdes.String(), Serdes.ByteArray())
        .withLoggingEnabled(CHANGELOG)
        .withCachingDisabled();
  }

  /** One model on the heap, beside the one that learns; many models on disk. */
  private static StoreBuilder<KeyValueStore<String, byte[]>> learner(LearnerSettings settings) {
    return Stores.keyValueStoreBuilder(
            settings.modelIds().sharesPartitions()
                ? pages(settings.encryption())
                : Stores.inMemoryKeyValueStore(Names.LEARNER),
            Serdes.String(),
            Serdes.ByteArray())
        .withLoggingEnabled(CHANGELOG)
        .withCachingDisabled();
  }

  /**
   * Encrypted values are verified by RocksDB too, although they need not be: what does not decrypt
   * is taken for written under another key, and stops the learner, where a damaged file should not.
   */
  private static KeyValueBytesStoreSupplier pages(Encryption encryption) {
    return encryption.equals(Encryption.none())
        ? PageStore.supplier(Names.LEARNER)
        : Stores.persistentKeyValueStore(Names.LEARNER);
  }
}
