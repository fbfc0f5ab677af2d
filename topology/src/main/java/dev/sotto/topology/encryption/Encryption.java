package dev.sotto.topology.encryption;

import dev.sotto.topology.store.StateTable;
import java.util.Optional;

/**
 * How values are kept at rest: in clear, or encrypted under a keyset. Nothing of it enters noise,
 * digests or outputs. What was begun one way is not gone on with the other way: it is refused.
 */
public sealed interface Encryption permits Unencrypted, Keyset {
  /** Values as they are. */
  static Encryption none() {
    return new Unencrypted();
  }

  /**
   * A store of one task, every value of it encrypted and bound to its place and key.
   *
   * @throws dev.sotto.topology.failure.UnsafeToContinueException where the store was written the
   *     other way, or under other keys; so do the reads from the table
   */
  StateTable table(StateTable store, StoragePlace place);

  /** The values of one partition of an internal topic. */
  TopicCipher topic(StoragePlace place);

  /**
   * The pieces of a recorded file; empty without encryption.
   *
   * @param file what tells the file from all others
   */
  Optional<RecordingCipher> recording(byte[] file);
}
