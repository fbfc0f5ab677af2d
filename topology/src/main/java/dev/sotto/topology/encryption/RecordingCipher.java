package dev.sotto.topology.encryption;

import dev.sotto.topology.failure.UnsafeToContinueException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;

/**
 * Seals the pieces of one recorded file, each bound to the file, its partition and its place there:
 * none can be changed, moved, or brought in from another file.
 */
public final class RecordingCipher {
  private static final byte[] FORMAT = StoragePlace.utf8("sotto recording 1");

  private final Keyset keyset;
  private final byte[] file;

  RecordingCipher(Keyset keyset, byte[] file) {
    this.keyset = keyset;
    this.file = file.clone();
  }

  /** What is written for a piece. */
  public byte[] seal(byte[] piece, int partition, long place) {
    return keyset.seal(piece, associatedData(partition, place));
  }

  /**
   * The piece of what was written.
   *
   * @throws UnsafeToContinueException where it was written under other keys, or is not the one that
   *     was written there
   */
  public byte[] open(byte[] written, int partition, long place) {
    try {
      return keyset.decrypt(written, associatedData(partition, place));
    } catch (GeneralSecurityException closed) {
      if (Ciphertext.is(written) && !keyset.has(Ciphertext.keyId(written))) {
        throw new UnsafeToContinueException(
            "is encrypted under key " + Ciphertext.keyId(written) + ", but the keyset has only "
                + keyset.ids()
                + "; give the keyset that wrote it: a rotated one keeps its older keys");
      }
      throw new UnsafeToContinueException(
          "is damaged or was changed: its key does not open what stands there");
    }
  }

  private byte[] associatedData(int partition, long place) {
    return ByteBuffer.allocate(
            FORMAT.length + Integer.BYTES + file.length + Integer.BYTES + Long.BYTES)
        .put(FORMAT)
        .putInt(file.length)
        .put(file)
        .putInt(partition)
        .putLong(place)
        .array();
  }
}
