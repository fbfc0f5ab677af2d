package dev.sotto.learner.release;

import dev.sotto.learner.key.KeyDerivation;
import dev.sotto.learner.key.NoiseKey;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.crypto.Mac;

/**
 * The running digest of everything that led to a release and of what the release hides
 * (docs/privacy.md, "Where the noise comes from"): HMAC-SHA256, chained from round to round.
 */
final class RunningDigest {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final byte[] fingerprint;
  private NoiseKey key;
  private Mac chain; // under the key
  private byte[] value;
  private long round; // released so far

  /**
   * The digest of a history.
   *
   * @param fingerprint of the configuration in force
   * @param value after a number of rounds
   */
  RunningDigest(NoiseKey key, byte[] fingerprint, byte[] value, long round) {
    this.fingerprint = fingerprint.clone();
    this.value = value;
    this.round = round;
    use(key);
  }

  /** From the next query on, it follows under this key. */
  void use(NoiseKey newKey) {
    key = newKey;
    chain = KeyDerivation.mac(newKey.chainKey());
  }

  /** Takes the exact sums of the next query in, and the points at which they were taken. */
  void add(int generation, byte[] content, List<double[]> vectors) {
    value =
        next(key, chain, value, new Round(fingerprint, generation, round + 1, content), vectors);
  }

  /** The round of the queries so far has been released. */
  void endRound() {
    round++;
  }

  /** No round follows: views of a state are of no use any more. */
  void end() {
    round = -1;
  }

  NoiseKey key() {
    return key;
  }

  /** 32 bytes: inside the trust boundary; not to be changed. */
  byte[] value() {
    return value;
  }

  long round() {
    return round;
  }

  /** The present, after a number of rounds. */
  NoiseRelease.Moment at(long rounds) {
    return new NoiseRelease.Moment(rounds, value, key, this::round);
  }

  /** The seal of the open round. */
  StateSeal seal() {
    return new StateSeal(key, value, round + 1);
  }

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
   * @param hash under the key's {@link NoiseKey#chainKey()}, ready for a message
   * @param vectors the exact sums of the round, then the points at which they were taken
   */
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
    byte[] buffer = new byte[Long.BYTES * Math.max(1, Math.min(values.length, 1024))];
    LONGS.set(buffer, 0, (long) values.length);
    hash.update(buffer, 0, Long.BYTES);
    for (int done = 0; done < values.length; done += buffer.length / Long.BYTES) {
      int count = Math.min(buffer.length / Long.BYTES, values.length - done);
      for (int i = 0; i < count; i++) {
        double value = values[done + i] + 0.0; // -0.0 and 0.0 are one sum
        LONGS.set(buffer, Long.BYTES * i, Double.doubleToRawLongBits(value));
      }
      hash.update(buffer, 0, Long.BYTES * count);
    }
  }
}
