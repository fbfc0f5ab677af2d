package dev.sotto.topology.store;

import dev.sotto.serdes.avro.UnreadableRecordException;
import dev.sotto.serdes.record.RecordCodec;
import dev.sotto.topology.failure.UnsafeToContinueException;

/** Records of the stores, which another version of this program may have written. */
final class StoredRecords {
  private StoredRecords() {}

  /**
   * The record in these bytes, or null where there are none.
   *
   * @throws UnsafeToContinueException where this version cannot read it
   */
  static <T> T decode(RecordCodec<T> codec, byte[] bytes) {
    try {
      return bytes == null ? null : codec.decode(bytes);
    } catch (UnreadableRecordException unreadable) {
      throw new UnsafeToContinueException(
          "the state of this application cannot be read, nothing was changed: "
              + unreadable.getMessage()
              + ". A later version may have written it: run that one, or let this one derive its"
              + " state from all events (./sotto reset; docs/upgrading.md, Going back). If no other"
              + " version ever ran, its disk is damaged: remove the state folder, so that it is"
              + " restored from the changelogs",
          unreadable);
    }
  }
}
