package dev.sotto.learner.mechanism;

import dev.sotto.learner.key.KeyedNoise;
import dev.sotto.learner.memory.CoordinateRanges;
import dev.sotto.learner.memory.SpareArrays;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The buffers S_1..S_d and the prefix's noise R, in lattice units (docs/blt.md, "Definition and
 * generation"): from a fresh draw z come {@code zhat = z - sum_m omega_m S_m},
 * {@code S_m <- theta_m S_m + zhat} and {@code R <- R + zhat}. R is rounded to whole units only as
 * it is given out, so that the prefix's noise is exactly its rounding.
 *
 * <p>{@code theta S} is taken as {@code S - (1 - theta) S}: a theta near 1 has lost digits that the
 * ledger counts (1e-10 of mu for the slowest buffer of the default set).
 *
 * <p>State: version, number of buffers, then S_1..S_d and R, big-endian doubles; only the first two
 * bytes before the first round.
 */
final class BltNoiseState extends NoiseState {
  private static final String PURPOSE = "blt";
  private static final byte VERSION = 1;
  private static final int HEAD = 2;

  /** Coordinates of which draws and all vectors fit the caches nearest to a core. */
  private static final int NEAR = 512;

  private static final ThreadLocal<double[][]> SCRATCH = new ThreadLocal<>();

  /*
   * Doubles from 2^52 to 2^53 are the whole numbers: a number from -2^51 up to 2^51 that is added
   * to this is rounded to the nearest of them, the even one of two, as Math.rint does. The bits of
   * what comes out, less those of this, are the number. Sums with others have another exponent.
   */
  private static final double ROUNDING = 0x1.8p52;
  private static final long EXPONENT = Double.doubleToRawLongBits(0x1p52);
  private static final int MANTISSA_BITS = 52;

  /*
   * Doubles count units up to here. A lattice allows draws of 2^32 units. For every set of
   * BltParameterSets N_t has less than 2^17 of their standard deviations for 2^40 rounds (b_inf is
   * at most 0.078, b_inf sqrt(t) at most 2^16.4), so 2^49 units: this is 16 times as much, which
   * one of 10^18 normal variables exceeds with a probability below 1e-38. Other parameters may have
   * a b_inf up to 1, and more noise: they stop here.
   */
  private static final double MOST_UNITS = 0x1p53;

  /** Of noise; most sets have fewer buffers. */
  private static final SpareArrays<double[]> SPARE = SpareArrays.ofDoubles(8);

  private final double[] omega;
  private final double[] oneMinusTheta;
  private final List<KeyedNoise.Place> passed = new ArrayList<>(); // rounds not drawn yet
  private double[][] vectors = {}; // buffers, then R; none before the first round; null: given up
  private boolean isNew; // the vectors, which may hold anything, stand for zeros

  BltNoiseState(BltParameters parameters) {
    omega = parameters.omega();
    oneMinusTheta = parameters.oneMinusTheta();
  }

  BltNoiseState(BltParameters parameters, PagedBytes state) {
    this(parameters);
    int rows = omega.length + 1;
    byte[] head = DoubleRows.head(state, HEAD);
    long rest = state.length() - HEAD;
    if (head.length < HEAD
        || head[0] != VERSION
        || head[1] != omega.length
        || rest % (8L * rows) != 0) {
      throw new IllegalArgumentException("the state of blt noise with " + omega.length
          + " buffers takes 2 bytes, " + VERSION + " and " + omega.length + ", and " + 8 * rows
          + " for each coordinate, but had " + state.length() + ": " + Arrays.toString(head));
    }
    int dimension = Math.toIntExact(rest / (8L * rows));
    if (dimension > 0) {
      vectors = rows(rows, dimension);
      DoubleRows.read(state, HEAD, List.of(vectors)); // all of it
    }
  }

  @Override
  public void advance(
      long round, byte[] digest, KeyedNoise noise, long[] into, CoordinateRanges.Use after) {
    pass(round, digest, noise, into);
    drawPassed(into, after);
  }

  @Override
  public void pass(long round, byte[] digest, KeyedNoise noise, long[] scratch) {
    open(scratch.length);
    passed.add(new KeyedNoise.Place(noise, digest.clone(), PURPOSE, round));
  }

  /**
   * The rounds that were passed, block by block, so that what is drawn, and the buffers of its
   * coordinates, stay in a cache for all of them.
   *
   * @param into to which the change of the last one is added; null for none
   * @param after what is then done with each block
   */
  private void drawPassed(long[] into, CoordinateRanges.Use after) {
    boolean first = isNew;
    int last = passed.size() - 1;
    boolean done = false;
    try {
      KeyedNoise.drawInTurn(passed, vectors[0].length, (round, from, z, length) -> {
        if (first && round == 0) {
          for (double[] row : vectors) {
            Arrays.fill(row, from, from + length, 0);
          }
        }
        step(from, z, length, round == last ? into : null);
        if (round == last) {
          after.range(from, from + length);
        }
      });
      done = true;
    } finally {
      vectors = done ? vectors : null; // some of it has advanced: of no use any more
    }
    isNew = false;
    passed.clear();
  }

  /** Arrays that may hold anything. */
  private static double[][] rows(int rows, int dimension) {
    double[][] all = new double[rows][];
    for (int i = 0; i < rows; i++) {
      all[i] = SPARE.any(dimension);
    }
    return all;
  }

  @Override
  public void recycle() {
    requireUse();
    for (double[] row : vectors) {
      SPARE.give(row);
    }
    vectors = null;
    passed.clear();
  }

  private void requireUse() {
    if (vectors == null) {
      throw new IllegalStateException("this noise has been given up, and its arrays to another");
    }
  }

  /** Makes the vectors at the first round, and holds later rounds to their length. */
  void open(int dimension) {
    requireUse();
    if (vectors.length == 0) {
      vectors = rows(omega.length + 1, dimension);
      isNew = true;
    } else if (vectors[0].length != dimension) {
      throw new IllegalArgumentException(
          "this noise has " + vectors[0].length + " coordinates, but was asked for " + dimension);
    }
  }

  /** One round of the coordinates from {@code from} on. */
  void step(int from, double[] z, int length, long[] into) {
    double[][] scratch = scratch();
    for (int done = 0; done < length; done += NEAR) {
      int count = Math.min(NEAR, length - done);
      System.arraycopy(z, done, scratch[0], 0, count);
      step(from + done, count, scratch, into);
    }
  }

  /** Draws and buffers of few coordinates. */
  private double[][] scratch() {
    int rows = omega.length + 1;
    double[][] scratch = SCRATCH.get();
    if (scratch == null || scratch.length < rows) {
      scratch = new double[rows][NEAR];
      SCRATCH.set(scratch);
    }
    return scratch;
  }

  /**
   * A round of few coordinates. Their numbers are copied to and fro, so that all arrays of a loop
   * have the same index: the compiler uses the processor's vectors for no others.
   */
  private void step(int from, int count, double[][] scratch, long[] into) {
    int buffers = omega.length;
    double[] z = scratch[0];
    for (int m = 0; m < buffers; m++) {
      System.arraycopy(vectors[m], from, scratch[1 + m], 0, count);
      subtract(omega[m], scratch[1 + m], z, count);
    }
    for (int m = 0; m < buffers; m++) {
      decay(oneMinusTheta[m], scratch[1 + m], z, count);
      System.arraycopy(scratch[1 + m], 0, vectors[m], from, count);
    }
    if (isLarge(from, z, count)) {
      addLarge(from, z, count, into);
    } else {
      add(from, z, count, into);
    }
  }

  /** Whether some noise of the prefix is too large to be rounded by {@link #ROUNDING}. */
  private boolean isLarge(int from, double[] z, int count) {
    double[] r = vectors[omega.length];
    long other = 0;
    for (int i = 0; i < count; i++) {
      double before = r[from + i];
      other |= Double.doubleToRawLongBits(before + ROUNDING) ^ EXPONENT
          | Double.doubleToRawLongBits(before + z[i] + ROUNDING) ^ EXPONENT;
    }
    return other >>> MANTISSA_BITS != 0;
  }

  private static void subtract(double weight, double[] s, double[] z, int count) {
    for (int i = 0; i < count; i++) {
      z[i] -= weight * s[i];
    }
  }

  private static void decay(double loss, double[] s, double[] z, int count) {
    for (int i = 0; i < count; i++) {
      s[i] = s[i] - loss * s[i] + z[i];
    }
  }

  /** Adds the noise of a round to that of the prefix, and the change of its rounding. */
  private void add(int from, double[] z, int count, long[] into) {
    double[] r = vectors[omega.length];
    for (int i = 0; i < count; i++) {
      double before = r[from + i];
      double now = before + z[i];
      r[from + i] = now;
      if (into != null) {
        into[from + i] += Double.doubleToRawLongBits(now + ROUNDING)
            - Double.doubleToRawLongBits(before + ROUNDING);
      }
    }
  }

  /** The same where some noise is too large for that. */
  private void addLarge(int from, double[] z, int count, long[] into) {
    double[] r = vectors[omega.length];
    for (int i = 0; i < count; i++) {
      double before = r[from + i];
      double now = before + z[i];
      if (!(Math.abs(now) < MOST_UNITS)) {
        // Without the value: beside the release it would show the exact sum.
        throw new ArithmeticException("the noise of a prefix must stay below 2^53 lattice units,"
            + " but does not any more; no further round can be released");
      }
      r[from + i] = now;
      if (into != null) {
        into[from + i] += (long) Math.rint(now) - (long) Math.rint(before);
      }
    }
  }

  @Override
  public PagedBytes state(int pageBytes) {
    requireUse();
    if (!passed.isEmpty()) {
      drawPassed(null, (from, to) -> {});
    }
    return new DoubleRows(new byte[] {VERSION, (byte) omega.length}, List.of(vectors), pageBytes);
  }
}
