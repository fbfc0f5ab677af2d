package dev.sotto.topology.encryption;

import java.nio.ByteBuffer;

/**
 * The outside of what Tink's ciphers write: a byte, the id of the key, then nonce, ciphertext and
 * tag.
 */
final class Ciphertext {
  private static final byte START = 1;

  /** The start and the id. */
  private static final int PREFIX = 1 + Integer.BYTES;

  /** What Tink's ciphers add at least: the prefix, a nonce of 12 bytes, a tag of 10. */
  private static final int LEAST = PREFIX + 12 + 10;

  private Ciphertext() {}

  /** Whether bytes look like a ciphertext, under whichever key; others may by chance. */
  static boolean is(byte[] written) {
    return written != null && written.length >= LEAST && written[0] == START;
  }

  /** The id of the key of what looks like a ciphertext. */
  static String keyId(byte[] written) {
    return Integer.toUnsignedString(ByteBuffer.wrap(written, 1, Integer.BYTES).getInt());
  }

  /** Whether a key's ciphertexts begin with its id in this form. */
  static boolean beginsWith(byte[] prefix) {
    return prefix.length == PREFIX && prefix[0] == START;
  }
}
