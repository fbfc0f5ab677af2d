package dev.sotto.serdes.record;

/** Where the privacy unit's id of an Example event is taken from. */
public enum UnitSource {
  /** Nowhere: each record stands for itself. */
  NONE,
  /** The field {@code id}, so that duplicates of one record count once. */
  ID,
  /** The field {@code unit}. */
  UNIT,
  /** The record's key, byte for byte. */
  KEY
}
