package dev.sotto.learner.release;

import dev.sotto.learner.key.KeyedNoise;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The exact counts of one stage of a window in which ranges are measured. A slot adds 1 to one bin
 * of each number at most, so it moves them by the root of their number in l2; that is all that the
 * guarantee needs. Only this package can read what is inside, and it adds noise first.
 *
 * <p>Every call fills slots of the stage, whatever it adds. Not safe for use by several threads.
 */
public final class RangeCounts {
  private static final String PURPOSE = "range";
  private static final double FINEST_TO_NOISE = 0x1p-20;

  private final int numbers;
  private final double sigma;
  final double unit; // of the lattice on which the noise lies: the counts do too
  private int bins;
  private long room;
  double[] sum = {};
  private long slots;
  private byte[] atLastRound = bytes();

  /**
   * Counts of no stage yet.
   *
   * @param numbers that are counted
   * @param sigma standard deviation of the noise of a count; 0 for exact counts of public data
   */
  public RangeCounts(int numbers, double sigma) {
    if (!(sigma >= 0 && sigma <= 0x1p30)) {
      throw new IllegalArgumentException(
          "sigma must be at least 0 and at most 2^30 counts, but was " + sigma);
    }
    this.numbers = numbers;
    this.sigma = sigma;
    this.unit = sigma == 0
        ? 1
        : Math.min(1, StrictMath.scalb(1.0, Math.getExponent(sigma * FINEST_TO_NOISE)));
  }

  /**
   * Begins a stage.
   *
   * @param ofEach bins of each number
   * @param ofSlots slots of the stage
   */
  public void open(int ofEach, long ofSlots) {
    if (slots > 0) {
      throw new IllegalStateException("counts of " + slots + " slots have not been released");
    }
    if (ofSlots > Integer.MAX_VALUE) { // a count is stored in 4 bytes
      throw new IllegalArgumentException("a stage may have 2^31 - 1 slots, but has " + ofSlots);
    }
    bins = ofEach;
    room = ofSlots;
    sum = new double[numbers * bins];
    endRound();
  }

  /** A round has closed: what a restart needs is what was counted until now. */
  public void endRound() {
    atLastRound = bytes();
  }

  /** Everything inside after the last round, to be closed at once. */
  byte[] bytesAtLastRound() {
    return atLastRound;
  }

  /** Whether the stage that was begun has room for slots. */
  public boolean isOpen() {
    return slots < room;
  }

  /**
   * Fills one slot.
   *
   * @param binOfEach one bin for each number, from 0; negative where it counts in none
   */
  public void add(int[] binOfEach) {
    if (binOfEach.length != numbers) {
      throw new IllegalArgumentException(
          "there must be a bin for each of " + numbers + " numbers, but were " + binOfEach.length);
    }
    addNothing(1);
    for (int i = 0; i < numbers; i++) {
      if (binOfEach[i] >= bins) {
        throw new IllegalArgumentException(
            "a bin must be below " + bins + ", but was " + binOfEach[i]);
      }
      if (binOfEach[i] >= 0) {
        sum[i * bins + binOfEach[i]]++;
      }
    }
  }

  /** Fills a number of slots that count in no bin. */
  public void addNothing(long count) {
    if (count < 0 || count > room - slots) {
      throw new IllegalStateException("a stage holds " + room + " slots, and " + slots
          + " are filled: there is no room for " + count);
    }
    slots += count;
  }

  /**
   * The noisy counts of a full stage, which forgets the exact ones.
   *
   * @param stage from 1: together with the digest, the address of the noise
   */
  double[] release(NoiseRelease.Moment now, int stage) {
    if (slots != room || room == 0) {
      throw new IllegalStateException(
          "a stage of " + room + " slots is released whole, but has " + slots);
    }
    long[] noise = new long[sum.length];
    if (sigma > 0) {
      new KeyedNoise(now.key(), sigma / unit).add(now.digest(), PURPOSE, stage, 1, noise);
    }
    double[] noisy = new double[sum.length];
    for (int i = 0; i < noisy.length; i++) {
      noisy[i] = sum[i] + noise[i] * unit; // both on the lattice, far below 2^53 units
    }
    clear();
    endRound();
    return noisy;
  }

  /** Empties what {@link #bytes} told to somebody else. */
  void clear() {
    Arrays.fill(sum, 0);
    slots = 0;
    room = 0;
  }

  /**
   * Adds the counts of a part of the open stage, as {@link #bytes} told them there.
   *
   * @param filled slots of that part
   */
  void merge(ByteBuffer part, long filled) {
    int ofEach = part.getInt();
    part.getLong(); // its room
    long counted = part.getLong();
    if (ofEach != bins || counted != filled) {
      throw new IllegalStateException("a part of " + filled + " slots must have counts of as many"
          + " in " + bins + " bins, but has " + counted + " in " + ofEach);
    }
    addNothing(filled);
    for (int i = 0; i < sum.length; i++) {
      sum[i] += part.getInt();
    }
  }

  /** Everything inside now, to be closed at once. */
  byte[] bytes() {
    ByteBuffer bytes = ByteBuffer.allocate(4 + 8 + 8 + 4 * sum.length);
    bytes.putInt(bins).putLong(room).putLong(slots);
    for (double each : sum) {
      bytes.putInt((int) each);
    }
    return bytes.array();
  }

  /** Becomes what {@link #bytes} told. */
  void restore(ByteBuffer bytes) {
    bins = bytes.getInt();
    room = bytes.getLong();
    slots = bytes.getLong();
    sum = new double[numbers * bins];
    for (int i = 0; i < sum.length; i++) {
      sum[i] = bytes.getInt();
    }
  }
}
