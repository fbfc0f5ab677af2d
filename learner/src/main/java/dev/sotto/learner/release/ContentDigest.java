package dev.sotto.learner.release;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import java.nio.ByteBuffer;

/**
 * A fast keyed fingerprint, 128 bits, of the slots of a round, whatever their order: the sum of one
 * hash a slot, of its status, features, label and weight. It enters the running digest beside the
 * exact sum, which SHA-256 covers byte for byte; no noise rests on this hash alone
 * (docs/decisions/0003-content-digest.md). Where slots are sampled, that a block of other content
 * has other coins does: no guarantee of one run needs it. Offsets stay out, so that the same stream
 * replayed elsewhere gives the same bits.
 */
public final class ContentDigest {
  /** The length of {@link #state()}. */
  public static final int BYTES = 16;

  private final long k0;
  private final long k1;
  private final long k2;
  private final long k3;
  private long a; // of the slot at hand
  private long b;
  private long sumA; // of all slots
  private long sumB;

  /** The fingerprint of no slot, keyed for one run. */
  public ContentDigest(NoiseKey key, byte[] runId) {
    ByteBuffer words = ByteBuffer.wrap(key.contentKey(runId));
    k0 = words.getLong();
    k1 = words.getLong();
    k2 = words.getLong();
    k3 = words.getLong();
    clear();
  }

  /** Back to the fingerprint of no slot. */
  public void clear() {
    sumA = 0;
    sumB = 0;
  }

  /** Takes in one more slot. */
  public void add(Slot slot) {
    a = k0;
    b = k1;
    addContent(slot);
  }

  /**
   * Takes in one more slot with its place, where more than sums depend on the order of slots:
   * secret coins do, and nothing but this fingerprint binds them to the block.
   */
  public void add(Slot slot, long place) {
    a = k0;
    b = k1;
    mix(place, -2, 0, 0);
    addContent(slot);
  }

  private void addContent(Slot slot) {
    RecordStatus status = slot.status();
    if (status == RecordStatus.USED) {
      mix(slot.example());
    } else {
      mix(status.code(), -1, 0, 0);
    }
    finish(1);
  }

  /** Takes in a number of slots of offsets without a record. */
  public void addAbsent(long count) {
    a = k0;
    b = k1;
    mix(RecordStatus.ABSENT.code(), -1, 0, 0);
    finish(count);
  }

  /**
   * Both sums take in both halves of the slot: else two slots could swap what only one half has
   * seen.
   */
  private void finish(long count) {
    sumA += count * fold(a ^ k1, b ^ k0);
    sumB += count * fold(b ^ k2, a ^ k3);
  }

  /** Takes in the slots of another part of the same round, by its {@link #state()}. */
  public void merge(byte[] part) {
    ByteBuffer words = ByteBuffer.wrap(part);
    sumA += words.getLong();
    sumB += words.getLong();
  }

  private void mix(Example example) {
    int size = example.size();
    mix(
        example.isSparse() ? 256 : 0,
        size,
        Double.doubleToRawLongBits(example.label()),
        Double.doubleToRawLongBits(example.weight()));
    if (example.isSparse()) {
      mixSparse(example.values(), example.indices(), size);
    } else {
      mixDense(example.values(), size);
    }
  }

  // Both loops keep their state in locals: in fields each step would wait for a store to memory.

  private void mixDense(double[] values, int size) {
    long x = a;
    long y = b;
    int i = 0;
    for (; i + 3 < size; i += 4) {
      x = fold(bits(values, i) ^ k2, bits(values, i + 1) ^ x);
      y = fold(bits(values, i + 2) ^ k3, bits(values, i + 3) ^ y);
    }
    a = x;
    b = y;
    for (; i < size; i++) {
      mix(bits(values, i), i, 0, 1);
    }
  }

  private void mixSparse(double[] values, int[] indices, int size) {
    long x = a;
    long y = b;
    for (int i = 0; i < size; i++) {
      x = fold(indices[i] ^ k2, bits(values, i) ^ x);
      y = fold(i ^ k3, size ^ y);
    }
    a = x;
    b = y;
  }

  private static long bits(double[] values, int at) {
    return Double.doubleToRawLongBits(values[at]);
  }

  private void mix(long w0, long w1, long w2, long w3) {
    a = fold(w0 ^ k2, w1 ^ a);
    b = fold(w2 ^ k3, w3 ^ b);
  }

  private static long fold(long x, long y) {
    return Math.multiplyHigh(x, y) ^ (x * y) ^ Long.rotateLeft(y, 32);
  }

  /** The fingerprint so far; also what {@link #resume} takes. */
  public byte[] state() {
    return ByteBuffer.allocate(BYTES).putLong(sumA).putLong(sumB).array();
  }

  /** Goes on from a state. */
  public void resume(byte[] state) {
    ByteBuffer words = ByteBuffer.wrap(state);
    sumA = words.getLong();
    sumB = words.getLong();
  }
}
