package dev.sotto.learner.release;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HMAC-SHA256 and HKDF (RFC 5869) from the JDK's primitives: Java 17 has no HKDF of its own. */
final class Keys {
  static final int LENGTH = 32;

  private Keys() {}

  static byte[] hmac(byte[] key, byte[]... parts) {
    Mac mac = mac(key);
    for (byte[] part : parts) {
      mac.update(part);
    }
    return mac.doFinal();
  }

  static Mac mac(byte[] key) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac;
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException("this Java lacks HmacSHA256", missing);
    }
  }

  static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException("this Java lacks SHA-256", missing);
    }
  }

  /** HKDF with SHA-256: extract with the salt, then expand. */
  static byte[] hkdf(byte[] secret, byte[] salt, byte[] info, int length) {
    byte[] pseudoRandom = hmac(salt.length == 0 ? new byte[LENGTH] : salt, secret);
    byte[] out = new byte[length];
    byte[] block = new byte[0];
    for (int done = 0, i = 1; done < length; i++) {
      block = hmac(pseudoRandom, block, info, new byte[] {(byte) i});
      int take = Math.min(block.length, length - done);
      System.arraycopy(block, 0, out, done, take);
      done += take;
    }
    Arrays.fill(pseudoRandom, (byte) 0);
    return out;
  }
}
