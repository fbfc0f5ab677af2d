package dev.sotto.learner.key;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Random words from AES-256 in counter mode. One key serves one noise vector; the vector's blocks
 * of coordinates take disjoint ranges of the counter, so that they can be filled in any order.
 *
 * <p>A small round has few words, and looking a cipher up would cost more than they do: one that is
 * closed leaves its cipher, and its buffer, to the thread's next one.
 */
final class Keystream implements AutoCloseable {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int LARGEST = 1 << 15;
  private static final byte[] ZEROS = new byte[LARGEST];
  private static final ThreadLocal<Spare> SPARE = new ThreadLocal<>();

  private record Spare(Cipher cipher, byte[] words) {}

  private Cipher cipher;
  private final byte[] words;
  private int next;

  /**
   * @param key 32 bytes
   * @param block the high half of the counter
   * @param expected how many words will about be asked for; sets the size of the buffer
   */
  Keystream(byte[] key, long block, int expected) {
    int size = Math.max(256, Math.min(LARGEST, 8 * (expected + expected / 16 + 8) & -16));
    next = size;
    Spare spare = SPARE.get();
    SPARE.remove();
    words = spare != null && spare.words.length == size ? spare.words : new byte[size];
    try {
      cipher = spare == null ? Cipher.getInstance("AES/CTR/NoPadding") : spare.cipher;
      byte[] counter = ByteBuffer.allocate(16).putLong(block).putLong(0).array();
      cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new IvParameterSpec(counter));
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException("this Java lacks AES/CTR/NoPadding with 256 bits", missing);
    }
  }

  /** The next 64 bits. */
  long nextLong() {
    if (next == words.length) {
      refill();
    }
    long word = word(words, next);
    next += 8;
    return word;
  }

  /** Words at hand; they may be taken in turn from {@link #place()} on, up to the end. */
  byte[] buffer() {
    return words;
  }

  /** The place of the next word in the buffer; its length where none is left. */
  int place() {
    return next;
  }

  /** The words before this place have been taken. */
  void goOnAt(int place) {
    next = place;
  }

  /** The word at a place of the buffer. */
  static long word(byte[] buffer, int place) {
    return (long) LONGS.get(buffer, place);
  }

  private void refill() {
    try {
      int written = cipher.update(ZEROS, 0, words.length, words, 0);
      if (written != words.length) {
        throw new IllegalStateException(
            "the cipher gave " + written + " of " + words.length + " bytes");
      }
    } catch (GeneralSecurityException broken) {
      throw new IllegalStateException("the cipher failed", broken);
    }
    next = 0;
  }

  /** Leaves cipher and buffer to the next one of this thread. */
  @Override
  public void close() {
    SPARE.set(new Spare(cipher, words));
    cipher = null;
  }

  /**
   * A whole number from 0 to {@code bound - 1}, all equally likely, exactly: of the products of a
   * word with the bound, those that would favour some number are drawn again (Lemire 2019).
   *
   * @param bound at least 1
   */
  long nextBelow(long bound) {
    while (true) {
      long word = nextLong();
      long low = word * bound;
      // The unsigned high half of the product, for a bound without a sign.
      long high = Math.multiplyHigh(word, bound) + (word >> 63 & bound);
      if (Long.compareUnsigned(low, bound) >= 0
          || Long.compareUnsigned(low, Long.remainderUnsigned(-bound, bound)) >= 0) {
        return high;
      }
    }
  }

  /** A double in [0, 1), a multiple of 2^-53. */
  double nextUnit() {
    return (nextLong() >>> 11) * 0x1p-53;
  }

  /**
   * A double in (0, 1) with 53 significant bits wherever it lies, down to 2^-192: the exponent is
   * drawn bit by bit. For logarithms.
   */
  double nextFineUnit() {
    int zerosBefore = 0;
    long word = nextLong();
    while (word == 0 && zerosBefore < 128) {
      zerosBefore += 64;
      word = nextLong();
    }
    int exponent = zerosBefore + Long.numberOfLeadingZeros(word) + 1;
    double mantissa = 1 + (nextLong() >>> 12) * 0x1p-52;
    return StrictMath.scalb(mantissa, -exponent);
  }
}
