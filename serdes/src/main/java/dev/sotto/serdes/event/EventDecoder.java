package dev.sotto.serdes.event;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.serdes.feature.CanonicalText;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.LabelTally;
import dev.sotto.serdes.registry.RecordPlace;
import dev.sotto.serdes.registry.SchemaIds;
import java.util.Optional;

/**
 * Records of the user's topic in, slots out. The same bytes give the same slot on every machine,
 * heap size and Java version. A decoder holds buffers: one per thread.
 */
public interface EventDecoder {
  /** The number of coordinates of the examples. */
  int dimension();

  /**
   * Decodes one record into a slot of {@link #dimension()} coordinates, whatever the bytes are.
   *
   * @param key the record's key, may be null
   * @param value the record's value, may be null, which gives {@link RecordStatus#EMPTY}
   * @param into filled with the status and, where that is {@link RecordStatus#USED}, with an
   *     example that is finite and of l2 norm at most 1, and with the privacy unit if one is
   *     configured; otherwise with the zero vector and no unit
   * @return the status
   */
  RecordStatus decode(byte[] key, byte[] value, Slot into);

  /**
   * What the ids of schemas mean that may stand in headers of records. They are put before values,
   * as {@link SchemaIds#framed} does. Decoders of users are not asked: they get values as they are.
   */
  default SchemaIds schemaIds() {
    return SchemaIds.NONE;
  }

  /** By which rules fields become an example, where it has such rules. */
  default Optional<FeatureMap> featureMap() {
    return Optional.empty();
  }

  /** Which labels there were, where it reads them from fields by rules. */
  default Optional<LabelTally> labels() {
    return Optional.empty();
  }

  /**
   * Says where the records stand that are decoded from now on, to a decoder that has to know a
   * record when it reads it again. It is not said to decoders of users.
   *
   * @param place of each record, while it is decoded
   */
  default void placedBy(RecordPlace place) {}

  /**
   * Which field the status on the last record is about, what it must be and what it is, without
   * its value, or what a value without fields looks like; empty where that is not known. It tells
   * of a record: for inside the trust boundary.
   */
  default Optional<String> fault(RecordStatus status) {
    return Optional.empty();
  }

  /** The same of a value that may be another one; nothing is counted. */
  default Optional<String> fault(byte[] value, RecordStatus status) {
    return Optional.empty();
  }

  /**
   * This decoder, but that a label which the objective does not admit gives
   * {@link RecordStatus#WRONG_TYPE}.
   */
  default EventDecoder admittedBy(Objective objective) {
    LabelTally labels = labels().orElse(null);
    String words = "the label"
        + featureMap()
            .map(FeatureMap::labelField)
            .map(field -> ", field " + CanonicalText.quoted(field) + ",")
            .orElse("")
        + " must be one that the loss admits, but is another number";
    return new ForwardingDecoder(this) {
      private boolean refused;

      @Override
      public RecordStatus decode(byte[] key, byte[] value, Slot into) {
        RecordStatus status = super.decode(key, value, into);
        ModelLearner.admit(into, objective);
        refused = into.status() != status;
        if (refused && labels != null) {
          labels.refuse(into.example().label());
        }
        return into.status();
      }

      @Override
      public Optional<String> fault(RecordStatus status) {
        return refused ? Optional.of(words) : super.fault(status);
      }
    };
  }
}
