package dev.sotto.evaluation.audit.subject;

import dev.sotto.learner.key.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** SHA-256, for seeds that differ wherever their causes do. */
public final class SeedHash {
  private SeedHash() {}

  /** Of parts, each with its length before it. */
  public static byte[] of(byte[]... parts) {
    MessageDigest hash = Sha256.digest();
    for (byte[] part : parts) {
      hash.update(ByteBuffer.allocate(4).putInt(part.length).array());
      hash.update(part);
    }
    return hash.digest();
  }

  /** Of one number. */
  public static byte[] of(long number) {
    return of(ByteBuffer.allocate(8).putLong(number).array());
  }

  /** Of a seed, a purpose and a number: what a random thing of the audit follows from. */
  public static byte[] of(long seed, String purpose, long number) {
    return of(of(seed), purpose.getBytes(StandardCharsets.UTF_8), of(number));
  }
}
