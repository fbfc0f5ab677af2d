package dev.sotto.replay.cluster;

import java.io.File;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsMetrics;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.Punctuator;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/** The context of a processor in a {@link ProcessorTask}. */
final class ProcessorTaskContext implements ProcessorContext<byte[], byte[]>, RecordMetadata {
  /** A record on its way to a sink. */
  record Sent(String sink, Record<byte[], byte[]> record) {}

  private final String application;
  private final TaskId id;
  private final Map<String, InMemoryStore> stores;
  private final BiConsumer<String, Record<byte[], byte[]>> outputs;
  private final Optional<RecordMetadata> metadata = Optional.of(this);
  private final List<Timer> timers = new ArrayList<>();
  final List<Sent> sent = new ArrayList<>();
  private boolean commitRequested;
  private boolean hasRecord;
  private String topic;
  private long offset;
  private long time;
  private long now;

  /**
   * Of a task.
   *
   * @param outputs takes what it makes, by sink, before it is committed
   */
  ProcessorTaskContext(
      String application,
      TaskId id,
      Map<String, InMemoryStore> stores,
      BiConsumer<String, Record<byte[], byte[]>> outputs) {
    this.application = application;
    this.id = id;
    this.stores = stores;
    this.outputs = outputs;
  }

  void at(String newTopic, long newOffset, long newTime) {
    topic = newTopic;
    offset = newOffset;
    time = newTime;
    hasRecord = true;
  }

  boolean takeCommitRequest() {
    boolean requested = commitRequested;
    commitRequested = false;
    return requested;
  }

  boolean wantsCommit() {
    return commitRequested;
  }

  /** Calls the punctuators that are due; true where there was one. */
  boolean advanceClock(long newNow) {
    now = newNow;
    hasRecord = false;
    boolean called = false;
    for (Timer each : List.copyOf(timers)) {
      if (!each.cancelled && each.due <= now) {
        each.due = now + each.interval;
        each.punctuator.punctuate(now);
        called = true;
      }
    }
    timers.removeIf(each -> each.cancelled);
    return called;
  }

  void clockIs(long newNow) {
    now = newNow;
  }

  // Raw, since no type variable can be bounded by an array.
  @Override
  @SuppressWarnings("rawtypes")
  public void forward(Record record) {
    throw new UnsupportedOperationException("every record names its sink");
  }

  @Override
  @SuppressWarnings({"rawtypes", "unchecked"})
  public void forward(Record record, String sink) {
    Sent output = new Sent(sink, (Record<byte[], byte[]>) record);
    sent.add(output);
    outputs.accept(sink, output.record());
  }

  @Override
  public String applicationId() {
    return application;
  }

  @Override
  public TaskId taskId() {
    return id;
  }

  @Override
  public Optional<RecordMetadata> recordMetadata() {
    return hasRecord ? metadata : Optional.empty();
  }

  @Override
  public String topic() {
    return topic;
  }

  @Override
  public int partition() {
    return id.partition();
  }

  @Override
  public long offset() {
    return offset;
  }

  @Override
  public Serde<?> keySerde() {
    return Serdes.ByteArray();
  }

  @Override
  public Serde<?> valueSerde() {
    return Serdes.ByteArray();
  }

  @Override
  public File stateDir() {
    throw new UnsupportedOperationException("tasks in memory have no folder");
  }

  @Override
  public StreamsMetrics metrics() {
    throw new UnsupportedOperationException("tasks in memory have no metrics");
  }

  @Override
  @SuppressWarnings("unchecked")
  public <S extends StateStore> S getStateStore(String name) {
    return (S) stores.get(name);
  }

  @Override
  public Cancellable schedule(Duration interval, PunctuationType type, Punctuator punctuator) {
    if (type != PunctuationType.WALL_CLOCK_TIME) {
      throw new UnsupportedOperationException("only wall-clock time is supported");
    }
    Timer timer = new Timer(interval.toMillis(), punctuator, now + interval.toMillis());
    timers.add(timer);
    return timer;
  }

  @Override
  public Cancellable schedule(
      Instant start, Duration interval, PunctuationType type, Punctuator punctuator) {
    throw new UnsupportedOperationException("a start time is not supported");
  }

  @Override
  public void commit() {
    commitRequested = true;
  }

  @Override
  public Map<String, Object> appConfigs() {
    return Map.of();
  }

  @Override
  public Map<String, Object> appConfigsWithPrefix(String prefix) {
    return Map.of();
  }

  @Override
  public long currentSystemTimeMs() {
    return now;
  }

  @Override
  public long currentStreamTimeMs() {
    return time;
  }

  private static final class Timer implements Cancellable {
    private final long interval;
    private final Punctuator punctuator;
    private long due;
    private boolean cancelled;

    Timer(long interval, Punctuator punctuator, long due) {
      this.interval = interval;
      this.punctuator = punctuator;
      this.due = due;
    }

    @Override
    public void cancel() {
      cancelled = true;
    }
  }
}
