package dev.sotto.learner.release;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The one door between exact and noisy sums. It chains the running digest (privacy.md section 7): the noise
 * of a round is bound to everything that led there and to the very sum that it hides, so that the same
 * noise can never meet another sum.
 *
 * <p>Promises: the same history gives the same bits; another history, in whatever it differs, gives
 * independent noise from the first difference on.
 */
public final class Releaser {
  /** Changes whenever the same input would give other sums or other noise. */
  public static final int SEMANTICS = 1;

  private static final int SEAL_NONCE = 12;

  private final Lattice lattice;
  private final NoiseKey key;
  private final byte[] fingerprint;
  private final KeyedNoise noise;
  private final NoiseWalk walk;
  private final PrefixSum prefix;
  private final long[] step;
  private byte[] digest;
  private long round;

  private Releaser(
      Lattice lattice,
      double sigma,
      NoiseKey key,
      byte[] fingerprint,
      NoiseWalk walk,
      PrefixSum prefix) {
    if (!(sigma >= 0) || sigma == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("sigma must be finite and not negative, but was " + sigma);
    }
    this.lattice = lattice;
    this.key = key;
    this.fingerprint = fingerprint.clone();
    this.noise = new KeyedNoise(key, sigma / lattice.unit());
    this.walk = walk;
    this.prefix = prefix;
    this.step = new long[lattice.dimension()];
  }

  /**
   * The beginning of a run.
   *
   * @param sigma standard deviation of the noise per coordinate of the sum
   * @param runId 16 bytes, from {@link NoiseKey#runId}
   * @param fingerprint digest of the configuration in force
   * @param firstPoint the weights before the first round
   */
  public static Releaser start(
      Lattice lattice,
      Mechanism mechanism,
      double sigma,
      NoiseKey key,
      byte[] runId,
      byte[] fingerprint,
      double[] firstPoint) {
    PrefixSum prefix = new PrefixSum(lattice.dimension());
    Releaser releaser = new Releaser(lattice, sigma, key, fingerprint, mechanism.start(), prefix);
    Mac hash = Keys.mac(key.chainKey());
    hash.update(runId);
    hash.update(ByteBuffer.allocate(4).putInt(SEMANTICS).array());
    updateDoubles(hash, firstPoint);
    releaser.digest = hash.doFinal();
    return releaser;
  }

  /** Goes on from a state, with the settings of the start. */
  public static Releaser resume(
      Lattice lattice,
      Mechanism mechanism,
      double sigma,
      NoiseKey key,
      byte[] fingerprint,
      ReleaseState state) {
    PrefixSum prefix = PrefixSum.of(state.prefix(), lattice.dimension());
    Releaser releaser =
        new Releaser(lattice, sigma, key, fingerprint, mechanism.resume(state.walk()), prefix);
    releaser.digest = state.digest().clone();
    releaser.round = state.round();
    return releaser;
  }

  /** Rounds released so far. */
  public long round() {
    return round;
  }

  /**
   * Adds the noise of the next round to its exact sum, forgets the sum, and gives out the noisy prefix. The
   * answer is a view: it is good until the next call.
   *
   * @param sum a full round; emptied by this call
   * @param points the point(s) at which its gradients were taken
   * @param content the fingerprint of the round's slots
   * @param generation 0 until an algorithm restarts on fresh records
   */
  public NoisySum release(ClippedSum sum, double[] points, byte[] content, int generation) {
    if (!sum.lattice().equals(lattice)) {
      throw new IllegalArgumentException(
          "the sum must lie on the lattice " + lattice + ", but lies on " + sum.lattice());
    }
    if (!sum.isFull()) {
      throw new IllegalStateException(
          "a round of " + lattice.batch() + " slots is released whole, but has " + sum.slots());
    }
    round++;
    digest = chain(sum, points, content, generation);
    Arrays.fill(step, 0);
    walk.advance(round, digest, noise, step);
    prefix.add(sum.sum, lattice.unit(), step);
    sum.clear();
    return new NoisySum(round, prefix, lattice);
  }

  private byte[] chain(ClippedSum sum, double[] points, byte[] content, int generation) {
    Mac hash = Keys.mac(key.chainKey());
    hash.update(digest);
    hash.update(fingerprint);
    hash.update(key.id().getBytes(StandardCharsets.US_ASCII));
    hash.update(ByteBuffer.allocate(12).putInt(generation).putLong(round).array());
    hash.update(content);
    updateDoubles(hash, sum.sum);
    updateDoubles(hash, points);
    return hash.doFinal();
  }

  private static void updateDoubles(Mac hash, double[] values) {
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

  /** The noisy prefix as it stands, to compute the weights again after a restart; none before the first round. */
  public NoisySum latest() {
    if (round == 0) {
      throw new IllegalStateException("nothing has been released yet");
    }
    return new NoisySum(round, prefix, lattice);
  }

  /** The running digest, 32 bytes: inside the trust boundary. */
  public byte[] digest() {
    return digest.clone();
  }

  /** What a restart needs. */
  public ReleaseState state() {
    return new ReleaseState(round, digest.clone(), prefix.toBytes(), walk.state());
  }

  /**
   * The open round as encrypted bytes (AES-256-GCM under a key of its own), for a checkpoint: the room stays
   * closed to whoever stores them.
   *
   * @param content the fingerprint of the slots so far
   * @param place what the caller stores beside them in clear; other bytes there make them unreadable
   */
  public byte[] seal(ClippedSum sum, byte[] content, byte[] place) {
    ByteBuffer plain = ByteBuffer.allocate(8 + ContentDigest.BYTES + 8 * sum.sum.length);
    plain.putLong(sum.slots()).put(content);
    for (double value : sum.sum) {
      plain.putDouble(value);
    }
    byte[] nonce = new byte[SEAL_NONCE];
    new SecureRandom().nextBytes(nonce);
    byte[] sealed = gcm(Cipher.ENCRYPT_MODE, nonce, plain.array(), 0, plain.capacity(), place);
    return ByteBuffer.allocate(SEAL_NONCE + sealed.length)
        .put(nonce)
        .put(sealed)
        .array();
  }

  /**
   * Fills a sum from {@link #seal}ed bytes of the same round, key and place; refuses any others.
   *
   * @return the fingerprint of the slots
   */
  public byte[] unseal(byte[] sealed, byte[] place, ClippedSum into) {
    byte[] nonce = Arrays.copyOf(sealed, SEAL_NONCE);
    int length = sealed.length - SEAL_NONCE;
    ByteBuffer plain =
        ByteBuffer.wrap(gcm(Cipher.DECRYPT_MODE, nonce, sealed, SEAL_NONCE, length, place));
    long slots = plain.getLong();
    byte[] content = new byte[ContentDigest.BYTES];
    plain.get(content);
    double[] values = new double[lattice.dimension()];
    for (int i = 0; i < values.length; i++) {
      values[i] = plain.getDouble();
    }
    into.restore(values, slots);
    return content;
  }

  private byte[] gcm(int mode, byte[] nonce, byte[] bytes, int from, int length, byte[] place) {
    try {
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(mode, new SecretKeySpec(key.sealKey(), "AES"), new GCMParameterSpec(128, nonce));
      cipher.updateAAD(digest); // a checkpoint fits one round of one history
      cipher.updateAAD(place);
      return cipher.doFinal(bytes, from, length);
    } catch (GeneralSecurityException broken) {
      throw new IllegalStateException(
          "the checkpoint of round " + (round + 1)
              + " was written under another key or history, or is damaged",
          broken);
    }
  }
}
