package dev.sotto.serdes.event;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.FieldValues;
import dev.sotto.serdes.feature.LabelTally;
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

  /** By which rules they become an example. */
  FeatureMap map();

  @Override
  default int dimension() {
    return map().dimension();
  }

  @Override
  default RecordStatus decode(byte[] key, byte[] value, Slot into) {
    RecordStatus status = read(value);
    if (status == RecordStatus.USED) {
      return map().fill(key, values(), into);
    }
    into.clear();
    return into.status(status);
  }

  @Override
  default Optional<String> fault(RecordStatus status) {
    return map().fault(values(), status);
  }

  @Override
  default Optional<FeatureMap> featureMap() {
    return Optional.of(map());
  }

  @Override
  default Optional<LabelTally> labels() {
    return map().labels();
  }

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
