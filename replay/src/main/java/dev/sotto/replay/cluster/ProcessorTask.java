package dev.sotto.replay.cluster;

import dev.sotto.topology.batch.BatchProcessor;
import dev.sotto.topology.layout.Subtopology;
import dev.sotto.topology.settings.Names;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;

/** One processor with its inputs, stores and outputs; its work lasts from the next commit on. */
final class ProcessorTask {
  private static final long NONE = Long.MAX_VALUE;

  /** One topic that it reads. */
  private final class Input {
    private final Subtopology.Input declared;
    private final PartitionFeed feed;
    private final boolean ofEvents;
    private long committed;
    private long headTime;
    private boolean timed;

    Input(Subtopology.Input declared, PartitionFeed feed) {
      this.declared = declared;
      this.feed = feed;
      this.ofEvents = declared.topic().equals(cluster.settings().eventTopic());
      this.committed = feed.position();
    }

    /** The logical time of the current record; at the end, that of the next offset. */
    long time() {
      if (!timed) {
        headTime = declared.times().extract(head(), NONE);
        timed = true;
      }
      return headTime;
    }

    private ConsumerRecord<Object, Object> head() {
      if (!feed.hasNext()) {
        return new ConsumerRecord<>(declared.topic(), id.partition(), feed.position(), null, null);
      }
      return record(feed.key(), feed.value());
    }

    /** Whether it is an event or a label that a join reads. */
    boolean isJoined() {
      return part.name().equals(Names.JOIN);
    }

    ConsumerRecord<byte[], byte[]> record() {
      return record(feed.key(), feed.value());
    }

    private <T> ConsumerRecord<T, T> record(T key, T value) {
      return new ConsumerRecord<>(
          declared.topic(),
          id.partition(),
          feed.offset(),
          feed.timestamp(),
          TimestampType.CREATE_TIME,
          0,
          0,
          key,
          value,
          feed.headers(),
          Optional.empty());
    }

    void restart() {
      feed.seek(committed);
      timed = false;
    }
  }

  private final Subtopology part;
  private final TaskId id;
  private final InMemoryCluster cluster;
  private final Map<String, InMemoryStore> stores = new LinkedHashMap<>();
  private final List<Input> inputs = new ArrayList<>();
  private Processor<byte[], byte[], byte[], byte[]> processor;
  private ProcessorTaskContext context;
  private boolean touched;
  private long lastBytes;

  ProcessorTask(Subtopology part, TaskId id, InMemoryCluster cluster) {
    this.part = part;
    this.id = id;
    this.cluster = cluster;
    part.stores().forEach(each -> stores.put(each.name(), new InMemoryStore(each.name())));
    part.inputs()
        .forEach(each ->
            inputs.add(new Input(each, cluster.topics().feed(each.topic(), id.partition()))));
  }

  int partition() {
    return id.partition();
  }

  /** Starts from what was committed, in a new processor. */
  void start() {
    processor = part.processor().get();
    begin();
  }

  /** Moves to another instance. */
  void move() {
    processor.close();
    start();
  }

  /** Starts again in the same processor, as after a fault of the task alone. */
  void startAgain() {
    processor.close();
    begin();
  }

  private void begin() {
    stores.values().forEach(InMemoryStore::dropChanges);
    inputs.forEach(Input::restart);
    touched = false;
    context = new ProcessorTaskContext(cluster.application(), id, stores, cluster::made);
    context.clockIs(cluster.now());
    processor.init(context);
  }

  /** Processes one record; false where none may be processed now. */
  boolean step() {
    Input input = next();
    if (input == null || !input.feed.hasNext()) {
      return false;
    }
    PartitionFeed feed = input.feed;
    // With one input, the record's own time is enough.
    long time = inputs.size() == 1 ? Math.max(0, feed.timestamp()) : input.time();
    String topic = input.declared.topic();
    Headers headers = feed.headers().iterator().hasNext() ? feed.headers() : null; // else a copy
    Record<byte[], byte[]> record = new Record<>(feed.key(), feed.value(), time, headers);
    context.at(topic, feed.offset(), time);
    if (input.ofEvents) {
      cluster.taken(id.partition(), record);
    }
    lastBytes = feed.bytes();
    feed.advance();
    input.timed = false;
    touched = true;
    processor.process(record);
    return true;
  }

  /**
   * Processes some records: of events, and of what is joined, at most a number together. They are
   * of one time where Streams merges several inputs, but for a join, which may be ahead in any.
   *
   * @return how many; 0 where none may be processed now
   */
  int step(int most) {
    Input input = next();
    if (most == 1
        || input == null
        || !(input.ofEvents || input.isJoined())
        || !(processor instanceof BatchProcessor batches)) {
      return step() ? 1 : 0;
    }
    List<ConsumerRecord<byte[], byte[]>> together = new ArrayList<>();
    boolean anyTime = inputs.size() == 1 || input.isJoined();
    long time = inputs.size() == 1 ? 0 : input.time();
    long bytes = cluster.fetchBytes();
    while (together.size() < most
        && bytes > 0
        && input.feed.hasNext()
        && (anyTime || input.time() == time)) {
      together.add(input.record());
      if (input.ofEvents) {
        cluster.taken(
            id.partition(),
            new Record<>(input.feed.key(), input.feed.value(), 0, input.feed.headers()));
      }
      bytes -= input.feed.bytes();
      input.feed.advance();
      input.timed = false;
    }
    if (together.isEmpty()) {
      return 0;
    }
    context.at(input.declared.topic(), together.get(0).offset(), time);
    touched = true;
    lastBytes = cluster.fetchBytes() - bytes;
    batches.process(together);
    return together.size();
  }

  /** Bytes of keys and values that the last step took. */
  long lastBytes() {
    return lastBytes;
  }

  /** The input with the earliest time; null where another input must be awaited. */
  private Input next() {
    if (inputs.size() == 1) {
      return inputs.get(0);
    }
    Input least = null;
    for (Input each : inputs) {
      if (!each.feed.hasNext() && !each.feed.isOver()) {
        return null;
      }
      if (least == null || each.time() < least.time()) {
        least = each;
      }
    }
    return least;
  }

  /** Sets the time; true where a punctuator was called. */
  boolean advanceClock(long now) {
    boolean called = context.advanceClock(now);
    touched |= called;
    return called;
  }

  boolean wantsCommit() {
    return context.wantsCommit();
  }

  boolean hasOutput() {
    return !context.sent.isEmpty();
  }

  boolean isTouched() {
    return touched;
  }

  /** Commits stores and positions, and sends the output. */
  void commit(InMemoryTransaction transaction) {
    context.takeCommitRequest();
    stores.values().forEach(InMemoryStore::commitChanges);
    inputs.forEach(each -> each.committed = each.feed.position());
    for (ProcessorTaskContext.Sent each : context.sent) {
      transaction.send(output(each.sink()), each.record());
    }
    context.sent.clear();
    touched = false;
  }

  /** Passes the offsets of the output, without records. */
  void abort(InMemoryTransaction transaction) {
    for (ProcessorTaskContext.Sent each : context.sent) {
      transaction.abort(output(each.sink()), each.record());
    }
  }

  private Subtopology.Output output(String sink) {
    for (Subtopology.Output each : part.outputs()) {
      if (each.name().equals(sink)) {
        return each;
      }
    }
    throw new IllegalStateException("task " + id + " has no sink " + sink);
  }

  /** The stores by name; what is committed, where nothing is under way. */
  Map<String, InMemoryStore> stores() {
    return stores;
  }

  /** The committed positions in all inputs. */
  List<Long> positions() {
    return inputs.stream().map(each -> each.committed).toList();
  }

  /** Goes on, from its next start, where another one has stopped. */
  void positions(List<Long> others) {
    for (int i = 0; i < others.size(); i++) {
      inputs.get(i).committed = others.get(i);
    }
  }

  /** The committed position in a topic; negative where it is not read here. */
  long committed(String topic) {
    for (Input each : inputs) {
      if (each.declared.topic().equals(topic)) {
        return each.committed;
      }
    }
    return -1;
  }

  /** The committed position in the first input. */
  long committed() {
    return inputs.get(0).committed;
  }

  void stop() {
    processor.close();
    inputs.forEach(each -> each.feed.close());
  }

  @Override
  public String toString() {
    return part.name() + " " + id.partition();
  }
}
