package dev.sotto.serdes.event;

/** What stands before the body of an Avro value. */
public enum AvroFraming {
  /**
   * C3 01, the CRC-64-AVRO fingerprint of the writer's schema (8 bytes, little end first), the
   * body.
   */
  SINGLE_OBJECT,
  /** The body alone, by the one writer's schema. */
  RAW,
  /**
   * 0 and the id of the writer's schema in a registry (4 bytes, big end first), or 1 and its GUID
   * (16 bytes), the body; or the body alone, with the same bytes in a header of the record.
   */
  CONFLUENT
}
