package dev.sotto.topology.processor;

import dev.sotto.topology.batch.BatchProcessor;
import dev.sotto.topology.failure.NewHistory;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.log.LedgerLog;
import dev.sotto.topology.log.Logs;
import dev.sotto.topology.log.ReadTime;
import dev.sotto.topology.log.SlotLog;
import dev.sotto.topology.log.SourceReading;
import dev.sotto.topology.log.SourceRecord;
import dev.sotto.topology.settings.EventPartitions;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.SourceTopics;
import dev.sotto.topology.status.LearnerStatus;
import dev.sotto.topology.store.StoredModels;
import dev.sotto.topology.store.UnitTable;
import dev.sotto.topology.trainer.PartitionTrainer;
import dev.sotto.topology.trainer.SlotTrainer;
import dev.sotto.topology.trainer.TrainerOutput;
import dev.sotto.topology.trainer.TrainerSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/** Load, call, write: hands each record of one partition to the trainer's core. */
public abstract sealed class TrainerProcessor implements BatchProcessor
    permits DirectTrainerProcessor, OrderedTrainerProcessor, CoordinatorProcessor {
  private static final Duration GO_ON = Duration.ofMillis(250);

  final LearnerSettings settings;
  final SourceTopics source;
  final Logs logs;
  final LearnerStatus status;
  private final boolean timed;
  private ProcessorContext<byte[], byte[]> context;
  private PartitionTrainer core;
  private SourceReading reading;
  private CatchUpPunctuator catchingUp;
  private StopCheckpoint saving;
  private long oneTransaction; // nanoseconds
  private ReadTime readTime;
  private long timestamp;

  TrainerProcessor(LearnerSettings settings, SourceTopics source, Logs logs, LearnerStatus status) {
    this.settings = settings;
    this.source = source;
    this.logs = logs;
    this.status = status;
    this.timed = settings.plan().needsLogTime();
  }

  /** Makes the core of a task that begins. */
  abstract PartitionTrainer begin(Map<String, Object> config);

  /** What belongs to the source that it reads, partition by partition. */
  TrainerSettings.Source sourceSettings() {
    return new TrainerSettings.Source(
        partition(), source.topicId(), settings.modelIds().describe(source.partitions()));
  }

  /** After what time it goes on with what it left. */
  Duration goesOnAfter() {
    return GO_ON;
  }

  /** Whether a single record may be left to a later reading. */
  boolean leavesRecords() {
    return false;
  }

  /** The core has begun. */
  void begun(PartitionTrainer trainer) {}

  /** From time to time: nobody else would hear of what went wrong, where nothing comes any more. */
  void check() {}

  /** A record has been taken. */
  void taken() {}

  /** What {@link #begun} has begun is of no use any more; also where it was never called. */
  void ended() {}

  /** Cold start, every time: Streams initialises the same object again after a task was lost. */
  @Override
  public void init(ProcessorContext<byte[], byte[]> newContext) {
    context = newContext;
    ended();
    if (core != null) {
      core.close();
    }
    reading = SourceReading.of(settings, source.topic());
    if (partition() >= source.partitions()) {
      throw new UnsafeToContinueException(EventPartitions.others(
          settings,
          source.partitions(),
          logs.partitions(context.appConfigs(), settings.sourceTopic())));
    }
    Map<String, Object> config = context.appConfigs();
    oneTransaction = ReadTimeLimit.of(config).toNanos();
    readTime = ReadTimeLimit.left(config, status, this);
    core = begin(config);
    core.within(readTime);
    saving =
        new StopCheckpoint(context, status.threads().stop(), core::isUnsaved, core::checkpoint);
    core.inspect(); // may refuse: what close() needs is there
    requireHistories(config);
    catchingUp = new CatchUpPunctuator(context, goesOnAfter(), core::isBehind, () -> {
      core.goOn();
      saving.look();
    });
    List<String> models =
        StoreTable.keys(context, Names.HEADS, StoredModels.PREFIX, status.mostModels() + 1);
    Map<String, Long> paid =
        StoredModels.roundsPaid(StoreTable.of(context, Names.HEADS, settings), models);
    status.opened(partition(), paid, core::openSlots, core::isBehind);
    context.schedule(
        settings.cadence().checkpointInterval(),
        PunctuationType.WALL_CLOCK_TIME,
        now -> checkpoint());
    catchingUp.look();
    begun(core);
  }

  /**
   * Files of a store outlive its changelog. Who takes the task over would then restore only what
   * was written since: units of before would have their whole budget again, and nothing shows it.
   */
  private void requireHistories(Map<String, Object> config) {
    String changelog = Names.changelog(settings.app(), Names.UNITS);
    if (settings.keepsHistories()
        && !StoreTable.keys(context, Names.HEADS, UnitTable.MARK, 1).isEmpty()
        && !logs.hasRecords(config, changelog, partition())) {
      throw new UnsafeToContinueException("topic " + changelog + " was deleted: what units"
          + " have spent stands on this machine alone, and another would begin them anew."
          + " ./sotto reset derives it again, while the events are there; else "
          + NewHistory.START);
    }
  }

  private void checkpoint() {
    check();
    core.checkpoint();
  }

  final ProcessorContext<byte[], byte[]> context() {
    return context;
  }

  final int partition() {
    return context.taskId().partition();
  }

  /** Of the record that is processed. */
  final long timestamp() {
    return timestamp;
  }

  /**
   * What the core needs to know.
   *
   * @param originKeyId name of the noise key under which the run began, where that is known
   * @param readTimeLimit for how long records are read again without a commit in between
   */
  final TrainerSettings trainer(String originKeyId, Duration readTimeLimit) {
    return new TrainerSettings(
        settings.app(),
        settings.run(),
        originKeyId,
        sourceSettings(),
        readTimeLimit,
        settings.cadence());
  }

  final SlotTrainer slotTrainer(TrainerSettings trainer, PartitionTrainer.Logs read) {
    return new SlotTrainer(
        trainer,
        settings.modelIds().routing(partition(), source.partitions()),
        settings.newDecoders(),
        stores(),
        read,
        output());
  }

  final PartitionTrainer.Stores stores() {
    return new PartitionTrainer.Stores(
        StoreTable.of(context, Names.HEADS, settings),
        StoreTable.of(context, Names.LEARNER, settings),
        settings.keepsHistories() ? StoreTable.of(context, Names.UNITS, settings) : null);
  }

  /** A reader of the topic that is read. */
  final SlotLog sourceLog(Map<String, Object> config) {
    return logs.source(config, source.topic(), reading);
  }

  final LedgerLog ledger(Map<String, Object> config) {
    return logs.ledger(config, Names.ledger(settings.app()));
  }

  final TrainerOutput output() {
    return new TrainerForwarder(
        context, settings, source, status, this::timestamp, () -> catchingUp.look());
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    take(record);
    saving.look();
  }

  private void take(Record<byte[], byte[]> record) {
    timestamp = record.timestamp();
    long offset = context.recordMetadata().orElseThrow().offset();
    if (leavesRecords() && readTime.left() <= 0) {
      core.leave(offset, offset + 1);
      return;
    }
    long appended = timed ? record.timestamp() : SourceRecord.NO_TIME;
    core.accept(reading.record(offset, appended, record.key(), record.value(), record.headers()));
    taken();
  }

  /**
   * Once it has fallen behind, or its thread's transaction has been open for as long as one bears,
   * it reads the rest of them from the log, behind a commit.
   */
  @Override
  public void process(List<ConsumerRecord<byte[], byte[]>> batch) {
    take(batch);
    saving.look();
  }

  private void take(List<ConsumerRecord<byte[], byte[]>> batch) {
    long end = batch.get(batch.size() - 1).offset() + 1;
    long time = readTime.left();
    if (status.threads().transactions().open() > oneTransaction / 2) {
      context.commit(); // in time, however long the commit interval is
    }
    if (time <= 0) {
      core.leave(batch.get(0).offset(), end);
      return;
    }
    long deadline = readTime.now() + time;
    long latest = BoundedTimestamps.latest();
    for (int i = 0; i < batch.size(); i++) {
      ConsumerRecord<byte[], byte[]> record = batch.get(i);
      long sent = record.timestamp();
      timestamp = timed ? LogAppendTimes.time(sent) : BoundedTimestamps.bounded(sent, latest);
      long appended = timed ? timestamp : SourceRecord.NO_TIME;
      core.accept(
          reading.record(record.offset(), appended, record.key(), record.value(), record.headers()),
          end);
      if (readTime.now() - deadline > 0) {
        core.leaveRest();
      }
      if (core.isBehind()) {
        return;
      }
    }
  }

  @Override
  public void close() {
    ended();
    if (core != null) {
      core.close();
      saving.close();
    }
    status.closed(partition());
  }
}
