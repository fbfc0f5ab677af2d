package dev.sotto.topology.core;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256 of published bytes. */
public final class Hashes {
  private Hashes() {}

  /** The hash before the first entry of a chain. */
  public static byte[] none() {
    return new byte[32];
  }

  /** SHA-256, 32 bytes. */
  public static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException("this Java lacks SHA-256", missing);
    }
  }
}
