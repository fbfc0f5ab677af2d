package dev.sotto.serdes.event;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.serdes.feature.FieldValues;
import java.util.Optional;

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

  /** Values whose status is not about a field are not read. */
  @Override
  default Optional<String> fault(byte[] value, RecordStatus status) {
    return switch (status) {
      case MISSING_FIELD, WRONG_TYPE, NOT_FINITE ->
        read(value) == RecordStatus.USED ? fault(status) : Optional.empty();
      default -> Optional.empty();
    };
  }
}
