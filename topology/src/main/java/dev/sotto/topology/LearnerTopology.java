package dev.sotto.topology;

import dev.sotto.learner.round.Slicing;
import dev.sotto.topology.status.LearnerStatus;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/** Draws the topology; the drawing is only a drawing. */
public final class LearnerTopology {
  private static final ByteArrayDeserializer BYTES = new ByteArrayDeserializer();
  private static final ByteArraySerializer TO_BYTES = new ByteArraySerializer();

  /**
   * Segments roll by time too: with the events' own times ten years of them would make hundreds. And a segment that is
   * being written is never compacted: with Kafka's 1 GiB a state of 60 MB, written over and over, would lie there up to
   * 20 times, all of it read by whoever restores it. With 64 MiB a changelog stays below about three times the state plus
   * what is written while the broker's cleaner sleeps (15 s by default).
   */
  private static final Map<String, String> CHANGELOG = Map.of(
      "message.timestamp.type", "LogAppendTime", "segment.bytes", Integer.toString(64 << 20));

  private LearnerTopology() {}

  /**
   * The topology of a learner.
   *
   * @param source the topic that the trainer reads: events, or the sequence of the funnel
   */
  public static Topology draw(LearnerSettings settings, Source source, Logs logs) {
    return draw(settings, source, logs, new LearnerStatus(LearnerStatus.MOST_MODELS));
  }

  /**
   * The same, telling what it does.
   *
   * @param status told by the tasks
   */
  public static Topology draw(
      LearnerSettings settings, Source source, Logs logs, LearnerStatus status) {
    Topology drawing = new Topology();
    String app = settings.app();
    if (settings.layout() == Layout.DIRECT) {
      source(drawing, Names.EVENTS, settings.eventTopic());
      train(drawing, settings, source, logs, status, Names.EVENTS);
    } else if (settings.layout() == Layout.ROUNDS) {
      rounds(drawing, settings, source, logs, status);
      deadLetters(drawing, Names.TO_DEAD_LETTERS, app, Names.WORK);
      return drawing;
    } else {
      source(drawing, Names.EVENTS, settings.eventTopic());
      drawing
          .addProcessor(
              Names.FUNNEL, () -> new FunnelProcessor(settings, source, logs), Names.EVENTS)
          .addStateStore(forwarded(), Names.FUNNEL);
      drawing.addSink(Names.TO_SEQUENCE, Names.sequence(app), TO_BYTES, TO_BYTES, Names.FUNNEL);
      source(drawing, Names.SEQUENCE, Names.sequence(app));
      deadLetters(drawing, Names.FUNNEL_TO_DEAD_LETTERS, app, Names.FUNNEL);
      train(drawing, settings, source, logs, status, Names.SEQUENCE);
    }
    deadLetters(drawing, Names.TO_DEAD_LETTERS, app, Names.TRAIN);
    return drawing;
  }

  /** Events and control meet in one worker a partition, in logical order; parts meet in one coordinator. */
  private static void rounds(
      Topology drawing, LearnerSettings settings, Source source, Logs logs, LearnerStatus status) {
    String app = settings.app();
    Slicing slicing = new Slicing(source.genesis().firstSlices());
    drawing
        .addSource(
            AutoOffsetReset.none(),
            Names.EVENTS,
            RoundTimes.ofEvents(slicing),
            BYTES,
            BYTES,
            settings.eventTopic())
        .addSource(
            AutoOffsetReset.none(),
            Names.CONTROL,
            RoundTimes.ofControl(),
            BYTES,
            BYTES,
            Names.control(app))
        .addProcessor(
            Names.WORK,
            () -> new WorkerProcessor(settings, source, logs),
            Names.EVENTS,
            Names.CONTROL)
        .addSink(Names.TO_SUMS, Names.sums(app), TO_BYTES, TO_BYTES, Names.WORK);
    source(drawing, Names.SUMS, Names.sums(app));
    train(drawing, settings, source, logs, status, Names.SUMS);
    Set<Integer> everywhere =
        IntStream.range(0, slicing.partitions()).boxed().collect(Collectors.toUnmodifiableSet());
    drawing.addSink(
        Names.TO_CONTROL,
        Names.control(app),
        TO_BYTES,
        TO_BYTES,
        (topic, key, value, partitions) -> Optional.of(everywhere),
        Names.TRAIN);
  }

  private static void source(Topology drawing, String name, String topic) {
    drawing.addSource(AutoOffsetReset.none(), name, new HonestTimestamps(), BYTES, BYTES, topic);
  }

  private static void train(
      Topology drawing,
      LearnerSettings settings,
      Source source,
      Logs logs,
      LearnerStatus status,
      String parent) {
    ModelIds ids = settings.modelIds();
    drawing
        .addProcessor(
            Names.TRAIN, () -> new TrainerProcessor(settings, source, logs, status), parent)
        .addStateStore(heads(), Names.TRAIN)
        .addStateStore(learner(), Names.TRAIN)
        .addSink(
            Names.TO_LEDGER,
            Names.ledger(settings.app()),
            TO_BYTES,
            TO_BYTES,
            HomePartitions.ofIds(ids, source.partitions()),
            Names.TRAIN)
        .addSink(
            Names.TO_SNAPSHOTS,
            Names.snapshots(settings.app()),
            TO_BYTES,
            TO_BYTES,
            HomePartitions.ofParts(ids, source.partitions()),
            Names.TRAIN);
    if (settings.keepsHistories()) {
      drawing.addStateStore(units(), Names.TRAIN);
    }
    if (settings.plan().metrics() != null) {
      drawing.addSink(
          Names.TO_METRICS,
          Names.metrics(settings.app()),
          TO_BYTES,
          TO_BYTES,
          HomePartitions.ofIds(ids, source.partitions()),
          Names.TRAIN);
    }
  }

  private static void deadLetters(Topology drawing, String sink, String app, String parent) {
    drawing.addSink(sink, Names.deadLetters(app), TO_BYTES, TO_BYTES, parent);
  }

  /** Small and persistent, so that the process keeps its id over a restart and fences its dead transaction at once. */
  private static StoreBuilder<KeyValueStore<String, byte[]>> heads() {
    return Stores.keyValueStoreBuilder(
            Stores.persistentKeyValueStore(Names.HEADS), Serdes.String(), Serdes.ByteArray())
        .withLoggingEnabled(CHANGELOG)
        .withCachingDisabled();
  }

  /** One short history per unit, of any number of units: on disk. */
  private static StoreBuilder<KeyValueStore<String, byte[]>> units() {
    return Stores.keyValueStoreBuilder(
            Stores.persistentKeyValueStore(Names.UNITS), Serdes.String(), Serdes.ByteArray())
        .withLoggingEnabled(CHANGELOG)
        .withCachingDisabled();
  }

  /** Written once per event, so cached: what reaches the changelog is one position a commit. */
  private static StoreBuilder<KeyValueStore<String, byte[]>> forwarded() {
    return Stores.keyValueStoreBuilder(
            Stores.inMemoryKeyValueStore(Names.FORWARDED), Serdes.String(), Serdes.ByteArray())
        .withLoggingEnabled(CHANGELOG)
        .withCachingEnabled();
  }

  private static StoreBuilder<KeyValueStore<String, byte[]>> learner() {
    return Stores.keyValueStoreBuilder(
            Stores.inMemoryKeyValueStore(Names.LEARNER), Serdes.String(), Serdes.ByteArray())
        .withLoggingEnabled(CHANGELOG)
        .withCachingDisabled();
  }
}
