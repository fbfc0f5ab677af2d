package dev.sotto.topology.processor;

import dev.sotto.learner.example.Slot;
import dev.sotto.learner.training.RoundSlices;
import dev.sotto.serdes.record.RoundCodecs;
import dev.sotto.serdes.record.RoundPart;
import dev.sotto.topology.batch.BatchProcessor;
import dev.sotto.topology.encryption.TopicCipher;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.log.ControlRecords;
import dev.sotto.topology.log.EventPlaces;
import dev.sotto.topology.log.Logs;
import dev.sotto.topology.log.ReadTime;
import dev.sotto.topology.log.RecordFault;
import dev.sotto.topology.log.SlotDecoders;
import dev.sotto.topology.log.SourceReading;
import dev.sotto.topology.log.SourceRecord;
import dev.sotto.topology.rounds.RoundWorker;
import dev.sotto.topology.rounds.WorkerOutput;
import dev.sotto.topology.settings.EventPartitions;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.SourceTopics;
import dev.sotto.topology.status.LearnerStatus;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/** Load, call: hands the control records and the events of one partition to the worker's core. */
public final class WorkerProcessor implements BatchProcessor {
  private static final Duration WAKE = Duration.ofMillis(200);
  private static final Duration GO_ON = Duration.ofMillis(50);

  private final LearnerSettings settings;
  private final SourceTopics source;
  private final Logs logs;
  private final LearnerStatus status;
  private final ThreadParts parts;
  private final RoundSlices slicing;
  private final long versionRounds;
  private ProcessorContext<byte[], byte[]> context;
  private RoundWorker core;
  private TopicCipher cipher;
  private SourceReading reading;
  private CatchUpPunctuator catchingUp;
  private ReadTime readTime;
  private int partition;

  private WorkerProcessor(
      LearnerSettings settings,
      SourceTopics source,
      Logs logs,
      LearnerStatus status,
      ThreadParts parts) {
    this.settings = settings;
    this.source = source;
    this.logs = logs;
    this.status = status;
    this.parts = parts;
    this.slicing =
        new RoundSlices(source.genesis().firstSlices(), settings.plan().queriesPerRound());
    this.versionRounds = settings.plan().mostRoundsOfVersion();
  }

  /** Workers of one instance, one a partition. */
  public static Supplier<Processor<byte[], byte[], byte[], byte[]>> supplier(
      LearnerSettings settings, SourceTopics source, Logs logs, LearnerStatus status) {
    ThreadParts parts = new ThreadParts();
    return () -> new WorkerProcessor(settings, source, logs, status, parts);
  }

  /** Cold start, every time: Streams initialises the same object again after a task was lost. */
  @Override
  public void init(ProcessorContext<byte[], byte[]> newContext) {
    context = newContext;
    partition = context.taskId().partition();
    if (partition >= slicing.partitions()) {
      throw new UnsafeToContinueException(EventPartitions.others(
          settings,
          slicing.partitions(),
          logs.partitions(context.appConfigs(), settings.sourceTopic())));
    }
    Map<String, Object> config = context.appConfigs();
    cipher = settings.controlCipher();
    reading = SourceReading.of(settings, settings.eventTopic());
    String control = Names.control(settings.app());
    core = new RoundWorker(
        new RoundWorker.Settings(
            settings.plan(),
            settings.key(),
            source.genesis().runId(),
            partition,
            slicing,
            ReadTimeLimit.of(config)),
        new SlotDecoders(
            settings.run().candidates(),
            settings.newDecoders(),
            source.eventTopicId(),
            EventPlaces.of(partition)),
        logs.source(config, settings.eventTopic(), reading),
        logs.points(config, control, cipher, settings.eventTopic()),
        new Forwarder());
    readTime = ReadTimeLimit.left(config, status, this);
    core.within(readTime);
    parts.begin(partition);
    catchingUp = new CatchUpPunctuator(context, GO_ON, core::isBehind, core::goOn);
    Cancellable[] once = new Cancellable[1];
    once[0] = context.schedule(WAKE, PunctuationType.WALL_CLOCK_TIME, now -> {
      once[0].cancel();
      core.wake();
      catchingUp.look();
    });
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    var metadata = context.recordMetadata().orElseThrow();
    if (metadata.topic().equals(settings.eventTopic())) {
      core.event(
          reading.record(
              metadata.offset(),
              SourceRecord.NO_TIME,
              record.key(),
              record.value(),
              record.headers()),
          true);
    } else if (!ControlRecords.isGenesis(record.key())) {
      long closed = ControlRecords.closes(record.headers());
      if (closed > 0) {
        core.closeSlice(closed);
      } else {
        core.takeOpening(RoundCodecs.POINT.decode(cipher.open(record.value())));
      }
    }
    catchingUp.look();
  }

  /**
   * Of one slice; each is given to the worker, which sets aside what cannot be read, and leaves
   * what the thread's transaction does not bear to a later reading.
   */
  @Override
  public void process(List<ConsumerRecord<byte[], byte[]>> batch) {
    long deadline = readTime.now() + readTime.left();
    for (int i = 0; i < batch.size(); i++) {
      ConsumerRecord<byte[], byte[]> event = batch.get(i);
      boolean inTime = readTime.now() - deadline < 0;
      core.event(reading.record(event), inTime);
    }
    catchingUp.look();
  }

  @Override
  public void close() {
    core.close();
    parts.end(partition);
  }

  private final class Forwarder implements WorkerOutput {
    private final DeadLetters deadLetters = new DeadLetters(context, Names.TO_DEAD_LETTERS);

    /** Keys come round again, so that compaction keeps the parts of the newest rounds. */
    @Override
    public void part(RoundPart piece) {
      String key = piece.partition() + "/"
          + piece.round() % keptRounds(settings.cadence().stateEvery(), versionRounds) + "/"
          + piece.index();
      context.forward(
          new Record<>(key.getBytes(StandardCharsets.UTF_8), RoundCodecs.PART.encode(piece), now()),
          Names.TO_SUMS);
    }

    @Override
    public void partSent(long round) {
      if (parts.isLast(partition, round)) {
        commitSoon();
      }
    }

    @Override
    public void commitSoon() {
      context.commit();
    }

    @Override
    public void filled(long round, long place, Slot slot) {
      settings.run().observer().filled(settings.modelIds().name(), round, place, slot);
    }

    @Override
    public void deadLetter(long offset, byte[] key, byte[] value, RecordFault fault) {
      deadLetters.send(settings.eventTopic(), partition, offset, now(), key, value, fault);
    }
  }

  /** A record's own time is a logical one here. */
  private long now() {
    return context.currentSystemTimeMs();
  }

  /**
   * More than the coordinator may have to read again: what its saved state lacks, and the open
   * rounds.
   */
  static long keptRounds(long stateEvery, long versionRounds) {
    return Math.max(64, 2 * (stateEvery + versionRounds - 1) + 4);
  }
}
