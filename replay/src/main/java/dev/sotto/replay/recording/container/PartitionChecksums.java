package dev.sotto.replay.recording.container;

import dev.sotto.learner.key.Sha256;
import dev.sotto.replay.recording.Integrity;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/**
 * Computes checksum and digest of one partition: over its records in Avro's binary encoding, one
 * after the other. They do not depend on blocks and codec, and are updated a block at a time, which
 * is faster than record by record.
 */
final class PartitionChecksums {
  private final CRC32C crc32c = new CRC32C();
  private final MessageDigest sha256;

  /**
   * The values of one partition.
   *
   * @param crc32c CRC-32C, unsigned
   * @param sha256 SHA-256 in hexadecimal; empty where it was not computed
   */
  record Values(long crc32c, String sha256) {
    /** Those of a partition that is not written yet. */
    static final Values NONE = new Values(0, "");

    boolean agreesWith(Values recorded) {
      return crc32c == recorded.crc32c && (sha256.isEmpty() || sha256.equals(recorded.sha256));
    }
  }

  PartitionChecksums(Integrity integrity) {
    sha256 = integrity == Integrity.DIGEST ? Sha256.digest() : null;
  }

  void add(ByteBuffer records) {
    crc32c.update(records.duplicate());
    if (sha256 != null) {
      sha256.update(records.duplicate());
    }
  }

  /** The values; computation starts again. */
  Values values() {
    long checksum = crc32c.getValue();
    crc32c.reset();
    return new Values(checksum, sha256 == null ? "" : HexFormat.of().formatHex(sha256.digest()));
  }
}
