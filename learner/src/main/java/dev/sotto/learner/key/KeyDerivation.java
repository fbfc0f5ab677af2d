package dev.sotto.learner.key;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HMAC-SHA256 and HKDF (RFC 5869) from the JDK's primitives: Java 17 has no HKDF of its own. */
public final class KeyDerivation {
  static final int LENGTH = 32;
  private static final String HMAC = "HmacSHA256";

  /** Looking one up costs more than a short message. */
  private static final ThreadLocal<Mac> MACS = ThreadLocal.withInitial(KeyDerivation::newMac);

  private KeyDerivation() {}

  public static byte[] hmac(byte[] key, byte[]... parts) {
    Mac mac = keyed(MACS.get(), key);
    for (byte[] part : parts) {
      mac.update(part);
    }
    return mac.doFinal();
  }

  /** One that its caller keeps; {@code doFinal} makes it ready for the next message. */
  public static Mac mac(byte[] key) {
    return keyed(newMac(), key);
  }

  private static Mac keyed(Mac mac, byte[] key) {
    try {
      mac.init(new SecretKeySpec(key, HMAC));
      return mac;
    } catch (GeneralSecurityException refused) {
      throw new IllegalStateException(HMAC + " must take a key of 32 bytes", refused);
    }
  }

  private static Mac newMac() {
    try {
      return Mac.getInstance(HMAC);
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException("this Java lacks " + HMAC, missing);
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
