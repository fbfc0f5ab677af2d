package dev.sotto.serdes.event;

/** How the values of the user's records are written. */
public enum EventFormat {
  /** One JSON object per record, in UTF-8. */
  JSON,
  /** One Avro record per record, by a schema that the configuration names. */
  AVRO
}
