package dev.sotto.learner.release;

import dev.sotto.learner.key.KeyDerivation;
import dev.sotto.learner.key.NoiseKey;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts what would show exact sums to whoever reads a state: open rounds, and the noise of
 * mechanisms that keep it (noisy prefix less noise is the exact prefix). What is closed fits one
 * place of one round of one history.
 *
 * <p>AES-256-GCM with random nonces, under a key of that round alone: 96 bits bear 2^32 values
 * under one key (NIST SP 800-38D section 8.3), which the pages of a large model written at every
 * round would reach.
 */
final class StateSeal {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int NONCE = 12;
  private static final int KEY = 8;
  private static final long WARM = 700_000; // nanoseconds for a page to and fro, of some 5,000,000
  private static final long MOST_WARM_UP = 2_000_000_000L; // nanoseconds

  /** What closing adds to the length. */
  static final int OVERHEAD = KEY + NONCE + 16;

  private final byte[] keyId;
  private final SecretKeySpec cipherKey;
  private final byte[] digest;
  private final long round;

  /**
   * The seal of a round.
   *
   * @param digest the running digest after the round before
   * @param round the one that is open, for messages
   */
  StateSeal(NoiseKey key, byte[] digest, long round) {
    this.keyId = HexFormat.of().parseHex(key.id());
    this.cipherKey = new SecretKeySpec(KeyDerivation.hmac(key.sealKey(), digest), "AES");
    this.digest = digest.clone();
    this.round = round;
  }

  /**
   * Opens and closes small pages until Java has compiled for good what does it, or some time has
   * gone. It counts calls, not bytes: of pages of 256 KiB it would be the first thousand that pass
   * at 100 MB/s instead of 2 GB/s, a second and more of a state of 100 MB, which is read when
   * nobody wants to wait.
   */
  static void warmUp() {
    StateSeal seal = new StateSeal(NoiseKey.of(new byte[32]), new byte[32], 0);
    byte[] small = new byte[1024];
    byte[] page = new byte[256 * 1024];
    byte[] place = new byte[0];
    long deadline = System.nanoTime() + MOST_WARM_UP;
    long took;
    do {
      for (int i = 0; i < 500; i++) {
        seal.open(seal.close(small, place), place);
      }
      long began = System.nanoTime();
      seal.open(seal.close(page, place), place);
      took = System.nanoTime() - began;
    } while (took > WARM && System.nanoTime() - deadline < 0);
  }

  /** Any bytes, for a place. */
  byte[] close(byte[] plain, byte[] place) {
    byte[] nonce = new byte[NONCE];
    RANDOM.nextBytes(nonce);
    byte[] closed = new byte[plain.length + OVERHEAD];
    ByteBuffer.wrap(closed).put(keyId).put(nonce);
    gcm(Cipher.ENCRYPT_MODE, nonce, plain, 0, plain.length, closed, KEY + NONCE, place);
    return closed;
  }

  /** The name of the key under which something was closed; empty where it is too short for one. */
  static String keyId(byte[] closed) {
    return closed.length < OVERHEAD ? "" : HexFormat.of().formatHex(closed, 0, KEY);
  }

  /** The bytes that were closed for this place. */
  byte[] open(byte[] closed, byte[] place) {
    int from = KEY + NONCE;
    if (closed.length < OVERHEAD) {
      throw damaged(null);
    }
    byte[] nonce = Arrays.copyOfRange(closed, KEY, from);
    byte[] plain = new byte[closed.length - OVERHEAD];
    gcm(Cipher.DECRYPT_MODE, nonce, closed, from, closed.length - from, plain, 0, place);
    return plain;
  }

  private void gcm(
      int mode,
      byte[] nonce,
      byte[] bytes,
      int from,
      int length,
      byte[] into,
      int at,
      byte[] place) {
    try {
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(mode, cipherKey, new GCMParameterSpec(128, nonce));
      cipher.updateAAD(digest); // it fits one round of one history
      cipher.updateAAD(place);
      cipher.doFinal(bytes, from, length, into, at);
    } catch (GeneralSecurityException broken) {
      throw damaged(broken);
    }
  }

  UnreadableStateException damaged(Throwable cause) {
    return new UnreadableStateException(
        "the checkpoint of round " + round
            + " was written under another key or history, or is damaged",
        cause);
  }
}
