package dev.sotto.topology;

import dev.sotto.learner.example.Slot;
import dev.sotto.learner.example.Verdict;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.round.ModelLearner;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.record.SlotCodec;
import dev.sotto.topology.core.SlotLog;
import dev.sotto.topology.encryption.TopicCipher;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Decodes and maps one event, and forwards one record for it at once: whatever it was, it fills a slot. Once: an event
 * below the stored position is skipped, one above it makes what lies between be read again.
 */
final class FunnelProcessor implements Processor<byte[], byte[], byte[], byte[]> {
  /** Somewhat less than what producers and brokers take by default, in bytes. */
  private static final int LARGEST = 1_000_000;

  private static final Duration GO_ON = Duration.ofMillis(250);

  private final LearnerSettings settings;
  private final Source source;
  private final Logs logs;
  private final Objective objective;
  private ProcessorContext<byte[], byte[]> context;
  private DeadLetters deadLetters;
  private EventDecoder decoder;
  private SlotCodec codec;
  private TopicCipher cipher;
  private Slot slot;
  private SlotLog events;
  private ForwardedPosition position;
  private boolean warm;
  private boolean gap;
  private CatchingUp catchingUp;
  private long next;
  private long reach;
  private Duration slice;
  private int partition;
  private long timestamp;

  FunnelProcessor(LearnerSettings settings, Source source, Logs logs) {
    this.settings = settings;
    this.source = source;
    this.logs = logs;
    this.objective = settings.plan().objective();
  }

  /** Cold start, every time: Streams initialises the same object again after a task was lost. */
  @Override
  public void init(ProcessorContext<byte[], byte[]> newContext) {
    context = newContext;
    deadLetters = new DeadLetters(context, Names.FUNNEL_TO_DEAD_LETTERS);
    decoder = settings.decoder().get();
    codec = new SlotCodec();
    cipher = settings.sequenceCipher();
    slot = new Slot(settings.plan().inputs());
    partition = context.taskId().partition();
    warm = false;
    gap = false;
    reach = 0;
    slice = Slices.of(context.appConfigs());
    catchingUp = new CatchingUp(context, GO_ON, () -> gap && next < reach, () -> readAgain(reach));
    events = logs.slots(context.appConfigs(), settings.eventTopic(), null);
    position = new ForwardedPosition(
        StoreTable.of(context, Names.FORWARDED, settings),
        settings.eventTopic(),
        source.eventTopicId(),
        () -> logs.sequenceHolds(
            context.appConfigs(),
            source.topic(),
            new SequencedDecoder(settings.plan().inputs(), cipher),
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
      next = position.next(offset);
      warm = true;
      gap = true;
    }
    reach = Math.max(reach, offset + 1);
    if (gap && next < offset && !readAgain(offset)) {
      return; // this event too is read again, when its turn comes: the position is the truth
    }
    gap = false;
    if (offset >= next) {
      forward(offset, record.key(), record.value());
    }
  }

  /** Forwards what lies before an offset, but not for longer than a transaction bears. */
  private boolean readAgain(long to) {
    long deadline = System.nanoTime() + slice.toNanos();
    boolean whole = events.read(partition, next, to, (offset, key, value, header) -> {
      forward(offset, key, value);
      return System.nanoTime() - deadline < 0;
    });
    gap = !whole;
    if (whole) {
      next = to;
    } else {
      context.commit();
      catchingUp.look();
    }
    return whole;
  }

  private void forward(long offset, byte[] key, byte[] value) {
    if (decoder.decode(key, value, slot) == Verdict.USED) {
      ModelLearner.admit(slot, objective);
    }
    byte[] sequenced = codec.encode(slot, partition, offset);
    // What cannot be forwarded would stop the stream for ever. Measured in clear: encryption
    // decides nothing.
    if (sequenced.length > LARGEST) {
      slot.clear();
      slot.verdict(Verdict.TOO_LARGE);
      sequenced = codec.encode(slot, partition, offset);
    }
    if (slot.verdict() != Verdict.USED) {
      deadLetters.send(
          settings.eventTopic(), partition, offset, timestamp, key, value, slot.verdict());
    }
    context.forward(new Record<>(null, cipher.seal(sequenced), timestamp), Names.TO_SEQUENCE);
    next = offset + 1;
    position.next(ByteBuffer.allocate(Long.BYTES).putLong(next).array());
  }
}
