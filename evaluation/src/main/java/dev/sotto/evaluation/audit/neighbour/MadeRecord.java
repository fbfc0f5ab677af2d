package dev.sotto.evaluation.audit.neighbour;

import java.util.List;

/**
 * One record of a made log. Place, time and names are coordinates, key, value and headers are what
 * carries them and all else.
 *
 * @param event the offset of the event that it is, or whose label it is
 * @param time when it was appended; -1 for a record without one
 * @param names its coordinates beside place and time
 * @param headers in their order
 */
record MadeRecord(
    int partition,
    long offset,
    long event,
    long time,
    Names names,
    byte[] key,
    byte[] value,
    List<Header> headers) {
  /** A header; its value may be null. */
  record Header(String name, byte[] value) {}

  /**
   * What a record is called by.
   *
   * @param model null where the model does not come from records
   * @param unit null where records name none
   * @param id that joins it with its label; null where labels do not come later
   */
  record Names(String model, String unit, String id) {}

  MadeRecord with(byte[] newKey, byte[] newValue, List<Header> newHeaders) {
    return new MadeRecord(
        partition, offset, event, time, names, newKey, newValue, List.copyOf(newHeaders));
  }
}
