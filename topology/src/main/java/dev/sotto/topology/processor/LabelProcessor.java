package dev.sotto.topology.processor;

import dev.sotto.serdes.event.LabelledEvent;
import dev.sotto.topology.batch.BatchProcessor;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.NewHistory;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.failure.TransientException;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.fetch.TopicIds;
import dev.sotto.topology.label.LabelIds;
import dev.sotto.topology.label.LabelJoin;
import dev.sotto.topology.label.PendingEvent;
import dev.sotto.topology.label.WaitingBytes;
import dev.sotto.topology.log.Logs;
import dev.sotto.topology.log.ReadEnd;
import dev.sotto.topology.log.SourceReading;
import dev.sotto.topology.settings.LabelKeys;
import dev.sotto.topology.settings.LateLabels;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import java.io.File;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands the events and labels of one partition to their join. Where nothing more is sent, it looks
 * itself whether all labels of an event's time have been read, by the ends of the logs and the
 * clock.
 */
public final class LabelProcessor implements BatchProcessor {
  /** Between two looks at the clock, while anything is remembered. */
  private static final Duration LOOK = Duration.ofMillis(500);

  /** Calls of the join in one look, a bounded amount of work each: a transaction bears them. */
  private static final int MOST_CALLS = 4;

  /** Between two looks at the end of the events, while none waits: only to forget labels. */
  private static final long LOOK_FOR_EVENTS = 30_000;

  /** Between two lines of what became of labels. */
  private static final long TELL = 600_000;

  /** What became of labels depends on what records hold. */
  private static final Logger INSIDE = LoggerFactory.getLogger("inside.labels");

  private final LearnerSettings settings;
  private final LateLabels labels;
  private final Logs logs;
  private final LabelIds ids;
  private final SourceReading readingOfEvents;
  private final SourceReading readingOfLabels;
  private final WaitingBytes waiting;
  private ProcessorContext<byte[], byte[]> context;
  private LabelJoin join;
  private WaitingBytes.Part held;
  private ReadEnd endOfEvents;
  private ReadEnd endOfLabels;
  private long nextEvent;
  private long nextLabel;
  private Cancellable timer;
  private long lastTaken; // at the clock's time
  private long lookedForEvents; // at the clock's time
  private long toldAt;

  /**
   * A processor.
   *
   * @param waiting bounds what all processors of the instance hold
   */
  public LabelProcessor(
      LearnerSettings settings, LateLabels labels, Logs logs, WaitingBytes waiting) {
    this.settings = settings;
    this.labels = labels;
    this.logs = logs;
    this.waiting = waiting;
    this.ids = LabelIds.of(labels);
    this.readingOfEvents = SourceReading.of(settings, labels.features());
    this.readingOfLabels = SourceReading.of(settings, labels.topic());
  }

  /** Sends an event to the partition of the same number as that of its features. */
  public static OutputPartitioner partitioner() {
    return (topic, key, value, partitions) -> {
      int partition = LabelledEvent.partition(value);
      if (partition >= partitions) {
        throw new UnsafeToContinueException("the users' topics have got partitions that " + topic
            + " has not, which has " + partitions + ": events of partition " + partition
            + " would have no place. Start again (docs/late-labels.md, More partitions)");
      }
      return Set.of(partition);
    };
  }

  /** Cold start, every time: Streams initialises the same object again after a task was lost. */
  @Override
  public void init(ProcessorContext<byte[], byte[]> newContext) {
    close();
    context = newContext;
    int partition = context.taskId().partition();
    endOfEvents = logs.end(context.appConfigs(), labels.features());
    endOfLabels = logs.end(context.appConfigs(), labels.topic());
    nextEvent = position(labels.features(), partition);
    nextLabel = position(labels.topic(), partition);
    join = new LabelJoin(
        StoreTable.of(context, Names.JOINS, settings),
        labels.topic(),
        labels.patience().toMillis(),
        settings.modelIds().header(),
        this::write);
    held = waiting.part(this::freeBytes);
    TopicIds ids = TopicIds.of(context.appConfigs());
    if (!join.eventsFrom(ids.id(labels.features()))) {
      throw TopicIds.madeAgain(labels.features());
    }
    if (!join.labelsFrom(ids.id(labels.topic()))) {
      throw new UnsafeToContinueException("topic " + labels.topic()
          + " was deleted and made again: labels in it would be left out as joined. Give the new"
          + " one another name, and set " + LabelKeys.TOPIC + " to that");
    }
    endOfEvents.requireReaches(partition, join.eventsTaken());
    endOfLabels.requireReaches(partition, join.labelsTaken());
    String changelog = Names.changelog(settings.app(), Names.JOINS);
    if (join.eventsTaken() > 0 && !logs.hasRecords(context.appConfigs(), changelog, partition)) {
      throw new UnsafeToContinueException("topic " + changelog + " was deleted: the events"
          + " that wait, and whose slots are taken, stand on this machine alone. Restore it, or "
          + NewHistory.START);
    }
    logs.last(context.appConfigs(), settings.eventTopic(), partition)
        .ifPresent(this::requireWritten);
    timer = null;
    startTimer();
  }

  /**
   * The join's memory is committed together with what it writes. Where it is behind that, it would
   * write events again, and each would be learned twice. It may be that it was restored too early,
   * or from files that were put back: then it is restored again.
   */
  private void requireWritten(byte[] labelled) {
    long offset = LabelledEvent.offset(labelled);
    if (!join.hasWritten(offset)) {
      throw new TransientException("event " + offset + " of " + labels.features() + "-"
          + context.taskId().partition() + " stands joined in " + settings.eventTopic()
          + ", but the join does not remember it. If this stays, "
          + Names.changelog(settings.app(), Names.JOINS)
          + " was lost, or an older one put in its place, and events would be learned twice:"
          + " restore it, or " + NewHistory.START);
    }
  }

  private long position(String topic, int partition) {
    return logs.groupPosition(context.appConfigs(), context.applicationId(), topic, partition);
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    RecordMetadata where = context.recordMetadata().orElseThrow();
    take(
        where.topic(),
        where.offset(),
        record.timestamp(),
        record.key(),
        record.value(),
        record.headers());
    taken();
  }

  /** However many come together, and whichever topic is ahead, the same is written. */
  @Override
  public void process(List<ConsumerRecord<byte[], byte[]>> records) {
    for (ConsumerRecord<byte[], byte[]> each : records) {
      take(each.topic(), each.offset(), each.timestamp(), each.key(), each.value(), each.headers());
    }
    taken();
  }

  private void take(
      String topic, long offset, long time, byte[] key, byte[] stored, Headers headers) {
    int partition = context.taskId().partition();
    if (time <= 0 || time == Long.MAX_VALUE) {
      throw new SottoException(
          FailureKind.RECORDING,
          "record " + offset + " of " + topic + "-" + partition
              + " has no time, and labels are joined by the times at which records were appended:"
              + " use recordings that have them");
    }
    boolean isLabel = topic.equals(labels.topic());
    byte[] value = (isLabel ? readingOfLabels : readingOfEvents).value(stored, headers);
    String id = ids.of(key, value);
    if (isLabel) {
      nextLabel = offset + 1;
      join.label(offset, time, id, value);
    } else {
      nextEvent = offset + 1;
      join.event(new PendingEvent(
          new LabelledEvent.Source(partition, offset, time),
          LabelledEvent.Join.MISSING,
          id,
          key,
          value,
          headers));
    }
  }

  private void taken() {
    join.taken();
    startTimer();
    if (!fits()) {
      look(); // what is over by now need not wait for the timer
      if (!fits() && !join.isDue()) {
        tell();
        throw waiting.exceeded();
      }
    }
  }

  private boolean fits() {
    return held.fits(join.bytes(), context.currentSystemTimeMs());
  }

  /** Of the disk on which the state lies; no bound where nobody says which one that is. */
  private long freeBytes() {
    Object folder = context.appConfigs().get(StreamsConfig.STATE_DIR_CONFIG);
    File disk = folder == null ? null : new File(folder.toString());
    return disk == null || !disk.exists() ? Long.MAX_VALUE : disk.getUsableSpace();
  }

  /**
   * From the first record, or a start, until long enough after the last record that nothing of it
   * is remembered: every punctuation makes Streams commit. Whatever records hold: since when a
   * thread has not committed is seen by everybody, and so is when events were written, by the
   * ledger's offsets.
   */
  private void startTimer() {
    lastTaken = context.currentSystemTimeMs();
    if (timer == null) {
      timer = context.schedule(LOOK, PunctuationType.WALL_CLOCK_TIME, now -> look());
    }
  }

  private boolean isOver(long now) {
    long remembered = 2 * labels.patience().toMillis() + labels.grace().toMillis();
    return !join.hasEvents() && now - lastTaken > remembered + 2 * LOOK_FOR_EVENTS;
  }

  private void look() {
    long now = context.currentSystemTimeMs();
    int partition = context.taskId().partition();
    long grace = labels.grace().toMillis();
    long labelsRead = ReadEnd.THERE_IS_MORE;
    long eventsRead = ReadEnd.THERE_IS_MORE;
    if (join.hasEvents()) {
      labelsRead =
          settled(endOfLabels.readBefore(partition, nextLabel, now, join.nextDue() + grace));
    } else if (now - lookedForEvents >= LOOK_FOR_EVENTS) {
      eventsRead = settled(endOfEvents.readBefore(partition, nextEvent, now, now));
      lookedForEvents = now;
    }
    int calls = 0;
    do {
      join.passed(labelsRead, eventsRead);
      calls++;
    } while (join.isDue() && calls < MOST_CALLS);
    if (now - toldAt >= TELL) {
      tell();
      toldAt = now;
    }
    if (timer != null && isOver(now)) {
      timer.cancel();
      timer = null;
    }
  }

  private void tell() {
    INSIDE.info(
        "labels of partition {} so far: {}; {} bytes wait",
        context.taskId().partition(),
        join.counts(),
        join.bytes());
  }

  private long settled(long readBefore) {
    return readBefore == ReadEnd.THERE_IS_MORE || readBefore == Long.MAX_VALUE
        ? readBefore
        : readBefore - labels.grace().toMillis();
  }

  private void write(byte[] key, byte[] labelled, Headers headers) {
    context.forward(
        new Record<>(key, labelled, Math.max(0, context.currentSystemTimeMs()), headers),
        Names.TO_LABELLED);
  }

  @Override
  public void close() {
    if (join != null) {
      join.close();
      held.release();
      join = null;
    }
    if (endOfEvents != null) {
      endOfEvents.close();
      endOfLabels.close();
      endOfEvents = null;
    }
  }
}
