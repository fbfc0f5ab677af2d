package dev.sotto.replay.recording.container;

import dev.sotto.replay.recording.Integrity;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/**
 * Checksum and digest of one partition: of its records in Avro's binary encoding, one after the other, whatever blocks
 * they are in. So they are taken over whole blocks, which is faster than record by record, and stay the same
 * under another codec.
 */
final class Sums {
  private final CRC32C checksum = new CRC32C();
  private final MessageDigest digest;

  /** Sums with a digest or without. */
  Sums(Integrity integrity) {
    digest = integrity == Integrity.DIGEST ? sha256() : null;
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException absent) {
      throw new IllegalStateException("every Java platform has SHA-256, but this has not", absent);
    }
  }

  void add(byte[] bytes, int from, int length) {
    checksum.update(bytes, from, length);
    if (digest != null) {
      digest.update(bytes, from, length);
    }
  }

  int checksum() {
    return (int) checksum.getValue();
  }

  /** The digest in hexadecimal, once: it begins again. */
  String digest() {
    return HexFormat.of().formatHex(digest.digest());
  }

  /** Whether they are those of a partition. */
  boolean agree(Stretch stretch) {
    return checksum() == stretch.checksum()
        && (digest == null || digest().equals(stretch.digest()));
  }
}
