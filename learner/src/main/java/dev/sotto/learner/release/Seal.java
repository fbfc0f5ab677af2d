package dev.sotto.learner.release;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts what would show exact sums to whoever reads a state: open rounds, and the noise of mechanisms that keep it (noisy
 * prefix less noise is the exact prefix). What is closed fits one place of one round of one history.
 */
final class Seal {
  private static final int NONCE = 12;
  private static final int KEY = 8;

  private final NoiseKey key;
  private final byte[] digest;
  private final long round;

  /**
   * The seal of a round.
   *
   * @param digest the running digest after the round before
   * @param round the one that is open, for messages
   */
  Seal(NoiseKey key, byte[] digest, long round) {
    this.key = key;
    this.digest = digest;
    this.round = round;
  }

  byte[] close(ClippedSum sum, ClippedSum metrics, byte[] content, byte[] place) {
    int figures = metrics == null ? 0 : metrics.sum.length;
    ByteBuffer plain =
        ByteBuffer.allocate(8 + ContentDigest.BYTES + 8 * (sum.sum.length + figures));
    plain.putLong(sum.slots()).put(content);
    put(plain, sum.sum);
    if (metrics != null) {
      put(plain, metrics.sum);
    }
    return close(plain.array(), place);
  }

  /** Any bytes, for a place. */
  byte[] close(byte[] plain, byte[] place) {
    byte[] nonce = new byte[NONCE];
    new SecureRandom().nextBytes(nonce);
    byte[] sealed = gcm(Cipher.ENCRYPT_MODE, nonce, plain, 0, plain.length, place);
    return ByteBuffer.allocate(KEY + NONCE + sealed.length)
        .put(HexFormat.of().parseHex(key.id()))
        .put(nonce)
        .put(sealed)
        .array();
  }

  /** The name of the key under which a round was sealed. */
  static String keyId(byte[] sealed) {
    return HexFormat.of().formatHex(sealed, 0, KEY);
  }

  byte[] open(byte[] sealed, byte[] place, ClippedSum sum, ClippedSum metrics) {
    ByteBuffer plain = ByteBuffer.wrap(open(sealed, place));
    long slots = plain.getLong();
    byte[] content = new byte[ContentDigest.BYTES];
    plain.get(content);
    sum.restore(values(plain, sum.sum.length), slots);
    if (metrics != null) {
      metrics.restore(values(plain, metrics.sum.length), slots);
    }
    return content;
  }

  /** The bytes that were closed for this place. */
  byte[] open(byte[] sealed, byte[] place) {
    int from = KEY + NONCE;
    if (sealed.length < from) {
      throw damaged(null);
    }
    byte[] nonce = Arrays.copyOfRange(sealed, KEY, from);
    return gcm(Cipher.DECRYPT_MODE, nonce, sealed, from, sealed.length - from, place);
  }

  private static void put(ByteBuffer into, double[] values) {
    for (double value : values) {
      into.putDouble(value);
    }
  }

  private static double[] values(ByteBuffer from, int count) {
    double[] values = new double[count];
    for (int i = 0; i < count; i++) {
      values[i] = from.getDouble();
    }
    return values;
  }

  private byte[] gcm(int mode, byte[] nonce, byte[] bytes, int from, int length, byte[] place) {
    try {
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(mode, new SecretKeySpec(key.sealKey(), "AES"), new GCMParameterSpec(128, nonce));
      cipher.updateAAD(digest); // a checkpoint fits one round of one history
      cipher.updateAAD(place);
      return cipher.doFinal(bytes, from, length);
    } catch (GeneralSecurityException broken) {
      throw damaged(broken);
    }
  }

  private IllegalStateException damaged(Throwable cause) {
    return new IllegalStateException(
        "the checkpoint of round " + round
            + " was written under another key or history, or is damaged",
        cause);
  }
}
