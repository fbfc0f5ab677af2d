package dev.sotto.evaluation.audit.canary;

import java.util.stream.IntStream;

/**
 * The scores of all canaries of an audit.
 *
 * @param evidence of each: larger where it seems to be in
 * @param separation of each: how far apart its worlds lie where all is as claimed, in standard
 *     deviations
 * @param in whether it was
 * @param together how many of them are ranked together, one such group after the other; those left
 *     over are not guessed
 */
record CanaryScores(double[] evidence, double[] separation, boolean[] in, int together) {
  int size() {
    return in.length;
  }

  private int groups() {
    return size() / together;
  }

  /** The canaries of a group, from those that seem to be out most to those that seem to be in. */
  private int[] order(int group) {
    return IntStream.range(group * together, (group + 1) * together)
        .boxed()
        .sorted((a, b) -> Double.compare(evidence[a], evidence[b]))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /**
   * How many guesses are right: of each group those {@code half} that most seem to be in are
   * guessed in, as many that least seem to be are guessed out, all others are left open.
   */
  GuessTally right(int half) {
    double[] right = new double[groups()];
    for (int group = 0; group < right.length; group++) {
      int[] order = order(group);
      for (int i = 0; i < half; i++) {
        right[group] += in[order[i]] ? 0 : 1;
        right[group] += in[order[together - 1 - i]] ? 1 : 0;
      }
    }
    return new GuessTally(together, 2 * half, right);
  }

  /**
   * How many of such guesses would be right on average, by group and half of their number: where
   * evidence is the logarithm of the likelihood ratio, a guess is right with probability 1 / (1 +
   * e^-|evidence|).
   */
  double[][] expected() {
    double[][] expected = new double[groups()][together / 2 + 1];
    for (int group = 0; group < expected.length; group++) {
      int[] order = order(group);
      for (int i = 0; i < together / 2; i++) {
        double out = 1 / (1 + StrictMath.exp(evidence[order[i]]));
        double in = 1 / (1 + StrictMath.exp(-evidence[order[together - 1 - i]]));
        expected[group][i + 1] = expected[group][i] + out + in;
      }
    }
    return expected;
  }

  /**
   * How far apart the worlds lie, measured, over what is claimed: 1 where all is as claimed, with a
   * standard error of {@link #errorOfRatio}. Least squares over the canaries' separations, once as
   * they are and once with the sign of the coin; then in standard deviations of what that leaves.
   */
  double ratio() {
    double squares = 0;
    double signed = 0;
    double along = 0;
    double signedAlong = 0;
    for (int i = 0; i < size(); i++) {
      double square = separation[i] * separation[i];
      squares += square;
      signed += side(i) * square;
      along += evidence[i];
      signedAlong += side(i) * evidence[i];
    }
    double determinant = squares * squares - signed * signed;
    double middle = (squares * along - signed * signedAlong) / determinant;
    double half = (squares * signedAlong - signed * along) / determinant;
    double rest = 0;
    for (int i = 0; i < size(); i++) {
      double off = evidence[i] / separation[i] - (middle + side(i) * half) * separation[i];
      rest += off * off;
    }
    return 2 * half / Math.sqrt(rest / size());
  }

  /** The standard error of {@link #ratio} where it is 1. */
  double errorOfRatio() {
    double squares = 0;
    for (double each : separation) {
      squares += each * each;
    }
    return Math.sqrt(4 / squares + 0.5 / size());
  }

  private int side(int which) {
    return in[which] ? 1 : -1;
  }
}
