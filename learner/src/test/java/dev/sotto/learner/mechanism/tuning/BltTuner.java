package dev.sotto.learner.mechanism.tuning;

import dev.sotto.learner.mechanism.BltParameters;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.PrefixMechanism;
import java.util.Arrays;
import java.util.function.Function;
import java.util.function.LongToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Finds the parameter sets of {@link dev.sotto.learner.mechanism.BltParameterSets} anew, from a
 * start that knows the number of buffers and the horizon only. Offline: a set takes seconds to a
 * minute, and the errors that it promises are checked by the closed forms, not by trust in the
 * search.
 *
 * <p>Errors are those of one participation, s = 1 and mu = 1: sensitivity times standard deviation.
 */
public final class BltTuner {
  private static final double DIFFERENCE = 1e-5; // of a coordinate, to each side of a point
  private static final int POINTS_PER_OCTAVE = 8;

  /**
   * How sharply the largest of many logarithms is told from the next: a soft maximum errs by
   * ln(many) over this.
   */
  private static final double[] SHARPNESS = {16, 64, 256, 1024, 4096, 16_384, 65_536};

  private static final long LONGEST_WINDOW = 1024;
  private static final double OF_WINDOWS = 0.75;

  private BltTuner() {}

  /**
   * A set and how good it is.
   *
   * @param value what was minimised
   */
  public record Tuned(BltParameters parameters, double value) {}

  /** Logarithms of what is to be small. */
  private interface Criterion {
    double[] logs(BltParameters set);
  }

  private static Criterion ofMechanism(Function<PrefixMechanism, double[]> logs) {
    return set -> logs.apply(Mechanisms.blt(set));
  }

  /**
   * The set of the smallest maximal error over so many rounds (at least 2), charged at the last of
   * them.
   */
  public static Tuned forHorizon(long rounds, int buffers) {
    return forHorizon(rounds, Interlaced.start(buffers, rounds));
  }

  static Tuned forHorizon(long rounds, double[] start) {
    return tune(
        ofMechanism(blt -> new double[] {
          StrictMath.log(blt.sensitivity(rounds))
              + StrictMath.log(blt.prefixVariance(rounds)) / 2 // the last prefix has the most noise
        }),
        start,
        1);
  }

  /**
   * The set of the smallest worst ratio, over {@code first} to so many rounds (at least twice as
   * many) at 8 points an octave, of its error charged for an endless stream to that of a square-root mechanism made for
   * that number of rounds.
   */
  public static Tuned anytime(long first, long rounds, int buffers) {
    long[] times = times(first, rounds);
    double[] yardstick = Arrays.stream(times)
        .mapToDouble(t -> StrictMath.log(SquareRoot.error(t)))
        .toArray();
    return tune(
        ofMechanism(blt -> {
          double limit = StrictMath.log(blt.sensitivityLimit());
          return IntStream.range(0, times.length)
              .mapToDouble(
                  i -> limit + StrictMath.log(blt.prefixVariance(times[i])) / 2 - yardstick[i])
              .toArray();
        }),
        Interlaced.start(buffers, rounds),
        SHARPNESS);
  }

  /**
   * The set of the least noise that a learner feels on a stream of so many rounds (a power of 4, at
   * least 16), charged for an endless one. Three quarters of what is minimised are the mean
   * logarithm of the noise that is felt over 16, 64, 256 and 1,024 rounds, as far as there are so
   * many; a quarter is that of the prefixes of 16, 64, and so on rounds, with which steps fall.
   */
  public static Tuned felt(long rounds, int buffers) {
    return tune(
        set -> new double[] {StrictMath.log(feltNoise(set, rounds))},
        Interlaced.start(buffers, rounds),
        1);
  }

  /** What {@link #felt} minimises. */
  static double feltNoise(BltParameters set, long rounds) {
    PrefixMechanism blt = Mechanisms.blt(set);
    long[] prefixes = LongStream.iterate(16, t -> t <= rounds, t -> 4 * t).toArray();
    long[] windows = Arrays.stream(prefixes).filter(t -> t <= LONGEST_WINDOW).toArray();
    double felt = mean(windows, t -> StrictMath.log(FeltNoise.variance(set, t)) / 2);
    double prefix = mean(prefixes, t -> StrictMath.log(blt.prefixVariance(t)) / 2);
    return blt.sensitivityLimit() * StrictMath.exp(OF_WINDOWS * felt + (1 - OF_WINDOWS) * prefix);
  }

  private static double mean(long[] of, LongToDoubleFunction value) {
    return Arrays.stream(of).mapToDouble(value).average().orElseThrow();
  }

  private static long[] times(long first, long rounds) {
    double octaves = StrictMath.log(rounds / (double) first) / StrictMath.log(2);
    return IntStream.rangeClosed(0, (int) Math.rint(octaves * POINTS_PER_OCTAVE))
        .mapToLong(i -> Math.round(first * StrictMath.pow(2, i / (double) POINTS_PER_OCTAVE)))
        .map(t -> Math.min(t, rounds))
        .distinct()
        .toArray();
  }

  private static Tuned tune(Criterion criterion, double[] start, double... sharpnesses) {
    double[] point = start;
    for (double sharpness : sharpnesses) {
      point = QuasiNewton.minimise(
          (at, gradient) -> softMaximum(criterion, at, sharpness, gradient), point);
    }
    BltParameters found = Interlaced.at(point);
    double largest = Arrays.stream(criterion.logs(found)).max().orElseThrow();
    return new Tuned(found, StrictMath.exp(largest));
  }

  /** {@code ln(sum_i e^(p l_i)) / p}, with the gradient of the sum's terms by differences. */
  private static double softMaximum(
      Criterion criterion, double[] point, double sharpness, double[] gradient) {
    double[] logs;
    double[][] above = new double[point.length][];
    double[][] below = new double[point.length][];
    try {
      logs = criterion.logs(Interlaced.at(point));
      for (int j = 0; j < point.length; j++) {
        above[j] = criterion.logs(Interlaced.at(moved(point, j, DIFFERENCE)));
        below[j] = criterion.logs(Interlaced.at(moved(point, j, -DIFFERENCE)));
      }
    } catch (IllegalArgumentException outside) { // so extreme that doubles cannot hold the order
      return Double.POSITIVE_INFINITY;
    }
    double largest = Arrays.stream(logs).max().orElseThrow();
    double total = 0;
    Arrays.fill(gradient, 0);
    for (int i = 0; i < logs.length; i++) {
      double weight = StrictMath.exp(sharpness * (logs[i] - largest));
      total += weight;
      for (int j = 0; j < gradient.length; j++) {
        gradient[j] += weight * (above[j][i] - below[j][i]) / (2 * DIFFERENCE);
      }
    }
    for (int j = 0; j < gradient.length; j++) {
      gradient[j] /= total;
    }
    return largest + StrictMath.log(total) / sharpness;
  }

  private static double[] moved(double[] point, int coordinate, double by) {
    double[] moved = point.clone();
    moved[coordinate] += by;
    return moved;
  }
}
