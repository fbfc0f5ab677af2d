package dev.sotto.topology;

import dev.sotto.learner.example.Slot;
import dev.sotto.learner.example.Verdict;
import dev.sotto.learner.round.ModelLearner;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.record.SlotCodec;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/** Decodes and maps one event, and forwards one record for it at once: whatever it was, it fills a slot. */
final class FunnelProcessor implements Processor<byte[], byte[], byte[], byte[]> {
  /** Somewhat less than what producers and brokers take by default, in bytes. */
  private static final int LARGEST = 1_000_000;

  private final LearnerSettings settings;
  private ProcessorContext<byte[], byte[]> context;
  private DeadLetters deadLetters;
  private EventDecoder decoder;
  private SlotCodec codec;
  private Slot slot;

  FunnelProcessor(LearnerSettings settings) {
    this.settings = settings;
  }

  @Override
  public void init(ProcessorContext<byte[], byte[]> newContext) {
    context = newContext;
    deadLetters = new DeadLetters(context, Names.FUNNEL_TO_DEAD_LETTERS);
    decoder = settings.decoder().get();
    codec = new SlotCodec();
    slot = new Slot(settings.plan().dimension());
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    RecordMetadata from = context.recordMetadata().orElseThrow();
    if (decoder.decode(record.key(), record.value(), slot) == Verdict.USED) {
      ModelLearner.admit(slot, settings.plan().loss());
    }
    byte[] value = codec.encode(slot, from.partition(), from.offset());
    if (value.length
        > LARGEST) { // a record that cannot be forwarded would stop the stream for ever
      slot.clear();
      slot.verdict(Verdict.TOO_LARGE);
      value = codec.encode(slot, from.partition(), from.offset());
    }
    if (slot.verdict() != Verdict.USED) {
      deadLetters.send(
          from.topic(),
          from.partition(),
          from.offset(),
          record.timestamp(),
          record.key(),
          record.value(),
          slot.verdict());
    }
    context.forward(new Record<>(null, value, record.timestamp()), Names.TO_SEQUENCE);
  }
}
