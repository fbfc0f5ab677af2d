package dev.sotto.learner.example;

/**
 * What became of one record. Every consumed record of a model fills exactly one slot, whatever its
 * status (docs/privacy.md, "Slots"); all statuses but {@link #USED} put the zero vector into the
 * sum. One of no model ({@link #NO_MODEL}, {@link #TOO_MANY_MODELS}, {@link #RETIRED}) fills none.
 *
 * <p>The codes are part of the running digest and of stored records: never reuse or renumber one.
 */
public enum RecordStatus {
  /** The record was decoded and mapped, and its gradient is in the sum. */
  USED(0, "the record was used"),
  /** The bytes are no record of the declared format. */
  UNREADABLE(1, "the bytes could not be decoded"),
  /** A null value: a record, but an empty one. */
  EMPTY(2, "the value is null"),
  /** A field that the feature map or the label needs is absent. */
  MISSING_FIELD(3, "a required field is missing"),
  /** A field has a type or a value that its rule does not allow. */
  WRONG_TYPE(4, "a field has the wrong type"),
  /** A number is NaN or infinite. */
  NOT_FINITE(5, "a number is not finite"),
  /** More bytes, features or elements than the limits allow. */
  TOO_LARGE(6, "the record is larger than the limits allow"),
  /** The record names no model, or one that does not live in this partition. */
  NO_MODEL(7, "the record belongs to no model of this partition"),
  /** A record without the id that the privacy unit needs. */
  NO_UNIT(8, "the record has no id of its privacy unit"),
  /**
   * The unit may not contribute to this round: its bound or budget is reached, or its id was seen
   * before.
   */
  NOT_ADMITTED(9, "the unit's bound is reached"),
  /** An offset of a round that holds no record: a transaction's marker, or what was aborted. */
  ABSENT(10, "the offset holds no record"),
  /** A decoder of the user's own threw, or broke its contract. */
  DECODER_FAILED(11, "the decoder failed on the record"),
  /** The record names a new model where there are as many as may be. */
  TOO_MANY_MODELS(12, "its model would be one more than models.most allows in a partition"),
  /** The record names a schema that its registry does not have, or that is no Avro record. */
  UNKNOWN_SCHEMA(13, "the registry has no usable schema of the id that the record names"),
  /** No label of the record's id came in time, and none is put in its place. */
  NO_LABEL(14, "no label came in time"),
  /** The id that a label would name cannot be read, or has a slot already. */
  NOT_JOINED(15, "its id cannot be read, or has a slot already"),
  /** The record names a model that was retired. */
  RETIRED(16, "its model is retired (models.retired)");

  private final int code;
  private final String sentence;

  RecordStatus(int code, String sentence) {
    this.code = code;
    this.sentence = sentence;
  }

  /** A stable number between 0 and 127. */
  public int code() {
    return code;
  }

  /**
   * Whether a record to which its routing or decoder gives this status goes to the dead letters;
   * one without a label is as usual as others. {@link #NO_UNIT} and {@link #NOT_ADMITTED} are given
   * later, at admission, and their records never go there; {@link #ABSENT} is no record.
   */
  public boolean isSetAside() {
    return this != USED && this != NO_LABEL;
  }

  /** A short sentence without any content of the record. */
  public String sentence() {
    return sentence;
  }

  /** The status with this code; {@link #UNREADABLE} for a code that no version has given out. */
  public static RecordStatus ofCode(int code) {
    for (RecordStatus status : values()) {
      if (status.code == code) {
        return status;
      }
    }
    return UNREADABLE;
  }
}
