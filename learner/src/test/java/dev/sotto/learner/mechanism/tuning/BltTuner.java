package dev.sotto.learner.mechanism.tuning;

import dev.sotto.learner.mechanism.BltParameters;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.PrefixMechanism;
import java.util.Arrays;
import java.util.stream.IntStream;

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

  private BltTuner() {}

  /**
   * A set and how good it is.
   *
   * @param value what was minimised
   */
  public record Tuned(BltParameters parameters, double value) {}

  /** Logarithms of what is to be small. */
  private interface Criterion {
    double[] logs(PrefixMechanism blt);
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
        blt -> new double[] {
          StrictMath.log(blt.sensitivity(rounds))
              + StrictMath.log(blt.prefixVariance(rounds)) / 2 // the last prefix has the most noise
        },
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
        blt -> {
          double limit = StrictMath.log(blt.sensitivityLimit());
          return IntStream.range(0, times.length)
              .mapToDouble(
                  i -> limit + StrictMath.log(blt.prefixVariance(times[i])) / 2 - yardstick[i])
              .toArray();
        },
        Interlaced.start(buffers, rounds),
        SHARPNESS);
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
    double largest = Arrays.stream(criterion.logs(Mechanisms.blt(found))).max().orElseThrow();
    return new Tuned(found, StrictMath.exp(largest));
  }

  /** {@code ln(sum_i e^(p l_i)) / p}, with the gradient of the sum's terms by differences. */
  private static double softMaximum(
      Criterion criterion, double[] point, double sharpness, double[] gradient) {
    double[] logs;
    double[][] above = new double[point.length][];
    double[][] below = new double[point.length][];
    try {
      logs = criterion.logs(Mechanisms.blt(Interlaced.at(point)));
      for (int j = 0; j < point.length; j++) {
        above[j] = criterion.logs(Mechanisms.blt(Interlaced.at(moved(point, j, DIFFERENCE))));
        below[j] = criterion.logs(Mechanisms.blt(Interlaced.at(moved(point, j, -DIFFERENCE))));
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
