package dev.sotto.config.settings;

import static dev.sotto.learner.training.PlanKeys.HORIZON;
import static dev.sotto.learner.training.PlanKeys.METRICS_SHARE;
import static dev.sotto.learner.training.PlanKeys.MULTIPLIER;
import static dev.sotto.learner.training.PlanKeys.PARTICIPATIONS;

import dev.sotto.learner.accounting.AccountedContribution;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.NoiseCalibration;
import dev.sotto.learner.accounting.PrivateMetrics;
import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.learner.settings.Settings;

/** Finds the noise of a guarantee for one clip and one round size. */
final class Calibration {
  private final PrivacyRules rules;
  private final Settings settings;
  private final double clip;
  private final AccountedContribution contribution;
  private final NoiseCalibration noise;

  Calibration(PrivacyRules rules, double clip, AccountedContribution contribution) {
    this.rules = rules;
    this.settings = rules.settings();
    this.clip = clip;
    this.contribution = contribution;
    this.noise = new NoiseCalibration(
        rules.budget(),
        rules.noise().of(clip, 1),
        contribution.generations(),
        rules.metrics().share());
  }

  PrivacySettings settings() {
    double sigma = settings.make(rules.source(), this::sigma);
    PrivateMetrics metrics =
        rules.metrics().arePublished() ? settings.make(METRICS_SHARE, () -> metrics(sigma)) : null;
    Budget budget = rules.metrics().exact()
        ? new Budget(Double.POSITIVE_INFINITY, rules.budget().delta())
        : rules.budget();
    return new PrivacySettings(budget, rules.noise().of(clip, sigma), contribution, metrics);
  }

  private double sigma() {
    if (settings.isGiven(MULTIPLIER)) {
      return settings.get(MULTIPLIER) * rules.noise().adjacency().sensitivity(clip);
    }
    return contribution.participation().isBudgeted()
        ? noise.sigmaOfBudgeted(participations(), bound().separation())
        : noise.sigma(bound(), horizon());
  }

  private PrivateMetrics metrics(double sigma) {
    PrivacyRules.Metrics metrics = rules.metrics();
    return new PrivateMetrics(
        metrics.exact() ? 0 : metricsSigma(sigma),
        metrics.lossBound(),
        metrics.bins(),
        metrics.window());
  }

  private double metricsSigma(double sigma) {
    if (!contribution.participation().isBudgeted()) {
      return noise.metricsSigma(bound(), horizon());
    }
    return settings.isGiven(MULTIPLIER)
        ? noise.metricsSigmaBeside(sigma)
        : noise.metricsSigmaOfBudgeted(participations());
  }

  private long participations() {
    return settings.find(PARTICIPATIONS).orElse(rules.contribution().usual());
  }

  private ContributionBound bound() {
    return contribution.participation().bound();
  }

  private long horizon() {
    return settings.find(HORIZON).orElse(Long.MAX_VALUE);
  }
}
