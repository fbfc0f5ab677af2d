package dev.sotto.learner.key;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * The 32-byte secret from which all noise follows (docs/privacy.md, "Where the noise comes from").
 * Whoever knows it can take the noise off: it comes from a file or an environment variable, is
 * never logged, and gives itself out only as an {@link #id()}.
 */
public final class NoiseKey {
  private static final byte[] SALT = utf8("sotto noise key 1");

  private final byte[] noise;
  private final byte[] run;
  private final byte[] content;
  private final byte[] seal;
  private final byte[] chain;
  private final byte[] unit;
  private final byte[] coin;
  private final String id;
  private final Map<String, NoiseKey> ring;

  private NoiseKey(NoiseKey same, Map<String, NoiseKey> ring) {
    noise = same.noise;
    run = same.run;
    content = same.content;
    seal = same.seal;
    chain = same.chain;
    unit = same.unit;
    coin = same.coin;
    id = same.id;
    this.ring = ring;
  }

  private NoiseKey(byte[] secret) {
    if (secret.length != KeyDerivation.LENGTH) {
      throw new IllegalArgumentException(
          "a noise key must have 32 bytes (64 hexadecimal digits), but had " + secret.length);
    }
    noise = KeyDerivation.hkdf(secret, SALT, utf8("noise"), KeyDerivation.LENGTH);
    run = KeyDerivation.hkdf(secret, SALT, utf8("run"), KeyDerivation.LENGTH);
    content = KeyDerivation.hkdf(secret, SALT, utf8("content"), KeyDerivation.LENGTH);
    seal = KeyDerivation.hkdf(secret, SALT, utf8("seal"), KeyDerivation.LENGTH);
    chain = KeyDerivation.hkdf(secret, SALT, utf8("chain"), KeyDerivation.LENGTH);
    unit = KeyDerivation.hkdf(secret, SALT, utf8("unit"), KeyDerivation.LENGTH);
    coin = KeyDerivation.hkdf(secret, SALT, utf8("coin"), KeyDerivation.LENGTH);
    id = HexFormat.of().formatHex(KeyDerivation.hkdf(secret, SALT, utf8("id"), 8));
    ring = Map.of(id, this);
  }

  /** A key of 32 bytes; the array is not kept. */
  public static NoiseKey of(byte[] secret) {
    return new NoiseKey(secret.clone());
  }

  /**
   * A key of 64 hexadecimal digits; white space around them is ignored.
   *
   * @throws IllegalArgumentException without the digits in its message
   */
  public static NoiseKey ofHex(String digits) {
    String trimmed = digits.strip();
    if (trimmed.length() != 64 || !trimmed.chars().allMatch(HexFormat::isHexDigit)) {
      throw new IllegalArgumentException("a noise key must be 64 hexadecimal digits, but "
          + trimmed.length() + " characters were given");
    }
    return new NoiseKey(HexFormat.of().parseHex(trimmed));
  }

  /**
   * Reads a key file: 64 hexadecimal digits. Refused where the file can be read or written by
   * others than its owner.
   */
  public static NoiseKey read(Path file) throws IOException {
    return ofHex(SecretFile.read(file, "noise key file", "64 hexadecimal digits", 1024));
  }

  /** Makes a fresh key and writes it to a new file that only its owner can read. */
  public static NoiseKey create(Path file) throws IOException {
    byte[] secret = new byte[KeyDerivation.LENGTH];
    new SecureRandom().nextBytes(secret);
    SecretFile.create(file, HexFormat.of().formatHex(secret) + "\n");
    return new NoiseKey(secret);
  }

  /**
   * This key, in force, beside those that were in force before: a rotation. What an earlier key has
   * begun (a run's id, the names of its units, an open round, the living nodes of a tree) goes on
   * under that key; all that begins from now on is under this one.
   */
  public NoiseKey withEarlier(List<NoiseKey> earlier) {
    Map<String, NoiseKey> all = new HashMap<>();
    for (NoiseKey each : earlier) {
      all.put(each.id, new NoiseKey(each, all));
    }
    all.put(id, new NoiseKey(this, all));
    return all.get(id);
  }

  /** Whether this is the key of a name, or one of the earlier ones is. */
  public boolean holds(String keyId) {
    return ring.containsKey(keyId);
  }

  /**
   * The key of a name: this one or an earlier one.
   *
   * @throws IllegalArgumentException where none has it
   */
  public NoiseKey ofId(String keyId) {
    NoiseKey key = ring.get(keyId);
    if (key == null) {
      throw new IllegalArgumentException("noise key " + keyId + " is needed, but only "
          + ring.keySet() + " are given: list the earlier ones under " + NoiseKeySettings.PREVIOUS);
    }
    return key;
  }

  /** A public name of this key: 16 hexadecimal digits that tell nothing about it. */
  public String id() {
    return id;
  }

  /**
   * The id of a run: 16 bytes that follow from key, application, model, configuration and label, so
   * that a run which starts again after an aborted first transaction is the same run. Each part is
   * written behind its length.
   */
  public byte[] runId(String modelId, byte[] fingerprint, RunName name) {
    byte[] mac = KeyDerivation.hmac(
        run,
        framed(utf8("run")),
        framed(utf8(name.app())),
        framed(utf8(modelId)),
        framed(fingerprint),
        framed(utf8(name.label())));
    return Arrays.copyOf(mac, 16);
  }

  /** Whether an id of a run is one that this key, or an earlier one, gives for these parts. */
  public boolean isRun(byte[] runId, String modelId, byte[] fingerprint, RunName name) {
    return ring.values().stream()
        .anyMatch(each -> Arrays.equals(runId, each.runId(modelId, fingerprint, name)));
  }

  /** The cipher key of one noise vector. */
  public byte[] vectorKey(byte[] digest, String purpose, long node) {
    return KeyDerivation.hmac(
        noise,
        framed(digest),
        framed(utf8(purpose)),
        ByteBuffer.allocate(8).putLong(node).array());
  }

  /**
   * What names the coins of one query: it follows from everything that led there, and tells nothing
   * of it without the key.
   */
  public byte[] coinSeed(byte[] digest, long query) {
    return KeyDerivation.hmac(
        coin,
        framed(utf8("seed")),
        framed(digest),
        ByteBuffer.allocate(8).putLong(query).array());
  }

  /** The cipher key of the coins of one query. */
  byte[] coinKey(byte[] seed) {
    return KeyDerivation.hmac(coin, framed(utf8("coins")), framed(seed));
  }

  public byte[] contentKey(byte[] runId) {
    return KeyDerivation.hmac(content, framed(runId));
  }

  byte[] unitKey(byte[] runId) {
    return KeyDerivation.hmac(unit, framed(runId));
  }

  /** The key of the running digest: without it a digest confirms no guess at what went into it. */
  public byte[] chainKey() {
    return chain;
  }

  public byte[] sealKey() {
    return seal;
  }

  private static byte[] framed(byte[] part) {
    return ByteBuffer.allocate(4 + part.length).putInt(part.length).put(part).array();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return "NoiseKey " + id;
  }
}
