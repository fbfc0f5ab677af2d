package dev.sotto.evaluation.audit.neighbour;

import java.util.Map;
import java.util.Random;

/** Writes values of a configuration's format. */
interface RecordValues {
  /**
   * A value that can be read.
   *
   * @param coordinates fields that must hold a text, in the order in which they are to stand
   */
  byte[] readable(Map<String, String> coordinates, Random random);

  /**
   * The same with a number of bytes more, or as like it as the format allows.
   *
   * @param bytes at least 1
   */
  byte[] padded(Map<String, String> coordinates, int bytes, Random random);

  /** Of the format, but with fields that are missing, of wrong types or not finite. */
  byte[] wrong(Map<String, String> coordinates, Random random);

  /** Nothing but the coordinates; null where the format needs no value for them. */
  byte[] emptied(Map<String, String> coordinates);

  /** Up to where a value must be whole so that its coordinates can be read; 0 for nowhere. */
  byte[] head(Map<String, String> coordinates);
}
