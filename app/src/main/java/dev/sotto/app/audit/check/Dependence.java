package dev.sotto.app.audit.check;

import dev.sotto.app.audit.Check;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Whether noise knows of other noise: of other rounds, coordinates, keys, models and histories. */
final class Dependence {
  private Dependence() {}

  /** Whether rounds know of each other. */
  static Check rounds(Silence silence) {
    Likelihood likelihood = new Likelihood();
    for (int lag = 1; lag <= silence.rounds() / 2; lag *= 2) {
      var correlation = new Likelihood.Correlation();
      for (int t = 0; t + lag < silence.rounds(); t++) {
        if (t / lag % 2 == 0) { // no round is on both sides
          for (int i = 0; i < silence.width(); i++) {
            correlation.add(silence.scores()[t][i], silence.scores()[t + lag][i]);
          }
        }
      }
      likelihood.addNormal(correlation.value());
    }
    return NoiseChecks.check(
        "noise: rounds are independent",
        likelihood,
        "correlation of the white noise of rounds 1, 2, 4 ... apart");
  }

  /** Whether coordinates know of each other. */
  static Check coordinates(Silence silence) {
    Likelihood likelihood = new Likelihood();
    for (int lag = 1; lag <= silence.width() / 2; lag *= 2) {
      var correlation = new Likelihood.Correlation();
      for (int i = 0; i + lag < silence.width(); i++) {
        if (i / lag % 2 == 0) {
          for (double[] round : silence.scores()) {
            correlation.add(round[i], round[i + lag]);
          }
        }
      }
      likelihood.addNormal(correlation.value());
    }
    return NoiseChecks.check(
        "noise: coordinates are independent",
        likelihood,
        "correlation of coordinates 1, 2, 4 ... apart");
  }

  /** Whether runs that have nothing in common but the code share anything. */
  static Check strangers(Silence silence, List<Silence> others) {
    Likelihood likelihood = new Likelihood();
    for (Silence other : others) {
      for (int t = 0; t < silence.rounds(); t++) {
        likelihood.addNormal(correlation(silence, other, t));
      }
    }
    return NoiseChecks.check(
        "noise: keys and models are independent",
        likelihood,
        "correlation with the same rounds under another key, and of another model");
  }

  /**
   * Whether two histories part for good: the second has one example more, in one round; from then on the two must
   * share nothing, before it everything.
   */
  static Check history(Silence silence, Silence again, Silence other, int spoken) {
    Likelihood likelihood = new Likelihood();
    double strongest = 0;
    for (int t = spoken - 1; t < silence.rounds(); t++) {
      double correlation = correlation(silence, other, t);
      likelihood.addNormal(correlation);
      strongest = Math.max(strongest, Math.abs(correlation) / norm(other.scores()[t]));
    }
    boolean same = Arrays.deepEquals(silence.prefixes(), again.prefixes())
        && Arrays.deepEquals(
            Arrays.copyOf(silence.prefixes(), spoken - 1),
            Arrays.copyOf(other.prefixes(), spoken - 1));
    if (!same) {
      likelihood.add(0);
    }
    return NoiseChecks.check(
        "noise: bound to the history",
        likelihood,
        same
            ? String.format(
                Locale.ROOT,
                "one example more in round %d: the same bits before, correlations up to %.3f from there on",
                spoken,
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

  /** Of one round of two runs; the first coordinate is left out, which an example may have moved. */
  private static double correlation(Silence one, Silence other, int t) {
    var correlation = new Likelihood.Correlation();
    for (int i = 1; i < one.width(); i++) {
      correlation.add(one.scores()[t][i], other.scores()[t][i]);
    }
    return correlation.value();
  }
}
