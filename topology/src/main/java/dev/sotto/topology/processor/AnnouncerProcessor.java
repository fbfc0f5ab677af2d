package dev.sotto.topology.processor;

import dev.sotto.serdes.record.Announcement;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.topology.batch.BatchProcessor;
import dev.sotto.topology.log.Logs;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Announces how far one event partition has been read, and keeps nothing: the trainer knows what it
 * has learned. What is announced twice changes nothing, and what was not announced belongs to the
 * next announcement. The first of each life says where the group stands, so that nothing waits for
 * a record behind it that may never come.
 */
public final class AnnouncerProcessor implements BatchProcessor {
  /** Between the first record that is not announced and its announcement. */
  static final Duration INTERVAL = Duration.ofMillis(50);

  private static final int MOST = 10_000; // records of one announcement

  private final LearnerSettings settings;
  private final Logs logs;
  private ProcessorContext<byte[], byte[]> context;
  private int partition;
  private long begin;
  private long end;
  private int records;
  private long timestamp;
  private Cancellable timer;

  public AnnouncerProcessor(LearnerSettings settings, Logs logs) {
    this.settings = settings;
    this.logs = logs;
  }

  /** Cold start, every time: Streams initialises the same object again after a task was lost. */
  @Override
  public void init(ProcessorContext<byte[], byte[]> newContext) {
    context = newContext;
    partition = context.taskId().partition();
    begin = logs.groupPosition(
        context.appConfigs(), context.applicationId(), settings.eventTopic(), partition);
    end = begin;
    records = 0;
    timestamp = 0;
    timer = null;
    startTimer();
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    take(context.recordMetadata().orElseThrow().offset(), record.timestamp(), 1);
  }

  @Override
  public void process(List<ConsumerRecord<byte[], byte[]>> batch) {
    ConsumerRecord<byte[], byte[]> last = batch.get(batch.size() - 1);
    long now = System.currentTimeMillis();
    take(last.offset(), BoundedTimestamps.bounded(last.timestamp(), now), batch.size());
  }

  private void take(long offset, long time, int number) {
    end = Math.max(end, offset + 1);
    timestamp = Math.max(timestamp, time);
    records += number;
    if (records >= MOST) {
      announce();
    } else if (timer == null) {
      startTimer();
    }
  }

  /** Only while there is something to announce: every punctuation makes Streams commit. */
  private void startTimer() {
    timer = context.schedule(INTERVAL, PunctuationType.WALL_CLOCK_TIME, now -> announce());
  }

  private void announce() {
    byte[] value = Codecs.ANNOUNCEMENT.encode(new Announcement(partition, begin, end));
    context.forward(new Record<>(null, value, timestamp), Names.TO_ORDER);
    records = 0;
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }
}
