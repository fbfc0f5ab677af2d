package dev.sotto.evaluation.volume;

import dev.sotto.evaluation.volume.VolumeScenario.Load;
import dev.sotto.learner.description.FigureFormat;
import dev.sotto.learner.training.Plan;
import dev.sotto.topology.label.LabelJoin;
import dev.sotto.topology.log.KafkaLogs;
import dev.sotto.topology.log.RememberedSlots;
import dev.sotto.topology.runtime.Deployment;
import dev.sotto.topology.runtime.StreamsSettings;
import dev.sotto.topology.settings.ApplicationKeys;
import dev.sotto.topology.settings.ModelMemory;
import dev.sotto.topology.store.HistoryCache;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.streams.StreamsConfig;

/**
 * Bytes of memory that an instance takes which runs every task, at most.
 *
 * @param heap what it takes of the heap, each with the setting that bounds it
 * @param beside what it takes beside the heap
 */
public record MemoryForecast(List<Part> heap, List<Part> beside) {
  /** Kafka's clients, Streams and the program itself: measured, about 40 MB. */
  private static final long PROGRAM = 64L << 20;

  /** Classes, compiled code, stacks and buffers of the network. */
  private static final long JVM = 256L << 20;

  private static final String RECORDS_THAT_WAIT = "buffered.records.per.partition";

  private static final String UNCOMMITTED = StreamsConfig.STATESTORE_UNCOMMITTED_MAX_BYTES_CONFIG;

  /** A history on the heap, before it is saved: an entry of a table, a name, an array. */
  private static final long ENTRY = 150;

  public MemoryForecast {
    heap = List.copyOf(heap);
    beside = List.copyOf(beside);
  }

  /**
   * One use of memory.
   *
   * @param use what it is for
   * @param setting what makes it smaller
   */
  public record Part(String use, long bytes, String setting) {}

  /** Of a learner under load. */
  public static MemoryForecast of(VolumeScenario scenario) {
    Plan plan = scenario.plan();
    Load load = scenario.load();
    Deployment deployment = scenario.deployment();
    RecordBytes records = RecordBytes.of(scenario);
    long state = records.state().all();
    int homes = scenario.homes();
    long cached = scenario.modelsAtWork();
    boolean onHeap = !scenario.learner().modelIds().sharesPartitions();
    List<Part> heap = new ArrayList<>();
    heap.add(new Part("the program and its clients", PROGRAM, "nothing"));
    heap.add(events(scenario));
    if (scenario.learner().layout().keepsOrder()) {
      heap.add(new Part(
          "events that the trainer reads in their order",
          KafkaLogs.bytesOfEvents(load.partitions()),
          "a sixteenth of the heap, and a fetch of each partition: fewer partitions"));
    }
    if (onHeap) {
      heap.add(new Part(
          "stored states of models, " + load.models() + " of " + FigureFormat.bytes(state),
          Math.multiplyExact(load.models(), state),
          "fewer weights (features.*) or models, or another privacy.mechanism"));
    }
    heap.add(new Part(
        "models at work, " + cached + " at once",
        cached * ModelMemory.bytes(plan),
        onHeap ? "fewer weights (features.*)" : ApplicationKeys.MODELS_HEAP.name()));
    if (!onHeap && cached < load.models()) {
      heap.add(new Part(
          "arrays that a model hands on to the next, in each thread",
          scenario.service().threads() * ModelMemory.bytes(plan),
          "fewer weights (features.*) or stream threads"));
    }
    heap.add(new Part(
        "what producers send",
        number(deployment, "producer.buffer.memory", number(deployment, "buffer.memory", 32L << 20))
            * scenario.service().threads(),
        "kafka.producer.buffer.memory"));
    if (plan.block().readsAgain()) {
      int readers = scenario.learner().layout().sumsParts() ? load.partitions() : homes;
      heap.add(new Part(
          "events that blocks read again",
          readers * RememberedSlots.MOST_BYTES,
          "fewer partitions in an instance"));
    }
    long unsaved = scenario.learner().keepsHistories()
        ? Math.min(load.units(), homes * scenario.learner().cadence().checkpointSlots())
        : 0;
    long staged = staged(scenario, state);
    long stagedHistories = transactional(deployment) ? unsaved : 0;
    heap.add(new Part(
        "what stores keep until it is committed",
        staged + stagedHistories * (ENTRY + records.history()),
        onHeap ? "fewer weights (features.*) or models" : "kafka." + UNCOMMITTED));
    if (scenario.learner().keepsHistories()) {
      heap.add(new Part(
          "histories of units between two checkpoints",
          unsaved * (ENTRY + records.history()),
          ApplicationKeys.CHECKPOINT_SLOTS.name()));
      heap.add(
          new Part("histories of units that were used last", HistoryCache.mostOfAll(), "nothing"));
    }
    if (scenario.learner().labels().isPresent()) {
      heap.add(new Part("ids of events that wait for labels", LabelJoin.mostOfHeap(), "nothing"));
    }
    List<Part> beside = new ArrayList<>();
    beside.add(new Part(
        "RocksDB", scenario.service().memory().rocksDb(), ApplicationKeys.ROCKSDB_MEMORY.name()));
    long given = (onHeap ? 0 : staged) + stagedHistories * records.history();
    if (given > 0) {
      beside.add(
          new Part("what RocksDB is given at the next commit", given, "kafka." + UNCOMMITTED));
    }
    beside.add(new Part("the JVM beside its heap", JVM, "nothing"));
    return new MemoryForecast(heap, beside);
  }

  /**
   * States of models that were written since the last commit: beyond the limit Streams commits, but
   * not within what is written at once. Nothing where stores are not transactional.
   */
  private static long staged(VolumeScenario scenario, long state) {
    Deployment deployment = scenario.deployment();
    long limit = number(deployment, UNCOMMITTED, 64L << 20);
    long all = Math.multiplyExact(scenario.load().models(), state);
    return transactional(deployment) ? Math.min(all, limit + state) : 0;
  }

  private static boolean transactional(Deployment deployment) {
    return Boolean.parseBoolean(
        deployment.streams().get(StreamsConfig.TRANSACTIONAL_STATE_STORES_CONFIG));
  }

  /**
   * Our own consumer bounds bytes that wait; where Streams makes its own, their number is bounded.
   */
  private static Part events(VolumeScenario scenario) {
    Deployment deployment = scenario.deployment();
    Load load = scenario.load();
    long share = scenario.service().memory().events();
    long fetches = Math.max(share, 2 * scenario.service().threads() * fetch(deployment));
    boolean counted = StreamsSettings.streamsGroup(scenario.service());
    long waiting = counted
        ? load.partitions()
            * (number(deployment, RECORDS_THAT_WAIT, 1000) * load.recordBytes()
                + polled(deployment, load.recordBytes()))
        : share;
    return new Part(
        "events that wait for their turn, and fetches",
        waiting + fetches,
        ApplicationKeys.EVENT_MEMORY.name()
            + (counted ? ", kafka." + RECORDS_THAT_WAIT : "")
            + ", and kafka.[consumer.]fetch.max.bytes where it is set");
  }

  /** What one fetch of events brings, at most: by our settings a share of what may wait. */
  private static long fetch(Deployment deployment) {
    return ofConsumer(
        deployment, ConsumerConfig.FETCH_MAX_BYTES_CONFIG, ConsumerConfig.DEFAULT_FETCH_MAX_BYTES);
  }

  /** What a poll adds to a partition that was not full before, since it is paused only then. */
  private static long polled(Deployment deployment, long recordBytes) {
    return Math.min(
        recordBytes * ofConsumer(deployment, ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 500),
        ofConsumer(
            deployment,
            ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
            ConsumerConfig.DEFAULT_MAX_PARTITION_FETCH_BYTES));
  }

  /** A setting of the consumer of events, under whichever name Streams takes it first. */
  private static long ofConsumer(Deployment deployment, String name, long usual) {
    return number(
        deployment,
        "main.consumer." + name,
        number(deployment, "consumer." + name, number(deployment, name, usual)));
  }

  private static long number(Deployment deployment, String name, long usual) {
    String given = deployment.streams().get(name);
    return given == null ? usual : Long.parseLong(given);
  }

  /** All of the heap that is needed. */
  public long heapBytes() {
    return heap.stream().mapToLong(Part::bytes).sum();
  }

  /** All that is needed beside the heap. */
  public long besideBytes() {
    return beside.stream().mapToLong(Part::bytes).sum();
  }

  /** What takes most of the heap. */
  public Part largest() {
    return heap.stream().max(Comparator.comparingLong(Part::bytes)).orElseThrow();
  }

  /** The sum, and its parts in a sentence. */
  public String text() {
    StringBuilder text = new StringBuilder("heap ").append(FigureFormat.bytes(heapBytes()));
    String before = " (";
    for (Part each : heap) {
      text.append(before).append(each.use()).append(": ").append(FigureFormat.bytes(each.bytes()));
      before = "; ";
    }
    text.append("), and beside it ").append(FigureFormat.bytes(besideBytes()));
    before = " (";
    for (Part each : beside) {
      text.append(before).append(each.use()).append(": ").append(FigureFormat.bytes(each.bytes()));
      before = "; ";
    }
    return text.append(")").toString();
  }
}
