package dev.sotto.learner.mechanism;

import dev.sotto.learner.participation.ColumnDecay;
import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.Domain;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Noise from a buffered linear Toeplitz matrix (docs/blt.md, "Definition and generation"; Dvijotham
 * et al. 2024): each round's draw takes back part of what earlier rounds added, so that a prefix
 * carries far less noise than the sum of fresh draws, while what a record costs has a limit on an
 * endless stream.
 *
 * <p>Sensitivities are exact at every t, also past the horizon for which a set was tuned: there the
 * error grows as sqrt(t), and a plan whose sigma was set for that horizon runs out of budget. They
 * are never below the truth (rounding is counted) and take O(log t) for any bound. State: buffers +
 * 1 doubles a coordinate.
 */
final class Blt extends PrefixMechanism {
  static final ConfigKey<BltParameterSets> SET = ConfigKey.of(
          "privacy.blt.set",
          Domain.choice(BltParameterSets.values(), BltParameterSets::configName),
          "Parameters of `blt` (docs/blt.md): `anytime` sets serve every length at once,"
              + " `horizon` sets are better up to theirs, `felt` sets disturb a learner least.")
      .orElse(BltParameterSets.DEFAULT);

  private final BltParameters parameters;
  private final BltSensitivity sensitivity;
  private final BltInverse inverse;

  Blt(BltParameters parameters) {
    this.parameters = parameters;
    this.sensitivity = new BltSensitivity(parameters);
    this.inverse = parameters.inverse();
  }

  @Override
  public String name() {
    return "blt";
  }

  @Override
  public String parameters() {
    return parameters.toString();
  }

  @Override
  public String set() {
    return BltParameterSets.of(parameters).map(BltParameterSets::configName).orElse("");
  }

  @Override
  public OptionalLong horizon() {
    return BltParameterSets.of(parameters)
        .filter(BltParameterSets::ends)
        .map(set -> OptionalLong.of(set.horizon()))
        .orElse(OptionalLong.empty());
  }

  @Override
  public double sensitivity(long rounds) {
    return sensitivity.of(checked(rounds));
  }

  @Override
  public double sensitivityLimit() {
    return sensitivity.of(Double.POSITIVE_INFINITY);
  }

  @Override
  public double sensitivity(long rounds, ContributionBound bound) {
    return sensitivity.of(checked(rounds), bound);
  }

  @Override
  public double sensitivityLimit(ContributionBound bound) {
    return sensitivity.limit(bound);
  }

  private static long checked(long rounds) {
    if (rounds < 1) {
      throw new IllegalArgumentException("rounds must be at least 1, but were " + rounds);
    }
    return rounds;
  }

  @Override
  public Optional<ColumnDecay> memory() {
    return Optional.of(parameters.memory());
  }

  @Override
  public double prefixVariance(long rounds) {
    return inverse.prefixVariance(rounds);
  }

  @Override
  public double incrementVariance() {
    return inverse.incrementVariance();
  }

  /** Toeplitz: c_0 = 1 and c_k = sum_m omega_m theta_m^(k-1). */
  @Override
  public double[][] matrix(int rounds) {
    double[] column = new double[rounds];
    double[] terms = parameters.omega();
    double[] theta = parameters.theta();
    for (int k = 0; k < rounds; k++) {
      column[k] = k == 0 ? 1 : 0;
      for (int m = 0; k > 0 && m < terms.length; m++) {
        column[k] += terms[m];
        terms[m] *= theta[m];
      }
    }
    double[][] rows = new double[rounds][];
    for (int t = 0; t < rounds; t++) {
      rows[t] = new double[t + 1];
      for (int s = 0; s <= t; s++) {
        rows[t][s] = column[t - s];
      }
    }
    return rows;
  }

  @Override
  public NoiseState start() {
    return new BltNoiseState(parameters);
  }

  @Override
  public NoiseState resume(PagedBytes state) {
    return new BltNoiseState(parameters, state);
  }
}
