package dev.sotto.serdes.event;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.serdes.feature.FieldValues;

/** A decoder of values that have fields, which can be read before anything is made of them. */
public interface FieldDecoder extends EventDecoder {
  /**
   * Reads the fields of one value into {@link #values}.
   *
   * @return {@link RecordStatus#USED} where it could be read
   */
  RecordStatus read(byte[] value);

  /** The fields of the value that was read last. */
  FieldValues values();
}
