package dev.sotto.learner.release;

import dev.sotto.learner.key.KeyDerivation;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.key.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Parts of a round on their way from those who see examples to the one that adds noise: AES-256-GCM
 * under a key that belongs to one part of one round of one run. Exact sums lie in clear nowhere but
 * on the heap.
 */
public final class PartialSumSeal {
  private static final int NONCE = 12;
  private static final int KEY = 8;
  private static final byte[] PURPOSE = "part".getBytes(StandardCharsets.US_ASCII);

  private final NoiseKey key;
  private final byte[] runId;

  /**
   * A seal of one run.
   *
   * @param key the one in force, which holds the earlier ones
   * @param runId 16 bytes
   */
  public PartialSumSeal(NoiseKey key, byte[] runId) {
    this.key = key;
    this.runId = runId.clone();
  }

  /**
   * What binds a part to that which was asked of its examples, so that a sum taken elsewhere never
   * passes for this one's.
   *
   * @param scales factors of the gradients
   * @param points at which they are taken
   * @param ranges of numbers, by which its examples are made whole or counted; empty without any
   */
  public static byte[] asked(double[] scales, double[][] points, double[] ranges) {
    MessageDigest hash = Sha256.digest();
    update(hash, scales);
    for (double[] point : points) {
      update(hash, point);
    }
    if (ranges.length > 0) {
      update(hash, ranges);
    }
    return hash.digest();
  }

  private static void update(MessageDigest hash, double[] values) {
    ByteBuffer buffer = ByteBuffer.allocate(Double.BYTES * Math.min(values.length, 1024) + 8);
    buffer.putLong(values.length);
    for (double value : values) {
      if (!buffer.hasRemaining()) {
        hash.update(buffer.array());
        buffer.clear();
      }
      buffer.putDouble(value + 0.0); // -0.0 and 0.0 are one point
    }
    hash.update(buffer.array(), 0, buffer.position());
  }

  /**
   * Encrypts a part and empties it.
   *
   * @param keyId of the noise key of the round
   * @param metrics the same slots' figures; empty without metrics
   * @param counts of ranges, of the same slots; emptied too; empty without a stage
   * @param content the fingerprint of the part's slots
   * @param asked from {@link #asked}
   * @param place what names the part: {@link #open} takes it with the same bytes only
   */
  public byte[] close(
      String keyId,
      ClippedSum sum,
      Optional<ClippedSum> metrics,
      Optional<RangeCounts> counts,
      byte[] content,
      byte[] asked,
      byte[] place) {
    int figures = metrics.map(each -> each.sum.length).orElse(0);
    byte[] ofRanges = bytes(counts);
    ByteBuffer plain = ByteBuffer.allocate(
        8 + ContentDigest.BYTES + 8 * (sum.sum.length + figures) + ofRanges.length);
    plain.putLong(sum.slots()).put(content);
    put(plain, sum);
    sum.clear();
    metrics.ifPresent(each -> {
      put(plain, each);
      each.clear();
    });
    plain.put(ofRanges);
    counts.ifPresent(RangeCounts::clear);
    byte[] nonce = new byte[NONCE];
    new SecureRandom().nextBytes(nonce);
    byte[] sealed =
        gcm(Cipher.ENCRYPT_MODE, keyId, nonce, plain.array(), 0, plain.capacity(), asked, place);
    return ByteBuffer.allocate(KEY + NONCE + sealed.length)
        .put(HexFormat.of().parseHex(keyId))
        .put(nonce)
        .put(sealed)
        .array();
  }

  /** The name of the noise key under which a part was made. */
  public static String keyId(byte[] sealed) {
    if (sealed.length < KEY + NONCE) {
      throw new IllegalStateException(
          "a part of a round is cut short: " + sealed.length + " bytes");
    }
    return HexFormat.of().formatHex(sealed, 0, KEY);
  }

  /**
   * Adds a part to the sums of its round.
   *
   * @param metrics empty without metrics
   * @param counts of the stage of ranges that is open; empty without one
   * @param asked of this round
   * @return the fingerprint of its slots
   * @throws IllegalStateException where it is damaged, answers another question, or stands in
   *     another's place
   */
  public byte[] open(
      byte[] sealed,
      ClippedSum sum,
      Optional<ClippedSum> metrics,
      Optional<RangeCounts> counts,
      byte[] asked,
      byte[] place) {
    String keyId = keyId(sealed);
    int from = KEY + NONCE;
    byte[] nonce = Arrays.copyOfRange(sealed, KEY, from);
    ByteBuffer plain = ByteBuffer.wrap(
        gcm(Cipher.DECRYPT_MODE, keyId, nonce, sealed, from, sealed.length - from, asked, place));
    int figures = metrics.map(each -> each.sum.length).orElse(0);
    int expected = 8 + ContentDigest.BYTES + 8 * (sum.sum.length + figures) + bytes(counts).length;
    if (plain.capacity() != expected) {
      throw new IllegalStateException("a part of a round must have " + expected
          + " bytes under this configuration, but has " + plain.capacity());
    }
    long slots = plain.getLong();
    byte[] content = new byte[ContentDigest.BYTES];
    plain.get(content);
    merge(plain, slots, sum);
    metrics.ifPresent(each -> merge(plain, slots, each));
    counts.ifPresent(each -> each.merge(plain, slots));
    return content;
  }

  private static byte[] bytes(Optional<RangeCounts> counts) {
    return counts.map(RangeCounts::bytes).orElseGet(() -> new byte[0]);
  }

  private static void merge(ByteBuffer from, long slots, ClippedSum into) {
    double[] values = new double[into.sum.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = from.getDouble();
    }
    ClippedSum part = into.points() == 1
        ? new ClippedSum(into.lattice())
        : ClippedSum.atPoints(into.lattice(), into.points());
    part.restore(values, slots);
    into.merge(part);
  }

  private static void put(ByteBuffer into, ClippedSum sum) {
    for (double value : sum.sum) {
      into.putDouble(value);
    }
  }

  private byte[] gcm(
      int mode,
      String keyId,
      byte[] nonce,
      byte[] bytes,
      int from,
      int length,
      byte[] asked,
      byte[] place) {
    byte[] own = KeyDerivation.hmac(key.ofId(keyId).sealKey(), PURPOSE, runId, asked, place);
    try {
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(mode, new SecretKeySpec(own, "AES"), new GCMParameterSpec(128, nonce));
      cipher.updateAAD(asked);
      cipher.updateAAD(place);
      return cipher.doFinal(bytes, from, length);
    } catch (GeneralSecurityException broken) {
      throw new IllegalStateException(
          "a part of a round was made under another key, for another place or at other points,"
              + " or is damaged",
          broken);
    }
  }
}
