package dev.sotto.learner.key;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Set;

/**
 * Makes a noise key from a seed, for replays that need no secret: the same seed gives the same
 * noise. Anybody can compute it, so it hides nothing, and no published model may ever be learned
 * under it.
 */
public final class SeededNoiseKey {
  /** The key of unit tests, in hexadecimal digits. */
  public static final String OF_TESTS =
      "7465737420206f6e6c792020746573740020006f6e6c79002000746573740020";

  private static final Set<String> IDS =
      Set.of(NoiseKey.ofHex(OF_TESTS).id(), of(0).id());

  private SeededNoiseKey() {}

  /** Whether everybody can read it in a program: the key of tests, or that of the default seed. */
  static boolean isPublic(NoiseKey key) {
    return IDS.contains(key.id());
  }

  /** The key of a seed. */
  public static NoiseKey of(long seed) {
    MessageDigest digest = Sha256.digest();
    digest.update("sotto throwaway key".getBytes(StandardCharsets.UTF_8));
    return NoiseKey.of(digest.digest(ByteBuffer.allocate(8).putLong(seed).array()));
  }
}
