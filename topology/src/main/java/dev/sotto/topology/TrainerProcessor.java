package dev.sotto.topology;

import dev.sotto.learner.example.Verdict;
import dev.sotto.learner.round.Slicing;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.record.RoundCodecs;
import dev.sotto.topology.core.ModelRouting;
import dev.sotto.topology.core.Outbox;
import dev.sotto.topology.core.PointOutbox;
import dev.sotto.topology.core.Refusal;
import dev.sotto.topology.core.RoundsSettings;
import dev.sotto.topology.core.StoredModels;
import dev.sotto.topology.core.TrainerCore;
import dev.sotto.topology.core.TrainerSettings;
import dev.sotto.topology.encryption.TopicCipher;
import dev.sotto.topology.status.LearnerStatus;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/** Load, call, write: hands each record of one partition to the trainer's core. */
final class TrainerProcessor implements Processor<byte[], byte[], byte[], byte[]> {
  private static final Duration GO_ON = Duration.ofMillis(250);

  private final LearnerSettings settings;
  private final Source source;
  private final Logs logs;
  private final LearnerStatus status;
  private ProcessorContext<byte[], byte[]> context;
  private TrainerCore core;
  private String modelHeader;
  private CatchingUp catchingUp;
  private long timestamp;

  TrainerProcessor(LearnerSettings settings, Source source, Logs logs, LearnerStatus status) {
    this.settings = settings;
    this.source = source;
    this.logs = logs;
    this.status = status;
  }

  /** Cold start, every time: Streams initialises the same object again after a task was lost. */
  @Override
  public void init(ProcessorContext<byte[], byte[]> newContext) {
    context = newContext;
    modelHeader = settings.modelIds().header();
    int partition = context.taskId().partition();
    if (partition >= source.partitions()) {
      throw new Refusal("topic " + source.topic() + " had " + source.partitions()
          + " partitions at the start and has more now; which models live where would change. Start a new app.id"
          + " on the larger topic, whose budget accounts for what was spent");
    }
    Map<String, Object> config = context.appConfigs();
    LearnerSettings.Cadence cadence = settings.cadence();
    TrainerSettings trainer = new TrainerSettings(
        settings.plan(),
        settings.key(),
        settings.label(),
        partition,
        source.topicId(),
        settings.modelIds().describe(source.partitions()),
        Slices.of(config),
        cadence.checkpointSlots(),
        cadence.stateEvery(),
        cadence.releaseEvery());
    core = settings.layout() == Layout.ROUNDS
        ? coordinator(trainer.withOrigin(source.genesis().keyId()))
        : trainer(trainer);
    core.inspect();
    catchingUp = new CatchingUp(context, GO_ON, core::isBehind, core::goOn);
    List<String> models =
        StoreTable.keys(context, Names.HEADS, StoredModels.PREFIX, status.mostModels() + 1);
    Map<String, Long> paid =
        StoredModels.roundsPaid(StoreTable.of(context, Names.HEADS, settings), models);
    status.opened(partition, paid, core::openSlots);
    if (settings.layout() == Layout.ROUNDS && !core.hasBegun()) {
      int workers = source.genesis().firstSlices().size();
      status.awaitingSince(
          partition,
          1,
          IntStream.range(0, workers).boxed().collect(Collectors.toUnmodifiableSet()));
    }
    context.schedule(
        cadence.checkpointInterval(), PunctuationType.WALL_CLOCK_TIME, now -> core.checkpoint());
    catchingUp.look();
  }

  private TrainerCore coordinator(TrainerSettings trainer) {
    RoundsSettings rounds = new RoundsSettings(
        settings.modelIds().name(),
        new Slicing(source.genesis().firstSlices()),
        new Opener(settings.controlCipher()));
    return TrainerCore.ofParts(
        trainer,
        rounds,
        RoundCodecs.PART::decode,
        StoreTable.of(context, Names.HEADS, settings),
        StoreTable.of(context, Names.LEARNER, settings),
        new Forwarder(null),
        logs.slots(context.appConfigs(), source.topic(), null),
        logs.ledger(context.appConfigs(), Names.ledger(settings.app())));
  }

  private TrainerCore trainer(TrainerSettings trainer) {
    Map<String, Object> config = context.appConfigs();
    ModelRouting routing = settings.modelIds().routing(trainer.partition(), source.partitions());
    boolean direct = settings.layout() == Layout.DIRECT;
    SequencedDecoder sequenced =
        direct ? null : new SequencedDecoder(settings.plan().inputs(), settings.sequenceCipher());
    EventDecoder decoder = direct ? settings.decoder().get() : sequenced;
    return new TrainerCore(
        trainer,
        routing,
        decoder,
        StoreTable.of(context, Names.HEADS, settings),
        StoreTable.of(context, Names.LEARNER, settings),
        settings.keepsHistories() ? StoreTable.of(context, Names.UNITS, settings) : null,
        new Forwarder(sequenced),
        logs.slots(config, source.topic(), modelHeader),
        logs.ledger(config, Names.ledger(settings.app())));
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    timestamp = record.timestamp();
    byte[] model = null;
    if (modelHeader != null) {
      Header last = record.headers().lastHeader(modelHeader);
      model = last == null ? null : last.value();
    }
    long offset = context.recordMetadata().orElseThrow().offset();
    core.accept(offset, record.key(), record.value(), model);
    if (settings.layout() == Layout.ROUNDS) {
      status.awaiting(context.taskId().partition(), core.roundOfParts(), core.missingParts());
    }
  }

  @Override
  public void close() {
    status.closed(context.taskId().partition());
  }

  /** Opens rounds for all workers, and has what was done committed: they wait for it. */
  private final class Opener implements PointOutbox {
    private final TopicCipher cipher;

    Opener(TopicCipher cipher) {
      this.cipher = cipher;
    }

    @Override
    public void open(long round, String keyId, double[] point) {
      for (ControlRecords.Entry each : ControlRecords.round(round, keyId, point, cipher)) {
        context.forward(
            new Record<>(each.key(), each.value(), timestamp, each.headers()), Names.TO_CONTROL);
      }
      context.commit();
    }
  }

  private final class Forwarder implements Outbox {
    private final DeadLetters deadLetters = new DeadLetters(context, Names.TO_DEAD_LETTERS);
    private final SequencedDecoder sequenced;
    private boolean published;

    Forwarder(SequencedDecoder sequenced) {
      this.sequenced = sequenced;
    }

    @Override
    public void ledger(String modelId, byte[] entry) {
      context.forward(new Record<>(utf8(modelId), entry, timestamp), Names.TO_LEDGER);
    }

    @Override
    public void snapshot(String modelId, String key, byte[] value) {
      context.forward(new Record<>(utf8(key), value, timestamp), Names.TO_SNAPSHOTS);
      published = true;
    }

    @Override
    public void roundClosed(String modelId, long round) {
      int partition = context.taskId().partition();
      status.roundClosed(partition, modelId, round);
      if (published) {
        status.snapshotPublished(partition, modelId, round);
      }
      published = false;
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
    public void deadLetter(long offset, byte[] key, byte[] value, Verdict verdict) {
      if (sequenced != null && sequenced.wasReadable()) {
        return; // the funnel has set the event aside already
      }
      int partition = context.taskId().partition();
      deadLetters.send(source.topic(), partition, offset, timestamp, key, value, verdict);
    }

    private byte[] utf8(String text) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
  }
}
