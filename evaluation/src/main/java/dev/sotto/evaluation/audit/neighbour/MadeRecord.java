package dev.sotto.evaluation.audit.neighbour;

import java.util.List;

/**
 * One record of a made log. Place and names are coordinates; key, value and headers carry them and
 * all else.
 *
 * @param headers in their order
 */
record MadeRecord(Place at, Names names, byte[] key, byte[] value, List<Header> headers) {
  /** A header; its value may be null. */
  record Header(String name, byte[] value) {}

  /**
   * Where and when a record was appended.
   *
   * @param event the offset of the event that it is, or of the first whose label it is
   * @param time -1 for a record without one
   */
  record Place(int partition, long offset, long event, long time) {}

  /**
   * What a record is called by.
   *
   * @param model null where the model does not come from records
   * @param units its unit, or all its owners; none where records name none
   * @param id that joins it with its label; null where labels do not come later
   */
  record Names(String model, List<String> units, String id) {
    /** Its unit, or the first of its owners; null without. */
    String unit() {
      return units.isEmpty() ? null : units.get(0);
    }
  }

  MadeRecord with(byte[] newKey, byte[] newValue, List<Header> newHeaders) {
    return new MadeRecord(at, names, newKey, newValue, List.copyOf(newHeaders));
  }
}
