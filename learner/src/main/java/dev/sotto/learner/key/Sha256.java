package dev.sotto.learner.key;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256. */
public final class Sha256 {
  private Sha256() {}

  /** The hash before the first entry of a chain. */
  public static byte[] none() {
    return new byte[32];
  }

  /** SHA-256, 32 bytes. */
  public static byte[] sha256(byte[] bytes) {
    return digest().digest(bytes);
  }

  /** A new digest, for bytes that come in parts. */
  public static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException("this Java lacks SHA-256", missing);
    }
  }
}
