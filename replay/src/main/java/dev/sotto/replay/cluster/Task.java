package dev.sotto.replay.cluster;

import dev.sotto.topology.Subtopology;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;

/** One processor with its inputs, stores and outputs; what it has done lasts from the next commit on. */
final class Task {
  private static final long NONE = Long.MAX_VALUE;

  /** One topic that it reads. */
  private final class Input {
    private final Subtopology.Input drawn;
    private final Feed feed;
    private final boolean ofEvents;
    private long committed;
    private long headTime;
    private boolean timed;

    Input(Subtopology.Input drawn, Feed feed) {
      this.drawn = drawn;
      this.feed = feed;
      this.ofEvents = drawn.topic().equals(cluster.settings().eventTopic());
      this.committed = feed.position();
    }

    /** The logical time of the record at hand; of one that will never come, that of its offset. */
    long time() {
      if (!timed) {
        headTime = drawn.times().extract(head(), NONE);
        timed = true;
      }
      return headTime;
    }

    private ConsumerRecord<Object, Object> head() {
      if (!feed.hasNext()) {
        return new ConsumerRecord<>(drawn.topic(), id.partition(), feed.position(), null, null);
      }
      return new ConsumerRecord<>(
          drawn.topic(),
          id.partition(),
          feed.offset(),
          feed.timestamp(),
          TimestampType.CREATE_TIME,
          0,
          0,
          feed.key(),
          feed.value(),
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
  private final Cluster cluster;
  private final Map<String, MemoryStore> stores = new LinkedHashMap<>();
  private final List<Input> inputs = new ArrayList<>();
  private Processor<byte[], byte[], byte[], byte[]> processor;
  private TaskContext context;
  private boolean touched;

  Task(Subtopology part, TaskId id, Cluster cluster) {
    this.part = part;
    this.id = id;
    this.cluster = cluster;
    part.stores().forEach(each -> stores.put(each.name(), new MemoryStore(each.name())));
    part.inputs()
        .forEach(each -> inputs.add(new Input(each, cluster.feed(each.topic(), id.partition()))));
  }

  int partition() {
    return id.partition();
  }

  /** Begins from what was committed, in a processor of its own. */
  void start() {
    processor = part.processor().get();
    begin();
  }

  /** Begins elsewhere, once it has ended here. */
  void move() {
    processor.close();
    start();
  }

  /** Begins again in the same processor, as after a fault that only lost the task. */
  void startAgain() {
    processor.close();
    begin();
  }

  private void begin() {
    stores.values().forEach(MemoryStore::dropChanges);
    inputs.forEach(Input::restart);
    touched = false;
    context = new TaskContext(cluster.application(), id, stores, cluster.config());
    context.clockIs(cluster.now());
    processor.init(context);
  }

  /** Processes one record; whether there was one that may be processed now. */
  boolean step() {
    Input input = next();
    if (input == null || !input.feed.hasNext()) {
      return false;
    }
    Feed feed = input.feed;
    // Only where inputs are merged does anybody need more than the record's own time.
    long time = inputs.size() == 1 ? Math.max(0, feed.timestamp()) : input.time();
    String topic = input.drawn.topic();
    Record<byte[], byte[]> record = new Record<>(feed.key(), feed.value(), time, feed.headers());
    context.at(topic, feed.offset(), time);
    if (input.ofEvents) {
      cluster.taken(id.partition(), record);
    }
    feed.advance();
    input.timed = false;
    touched = true;
    processor.process(record);
    return true;
  }

  /** The input whose turn it is: the least time, once all inputs show one; null where one of them has to be awaited. */
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

  /** Lets time pass; whether anybody had waited for it. */
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

  /** Makes last what was done, and hands out what was sent. */
  void commit(Transaction transaction) {
    context.takeCommitRequest();
    stores.values().forEach(MemoryStore::commitChanges);
    inputs.forEach(each -> each.committed = each.feed.position());
    for (TaskContext.Sent each : context.sent) {
      transaction.send(output(each.sink()), each.record());
    }
    context.sent.clear();
    touched = false;
  }

  /** Leaves the offsets of what was sent behind, without records. */
  void abort(Transaction transaction) {
    for (TaskContext.Sent each : context.sent) {
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

  /** Offset in the first input below which everything is committed. */
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
