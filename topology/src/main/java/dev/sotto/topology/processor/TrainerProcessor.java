package dev.sotto.topology.processor;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.training.GradientQuery;
import dev.sotto.learner.training.RoundSlices;
import dev.sotto.topology.batch.BatchProcessor;
import dev.sotto.topology.encryption.TopicCipher;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.log.Announcing;
import dev.sotto.topology.log.ControlRecords;
import dev.sotto.topology.log.LedgerLog;
import dev.sotto.topology.log.Logs;
import dev.sotto.topology.log.ReadTime;
import dev.sotto.topology.log.SlotLog;
import dev.sotto.topology.log.SourceReading;
import dev.sotto.topology.log.SourceRecord;
import dev.sotto.topology.rounds.PointOutput;
import dev.sotto.topology.rounds.RoundsSettings;
import dev.sotto.topology.settings.EventPartitions;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.SourceTopics;
import dev.sotto.topology.status.LearnerStatus;
import dev.sotto.topology.store.StoredModels;
import dev.sotto.topology.trainer.PartitionTrainer;
import dev.sotto.topology.trainer.RoundCoordinator;
import dev.sotto.topology.trainer.SlotTrainer;
import dev.sotto.topology.trainer.TrainerOutput;
import dev.sotto.topology.trainer.TrainerSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/** Load, call, write: hands each record of one partition to the trainer's core. */
public final class TrainerProcessor implements BatchProcessor {
  private static final Duration GO_ON = Duration.ofMillis(250);

  /** Slots are announced all the time, so what is left of them is soon taken up again. */
  private static final Duration GO_ON_SOON = Duration.ofMillis(5);

  /** Slots are read in a process call after process call, and Streams commits after several. */
  private static final Duration ONE_READING = Duration.ofMillis(200);

  private final LearnerSettings settings;
  private final SourceTopics source;
  private final Logs logs;
  private final LearnerStatus status;
  private final boolean timed;
  private final boolean ordered;
  private ProcessorContext<byte[], byte[]> context;
  private PartitionTrainer core;
  private RoundCoordinator coordinator; // null where records are slots
  private Announcing announcing; // null where no order is announced
  private SourceReading reading;
  private CatchUpPunctuator catchingUp;
  private StopCheckpoint saving;
  private long oneTransaction; // nanoseconds
  private ReadTime readTime;
  private long timestamp;

  public TrainerProcessor(
      LearnerSettings settings, SourceTopics source, Logs logs, LearnerStatus status) {
    this.settings = settings;
    this.source = source;
    this.logs = logs;
    this.status = status;
    this.timed = settings.plan().needsLogTime();
    this.ordered = settings.layout() == Layout.ORDERED;
  }

  /** Cold start, every time: Streams initialises the same object again after a task was lost. */
  @Override
  public void init(ProcessorContext<byte[], byte[]> newContext) {
    context = newContext;
    endAnnouncing();
    if (core != null) {
      core.close();
    }
    reading = SourceReading.of(settings, source.topic());
    int partition = context.taskId().partition();
    if (partition >= source.partitions()) {
      throw new UnsafeToContinueException(EventPartitions.others(
          settings,
          source.partitions(),
          logs.partitions(context.appConfigs(), settings.sourceTopic())));
    }
    Map<String, Object> config = context.appConfigs();
    oneTransaction = ReadTimeLimit.of(config).toNanos();
    readTime = ReadTimeLimit.left(config, status, this);
    coordinator = null;
    if (settings.layout() == Layout.ROUNDS) {
      coordinator = coordinator(trainer(config, source.genesis().keyId()));
      core = coordinator;
    } else {
      core = slotTrainer(trainer(config, null));
    }
    core.within(readTime);
    saving =
        new StopCheckpoint(context, status.threads().stop(), core::isUnsaved, core::checkpoint);
    core.inspect(); // may refuse: what close() needs is there
    catchingUp =
        new CatchUpPunctuator(context, ordered ? GO_ON_SOON : GO_ON, core::isBehind, () -> {
          core.goOn();
          saving.look();
        });
    List<String> models =
        StoreTable.keys(context, Names.HEADS, StoredModels.PREFIX, status.mostModels() + 1);
    Map<String, Long> paid =
        StoredModels.roundsPaid(StoreTable.of(context, Names.HEADS, settings), models);
    status.opened(partition, paid, core::openSlots, core::isBehind);
    if (coordinator != null && !core.hasBegun()) {
      int workers = source.genesis().firstSlices().size();
      status.awaitingSince(
          partition,
          1,
          IntStream.range(0, workers).boxed().collect(Collectors.toUnmodifiableSet()));
    }
    context.schedule(
        settings.cadence().checkpointInterval(),
        PunctuationType.WALL_CLOCK_TIME,
        now -> checkpoint());
    catchingUp.look();
    if (ordered) {
      announcing = logs.announce(
          config,
          new Announcing.Topics(
              context.applicationId(), settings.eventTopic(), source.topic(), settings.labels()),
          core.orderPlace());
    }
  }

  private void checkpoint() {
    if (announcing != null) {
      announcing.check(); // nobody else would hear of it, since nothing comes any more
    }
    core.checkpoint();
  }

  private void endAnnouncing() {
    if (announcing != null) {
      announcing.close();
      announcing = null;
    }
  }

  private TrainerSettings trainer(Map<String, Object> config, String originKeyId) {
    Duration limit = ReadTimeLimit.of(config);
    return new TrainerSettings(
        settings.app(),
        settings.run(),
        originKeyId,
        new TrainerSettings.Source(
            context.taskId().partition(),
            source.topicId(),
            settings.modelIds().describe(source.partitions()),
            ordered ? source.eventTopicId() : ""),
        ordered && limit.compareTo(ONE_READING) > 0 ? ONE_READING : limit,
        settings.cadence());
  }

  private RoundCoordinator coordinator(TrainerSettings trainer) {
    RoundsSettings rounds = new RoundsSettings(
        settings.modelIds().name(),
        new RoundSlices(source.genesis().firstSlices(), settings.plan().queriesPerRound()),
        new Opener(settings.controlCipher()));
    return new RoundCoordinator(trainer, rounds, stores(), logs(), new Forwarder());
  }

  private SlotTrainer slotTrainer(TrainerSettings trainer) {
    return new SlotTrainer(
        trainer,
        settings.modelIds().routing(trainer.source().partition(), source.partitions()),
        settings.newDecoders(),
        stores(),
        logs(),
        new Forwarder());
  }

  private PartitionTrainer.Stores stores() {
    return new PartitionTrainer.Stores(
        StoreTable.of(context, Names.HEADS, settings),
        StoreTable.of(context, Names.LEARNER, settings),
        settings.keepsHistories() ? StoreTable.of(context, Names.UNITS, settings) : null);
  }

  private PartitionTrainer.Logs logs() {
    Map<String, Object> config = context.appConfigs();
    LedgerLog ledger = logs.ledger(config, Names.ledger(settings.app()));
    SlotLog read = logs.slots(config, source.topic(), reading);
    return ordered
        ? new PartitionTrainer.Logs(
            logs.events(
                config, settings.eventTopic(), SourceReading.of(settings, settings.eventTopic())),
            ledger,
            read)
        : new PartitionTrainer.Logs(read, ledger);
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    take(record);
    saving.look();
  }

  private void take(Record<byte[], byte[]> record) {
    timestamp = record.timestamp();
    long offset = context.recordMetadata().orElseThrow().offset();
    if (settings.layout() == Layout.DIRECT && readTime.left() <= 0) {
      core.leave(offset, offset + 1);
      return;
    }
    long appended = timed ? record.timestamp() : SourceRecord.NO_TIME;
    core.accept(reading.record(offset, appended, record.key(), record.value(), record.headers()));
    if (coordinator != null) {
      status.awaiting(context.taskId().partition(), coordinator.round(), coordinator.missing());
    }
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
    for (int i = 0; i < batch.size(); i++) {
      ConsumerRecord<byte[], byte[]> record = batch.get(i);
      long sent = record.timestamp();
      timestamp = timed ? LogAppendTimes.time(sent) : BoundedTimestamps.bounded(sent);
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
    endAnnouncing();
    if (core != null) {
      core.close();
      saving.close();
    }
    status.closed(context.taskId().partition());
  }

  /** Opens rounds for all workers, and has what was done committed: they wait for it. */
  private final class Opener implements PointOutput {
    private final TopicCipher cipher;

    Opener(TopicCipher cipher) {
      this.cipher = cipher;
    }

    @Override
    public void open(GradientQuery query, String keyId) {
      for (ControlRecords.Entry each : ControlRecords.round(query, keyId, cipher)) {
        context.forward(
            new Record<>(each.key(), each.value(), timestamp, each.headers()), Names.TO_CONTROL);
      }
      context.commit();
    }
  }

  private final class Forwarder implements TrainerOutput {
    private final DeadLetters deadLetters = new DeadLetters(context, Names.TO_DEAD_LETTERS);
    private boolean snapshotWritten;

    @Override
    public void ledger(String modelId, byte[] entry) {
      boolean slices = settings.layout() != Layout.DIRECT;
      Headers headers = new RecordHeaders()
          .add(Names.EVENT_TOPIC_ID, utf8(source.eventTopicId()))
          .add(Names.RANGES_TOPIC_ID, utf8(slices ? source.eventTopicId() : source.topicId()));
      context.forward(new Record<>(utf8(modelId), entry, timestamp, headers), Names.TO_LEDGER);
    }

    @Override
    public void snapshot(String modelId, String key, byte[] value) {
      context.forward(new Record<>(utf8(key), value, timestamp), Names.TO_SNAPSHOTS);
      snapshotWritten = true;
    }

    @Override
    public void versionClosed(String modelId, long firstRound, long round) {
      int partition = context.taskId().partition();
      status.versionClosed(partition, modelId, firstRound, round);
      if (snapshotWritten) {
        status.snapshotPublished(partition, modelId, round);
      }
      snapshotWritten = false;
    }

    @Override
    public void metrics(String modelId, byte[] value) {
      context.forward(new Record<>(utf8(modelId), value, timestamp), Names.TO_METRICS);
    }

    @Override
    public void commitSoon() {
      context.commit();
      catchingUp.look();
    }

    @Override
    public void deadLetter(
        int partition,
        long offset,
        long appended,
        byte[] key,
        byte[] value,
        RecordStatus recordStatus) {
      long time = appended > SourceRecord.NO_TIME ? appended : timestamp;
      deadLetters.send(settings.eventTopic(), partition, offset, time, key, value, recordStatus);
    }

    private byte[] utf8(String text) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
  }
}
