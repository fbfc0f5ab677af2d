package dev.sotto.learner.optimizer;

import dev.sotto.learner.memory.CoordinateRanges;
import dev.sotto.learner.memory.SpareArrays;
import dev.sotto.learner.release.NoisySum;
import java.util.Arrays;

/**
 * By how many times the steps of one model exceed those that are stable under the worst curvature
 * (docs/private-ftrl.md, "Steps beyond the worst curvature"). The factor is 1 at first. It doubles,
 * up to {@link #HIGHEST}, while the gradients of successive rounds show that steps fall short of
 * where they lead to. It is halved, and does not rise again, where they show that steps overshoot.
 * It is a function of noisy sums and public numbers.
 *
 * <p>A change of the factor changes later steps, not the weights there are: from then on the prefix
 * counts from an offset V, with {@code eta' (G - V') = eta (G - V)}.
 */
final class StepRaise {
  static final double HIGHEST = 4;

  /** A coordinate counts where the prefix is this number of standard deviations of its noise. */
  private static final double VISIBLE = 5;
  /** The part of earlier rounds that each round keeps of the two sums. */
  private static final double MEMORY = 0.8;
  /** Twice the step is stable with a margin where so much of the gradient is left. */
  private static final double SHORT = 0.25;
  /** So much of the gradient, and with the other sign, is left where a step overshoots. */
  private static final double OVER = -0.5;
  /** Standard deviations that chance may add or take away. */
  private static final double TOLERANCE = 2;

  /** Of what follows from noisy sums. */
  private static final SpareArrays<double[]> SPARE = SpareArrays.ofDoubles(3);

  private static final int HEAD = 6; // numbers of the state before its vectors
  /** Stands for the length of a vector that is not kept: it is the mean of the sums themselves. */
  private static final int SUMS = -1;

  private static final double[] NONE = {};

  private final StepSize.NoiseAware steps;
  private double factor = 1;
  private double highest = HIGHEST;
  private double product; // of the gradients of successive rounds, and of the earlier with itself
  private double square;
  private double[] offset = NONE; // V, where it is not 0
  private double[] before = NONE; // the mean gradient of the last round, where another will follow
  private double[] spare = NONE; // that of the round before it, to be written over
  private boolean first; // whether the last round is the first of its prefix
  private long[] visible = {}; // a bit for each coordinate of the prefix at hand

  StepRaise(StepSize.NoiseAware steps) {
    this.steps = steps;
  }

  /** The step of a round. */
  double eta(long t) {
    return steps.eta(t, factor);
  }

  /** Takes the offset away from a prefix, in the coordinates from one up to another. */
  void center(double[] prefix, int from, int to) {
    for (int i = from; offset.length > 0 && i < to; i++) {
      prefix[i] -= offset[i];
    }
  }

  /**
   * Takes the answer of one more round.
   *
   * @param prefix where to write its noisy prefix of means
   */
  void tell(NoisySum answer, double[] prefix) {
    long t = answer.round();
    if (!steps.isHeldByCurvature(t + 1)) { // and never again in this generation: noise grows
      forget();
      answer.mean(prefix);
      return;
    }
    double[] last = spare.length > 0 ? spare : SPARE.any(prefix.length);
    boolean follows = before.length > 0;
    double least = follows ? VISIBLE * steps.deviation(t - 1) : 0;
    if (follows && visible.length == 0) {
      visible = new long[(prefix.length + Long.SIZE - 1) / Long.SIZE];
    }
    CoordinateRanges.each(prefix.length, (from, to) -> {
      answer.mean(prefix, from, to);
      answer.lastMean(last, from, to);
      if (follows) {
        findVisible(last, prefix, least, from, to);
      }
    });
    if (follows) {
      compare(last);
      change(choice(), prefix, t);
    }
    spare = before;
    before = last;
    first = t == 1;
  }

  /** Of coordinates that begin with a word of bits. */
  private void findVisible(double[] last, double[] prefix, double least, int from, int to) {
    for (int begin = from; begin < to; begin += Long.SIZE) {
      long bits = 0;
      for (int i = begin; i < Math.min(to, begin + Long.SIZE); i++) {
        if (Math.abs(prefix[i] - last[i]) > least) { // known before the round: not by its noise
          bits |= 1L << i;
        }
      }
      visible[begin / Long.SIZE] = bits;
    }
  }

  private void compare(double[] last) {
    double along = 0;
    double norm = 0;
    for (int word = 0; word < visible.length; word++) {
      for (long bits = visible[word]; bits != 0; bits &= bits - 1) {
        int i = word * Long.SIZE + Long.numberOfTrailingZeros(bits);
        along += last[i] * before[i];
        norm += before[i] * before[i];
      }
    }
    product = MEMORY * product + along;
    square = MEMORY * square + norm;
  }

  private double choice() {
    double tolerance = TOLERANCE * Math.sqrt(square) * steps.chance();
    if (product < OVER * square - tolerance) {
      highest = Math.max(1, factor / 2);
      product = 0;
      square = 0;
      return highest;
    }
    return product > SHORT * square - tolerance ? Math.min(highest, 2 * factor) : factor;
  }

  private void change(double next, double[] prefix, long t) {
    double ratio = steps.eta(t + 1, factor) / steps.eta(t + 1, next);
    factor = next;
    if (ratio == 1) {
      return;
    }
    if (offset.length == 0) {
      offset = new double[prefix.length];
    }
    for (int i = 0; i < prefix.length; i++) {
      offset[i] = prefix[i] - ratio * (prefix[i] - offset[i]);
    }
  }

  private void forget() {
    spare = NONE;
    before = NONE;
    product = 0;
    square = 0;
  }

  /** Another prefix begins. What has been learned of the factor stays. */
  void restart() {
    forget();
    offset = NONE;
  }

  /**
   * Some numbers and one or two vectors, from which it goes on, and what else is to be kept; only
   * that as long as nothing is known.
   *
   * @param kept a vector of as many numbers as there are weights, or none
   */
  double[] state(int dimension, double[] kept) {
    if (before.length == 0 && offset.length == 0 && factor == 1 && highest == HIGHEST) {
      return kept.clone();
    }
    boolean isSums = before.length > 0 && first;
    double[] last = isSums ? NONE : before;
    // At least one vector, so that the length differs from that of the kept one alone.
    double[] shift = offset.length + last.length == 0 ? new double[dimension] : offset;
    double[] all = Arrays.copyOf(
        new double[] {factor, highest, product, square, shift.length, isSums ? SUMS : last.length},
        HEAD + shift.length + last.length + kept.length);
    System.arraycopy(shift, 0, all, HEAD, shift.length);
    System.arraycopy(last, 0, all, HEAD + shift.length, last.length);
    System.arraycopy(kept, 0, all, all.length - kept.length, kept.length);
    return all;
  }

  /**
   * Goes on from a {@link #state}.
   *
   * @param latest the sums of the last round; null before the first
   * @return what else was kept
   * @throws IllegalArgumentException where it is none for this many weights
   */
  double[] resume(int dimension, double[] state, NoisySum latest) {
    if (state.length == 0 || state.length == dimension) {
      return state.clone();
    }
    boolean isSums = latest != null && state.length >= HEAD && state[5] == SUMS;
    boolean whole = state.length >= HEAD
        && isVector(dimension, state[4])
        && (isSums || isVector(dimension, state[5]));
    int middle = whole ? HEAD + (int) state[4] : 0;
    int end = !whole || isSums ? middle : middle + (int) state[5];
    if (!whole || state.length < end || !isVector(dimension, state.length - end)) {
      throw new IllegalArgumentException("the factor of the steps keeps " + HEAD
          + " numbers and one or two vectors of " + dimension + ", but there were " + state.length
          + " numbers");
    }
    factor = state[0];
    highest = state[1];
    product = state[2];
    square = state[3];
    offset = SPARE.copy(state, HEAD, middle);
    if (isSums) {
      first = true;
      before = SPARE.any(dimension);
      latest.mean(before);
    } else {
      before = SPARE.copy(state, middle, end);
    }
    return Arrays.copyOfRange(state, end, state.length);
  }

  /** Leaves its vectors to the next one of this thread; no use afterwards. */
  void recycle() {
    SPARE.give(offset);
    SPARE.give(before);
    SPARE.give(spare);
  }

  private static boolean isVector(int dimension, double length) {
    return length == 0 || length == dimension;
  }
}
