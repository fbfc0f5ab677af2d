package dev.sotto.serdes.event;

import java.util.Locale;

/** What becomes of a record to which no label came in time: a rule for all, whatever they hold. */
public enum MissingLabel {
  /** Its slot stays empty. */
  EMPTY,
  /** It is learned with the label 0. */
  NEGATIVE;

  /** As it is written in configurations. */
  public String configName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
