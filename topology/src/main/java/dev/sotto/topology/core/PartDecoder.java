package dev.sotto.topology.core;

import dev.sotto.serdes.record.RoundPart;

/** Reads what workers send. */
public interface PartDecoder {
  /**
   * One piece of a part.
   *
   * @throws Refusal where it is none
   */
  RoundPart decode(byte[] value);
}
