package dev.sotto.topology.processor;

import dev.sotto.topology.registry.RegistryCopies;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/** Hands what is published to its topic, and once more, framed for a registry, to the copy. */
public final class CopyProcessor implements Processor<byte[], byte[], byte[], byte[]> {
  private final RegistryCopies copies;
  private final String topic;
  private final String copy;
  private ProcessorContext<byte[], byte[]> context;

  /**
   * A processor.
   *
   * @param topic the sink of the topic itself
   * @param copy the sink of its copy
   */
  public CopyProcessor(RegistryCopies copies, String topic, String copy) {
    this.copies = copies;
    this.topic = topic;
    this.copy = copy;
  }

  @Override
  public void init(ProcessorContext<byte[], byte[]> newContext) {
    context = newContext;
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    context.forward(record, topic);
    context.forward(record.withValue(copies.framed(record.value())), copy);
  }
}
