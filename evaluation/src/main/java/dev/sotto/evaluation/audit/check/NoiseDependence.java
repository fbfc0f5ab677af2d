package dev.sotto.evaluation.audit.check;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Independence of the noise of different rounds, coordinates, keys, models and histories. */
final class NoiseDependence {
  private NoiseDependence() {}

  /** Correlations between rounds. */
  static CheckResult rounds(NoiseOnlyRun noise) {
    MinimumPValue pValue = new MinimumPValue();
    for (int lag = 1; lag <= noise.rounds() / 2; lag *= 2) {
      var correlation = new MinimumPValue.Correlation();
      for (int t = 0; t + lag < noise.rounds(); t++) {
        if (t / lag % 2 == 0) { // no round is on both sides
          for (int i = 0; i < noise.width(); i++) {
            correlation.add(noise.scores()[t][i], noise.scores()[t + lag][i]);
          }
        }
      }
      pValue.addNormal(correlation.value());
    }
    return NoiseChecks.check(
        "noise: rounds are independent",
        pValue,
        "correlation of the white noise of rounds 1, 2, 4 ... apart");
  }

  /** Correlations between coordinates. */
  static CheckResult coordinates(NoiseOnlyRun noise) {
    MinimumPValue pValue = new MinimumPValue();
    for (int lag = 1; lag <= noise.width() / 2; lag *= 2) {
      var correlation = new MinimumPValue.Correlation();
      for (int i = 0; i + lag < noise.width(); i++) {
        if (i / lag % 2 == 0) {
          for (double[] round : noise.scores()) {
            correlation.add(round[i], round[i + lag]);
          }
        }
      }
      pValue.addNormal(correlation.value());
    }
    return NoiseChecks.check(
        "noise: coordinates are independent",
        pValue,
        "correlation of coordinates 1, 2, 4 ... apart");
  }

  /** Correlations with runs under other keys and of other models. */
  static CheckResult otherRuns(NoiseOnlyRun noise, List<NoiseOnlyRun> others) {
    MinimumPValue pValue = new MinimumPValue();
    for (NoiseOnlyRun other : others) {
      for (int t = 0; t < noise.rounds(); t++) {
        pValue.addNormal(correlation(noise, other, t));
      }
    }
    return NoiseChecks.check(
        "noise: keys and models are independent",
        pValue,
        "correlation with the same rounds under another key, and of another model");
  }

  /**
   * Two histories, of which the second has one example more, in one round. Before it their noise
   * must be the same, from there on independent.
   *
   * @param noun what a release is called
   */
  static CheckResult history(
      NoiseOnlyRun noise, NoiseOnlyRun again, NoiseOnlyRun other, int exampleRound, String noun) {
    MinimumPValue pValue = new MinimumPValue();
    double strongest = 0;
    for (int t = exampleRound - 1; t < noise.rounds(); t++) {
      double correlation = correlation(noise, other, t);
      pValue.addNormal(correlation);
      strongest = Math.max(strongest, Math.abs(correlation) / norm(other.scores()[t]));
    }
    boolean same = Arrays.deepEquals(noise.prefixes(), again.prefixes())
        && Arrays.deepEquals(
            Arrays.copyOf(noise.prefixes(), exampleRound - 1),
            Arrays.copyOf(other.prefixes(), exampleRound - 1));
    if (!same) {
      pValue.add(0);
    }
    return NoiseChecks.check(
        "noise: bound to the history",
        pValue,
        same
            ? String.format(
                Locale.ROOT,
                "one example more in %s %d: the same bits before, correlations up to %.3f from"
                    + " there on",
                noun,
                exampleRound,
                strongest)
            : "the same history does not give the same bits");
  }

  private static double norm(double[] values) {
    double squares = 0;
    for (double each : values) {
      squares += each * each;
    }
    return Math.sqrt(squares);
  }

  /** Of one round of two runs, without the first coordinate, which the example may have moved. */
  private static double correlation(NoiseOnlyRun one, NoiseOnlyRun other, int t) {
    var correlation = new MinimumPValue.Correlation();
    for (int i = 1; i < one.width(); i++) {
      correlation.add(one.scores()[t][i], other.scores()[t][i]);
    }
    return correlation.value();
  }
}
