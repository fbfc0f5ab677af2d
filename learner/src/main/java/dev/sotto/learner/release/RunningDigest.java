package dev.sotto.learner.release;

import dev.sotto.learner.key.KeyDerivation;
import dev.sotto.learner.key.NoiseKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.crypto.Mac;

/**
 * The running digest of everything that led to a release and of what the release hides
 * (docs/privacy.md, "Where the noise comes from"): HMAC-SHA256, chained from round to round.
 */
final class RunningDigest {
  private RunningDigest() {}

  /**
   * What is digested of a round beside its vectors.
   *
   * @param fingerprint of the configuration in force
   * @param generation of the round, from 0
   * @param number of the round, from 1
   * @param content fingerprint of the round's slots
   */
  record Round(byte[] fingerprint, int generation, long number, byte[] content) {}

  /** The digest before the first round. */
  static byte[] first(NoiseKey key, byte[] runId, double[] firstPoint) {
    Mac hash = KeyDerivation.mac(key.chainKey());
    hash.update(runId);
    hash.update(ByteBuffer.allocate(4).putInt(Releaser.SEMANTICS).array());
    update(hash, firstPoint);
    return hash.doFinal();
  }

  /**
   * The digest of the next round.
   *
   * @param vectors the exact sums of the round, then the points at which they were taken
   */
  static byte[] next(NoiseKey key, byte[] digest, Round round, List<double[]> vectors) {
    return next(key, KeyDerivation.mac(key.chainKey()), digest, round, vectors);
  }

  /** The same with a hash under the key's {@link NoiseKey#chainKey()}, ready for a message. */
  static byte[] next(NoiseKey key, Mac hash, byte[] digest, Round round, List<double[]> vectors) {
    hash.update(digest);
    hash.update(round.fingerprint());
    hash.update(key.id().getBytes(StandardCharsets.US_ASCII));
    hash.update(ByteBuffer.allocate(12)
        .putInt(round.generation())
        .putLong(round.number())
        .array());
    hash.update(round.content());
    for (double[] vector : vectors) {
      update(hash, vector);
    }
    return hash.doFinal();
  }

  private static void update(Mac hash, double[] values) {
    ByteBuffer buffer = ByteBuffer.allocate(8 * Math.min(values.length, 1024) + 8);
    buffer.putLong(values.length);
    for (double value : values) {
      if (!buffer.hasRemaining()) {
        hash.update(buffer.array());
        buffer.clear();
      }
      buffer.putDouble(value + 0.0); // -0.0 and 0.0 are one sum
    }
    hash.update(buffer.array(), 0, buffer.position());
  }
}
