package dev.sotto.benchmarks;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.registry.SchemaIds;

/** A decoder, and a stopwatch that each record ticks. */
record TimedDecoder(EventDecoder decoder, StageTimer timer) implements EventDecoder {
  @Override
  public int dimension() {
    return decoder.dimension();
  }

  @Override
  public SchemaIds schemaIds() {
    return decoder.schemaIds();
  }

  @Override
  public RecordStatus decode(byte[] key, byte[] value, Slot into) {
    timer.tick();
    return decoder.decode(key, value, into);
  }
}
