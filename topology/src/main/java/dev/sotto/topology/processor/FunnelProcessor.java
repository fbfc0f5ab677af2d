package dev.sotto.topology.processor;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.record.SlotCodec;
import dev.sotto.topology.encryption.TopicCipher;
import dev.sotto.topology.log.CatchUpReader;
import dev.sotto.topology.log.Logs;
import dev.sotto.topology.log.SequencedSlotDecoder;
import dev.sotto.topology.log.SourceRecord;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.SourceTopics;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Decodes and maps one event, and forwards one record for it at once: whatever it was, it fills a
 * slot. Once: an event below the stored position is skipped, one above it makes what lies between
 * be read again.
 */
public final class FunnelProcessor
    implements Processor<byte[], byte[], byte[], byte[]>, CatchUpReader.Visitor {
  /** Somewhat less than what producers and brokers take by default, in bytes. */
  private static final int LARGEST = 1_000_000;

  private static final Duration GO_ON = Duration.ofMillis(250);

  private final LearnerSettings settings;
  private final SourceTopics source;
  private final Logs logs;
  private ProcessorContext<byte[], byte[]> context;
  private DeadLetters deadLetters;
  private EventDecoder decoder;
  private SlotCodec codec;
  private TopicCipher cipher;
  private Slot slot;
  private CatchUpReader reader;
  private ForwardedPosition position;
  private boolean warm;
  private CatchUpPunctuator catchingUp;
  private int partition;
  private long timestamp;

  public FunnelProcessor(LearnerSettings settings, SourceTopics source, Logs logs) {
    this.settings = settings;
    this.source = source;
    this.logs = logs;
  }

  /** Cold start, every time: Streams initialises the same object again after a task was lost. */
  @Override
  public void init(ProcessorContext<byte[], byte[]> newContext) {
    context = newContext;
    deadLetters = new DeadLetters(context, Names.FUNNEL_TO_DEAD_LETTERS);
    decoder = settings.newDecoder();
    codec = new SlotCodec();
    cipher = settings.sequenceCipher();
    slot = new Slot(settings.plan().inputs());
    partition = context.taskId().partition();
    warm = false;
    reader = new CatchUpReader(
        logs.slots(context.appConfigs(), settings.eventTopic(), null),
        partition,
        ReadTimeLimit.of(context.appConfigs()),
        this);
    catchingUp = new CatchUpPunctuator(context, GO_ON, reader::isBehind, reader::readOn);
    position = new ForwardedPosition(
        StoreTable.of(context, Names.FORWARDED, settings),
        settings.eventTopic(),
        source.eventTopicId(),
        () -> logs.sequenceHolds(
            context.appConfigs(),
            source.topic(),
            new SequencedSlotDecoder(settings.plan().inputs(), cipher),
            partition));
    Cancellable[] once = new Cancellable[1];
    once[0] = context.schedule(Duration.ofSeconds(1), PunctuationType.WALL_CLOCK_TIME, now -> {
      position.check();
      once[0].cancel();
    });
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    timestamp = record.timestamp();
    long offset = context.recordMetadata().orElseThrow().offset();
    if (!warm) {
      position.check();
      reader.start(position.next(offset));
      warm = true;
    }
    reader.take(SourceRecord.of(offset, record.key(), record.value()));
  }

  @Override
  public void pieceDone() {
    context.commit();
    catchingUp.look();
  }

  /** Forwards one event; it is noted as forwarded in the same transaction. */
  @Override
  public void record(SourceRecord record, boolean again) {
    long offset = record.offset();
    decoder.decode(record.key(), record.value(), slot);
    byte[] sequenced = codec.encode(slot, partition, offset);
    // What cannot be forwarded would stop the stream for ever. Measured in clear: encryption
    // decides nothing.
    if (sequenced.length > LARGEST) {
      slot.clear();
      slot.verdict(RecordStatus.TOO_LARGE);
      sequenced = codec.encode(slot, partition, offset);
    }
    if (slot.verdict() != RecordStatus.USED) {
      deadLetters.send(
          settings.eventTopic(),
          partition,
          offset,
          timestamp,
          record.key(),
          record.value(),
          slot.verdict());
    }
    context.forward(new Record<>(null, cipher.seal(sequenced), timestamp), Names.TO_SEQUENCE);
    position.next(ByteBuffer.allocate(Long.BYTES).putLong(offset + 1).array());
  }
}
