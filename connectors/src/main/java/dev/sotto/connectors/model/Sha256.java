package dev.sotto.connectors.model;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256 of bytes. */
final class Sha256 {
  private Sha256() {}

  static byte[] of(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException("this Java lacks SHA-256", missing);
    }
  }
}
