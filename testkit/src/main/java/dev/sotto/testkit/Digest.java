package dev.sotto.testkit;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256 over fields with their lengths. */
final class Digest {
  private final MessageDigest hash;

  Digest() {
    try {
      hash = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException("this Java lacks SHA-256", missing);
    }
  }

  Digest number(long value) {
    hash.update(ByteBuffer.allocate(Long.BYTES).putLong(value).array());
    return this;
  }

  /** Null differs from empty. */
  Digest bytes(byte[] value) {
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
