package dev.sotto.testkit;

import dev.sotto.learner.key.Sha256;
import java.nio.ByteBuffer;
import java.security.MessageDigest;

/** SHA-256 over fields with their lengths. */
final class Sha256Fields {
  private final MessageDigest hash;

  Sha256Fields() {
    hash = Sha256.digest();
  }

  Sha256Fields number(long value) {
    hash.update(ByteBuffer.allocate(Long.BYTES).putLong(value).array());
    return this;
  }

  /** Null differs from empty. */
  Sha256Fields bytes(byte[] value) {
    number(value == null ? -1 : value.length);
    if (value != null) {
      hash.update(value);
    }
    return this;
  }

  byte[] finish() {
    return hash.digest();
  }
}
