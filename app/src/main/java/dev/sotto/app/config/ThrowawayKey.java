package dev.sotto.app.config;

import dev.sotto.learner.release.NoiseKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * A noise key that follows from a seed, for replays that need no secret: the same seed gives the same noise. Anybody can
 * compute it, so what it hides is hidden from nobody, and no published model may ever be learned under it.
 */
public final class ThrowawayKey {
  private ThrowawayKey() {}

  /** The key of a seed. */
  public static NoiseKey of(long seed) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update("sotto throwaway key".getBytes(StandardCharsets.UTF_8));
      return NoiseKey.of(digest.digest(ByteBuffer.allocate(8).putLong(seed).array()));
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException("this Java lacks SHA-256", missing);
    }
  }
}
