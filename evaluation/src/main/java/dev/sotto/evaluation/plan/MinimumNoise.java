package dev.sotto.evaluation.plan;

import dev.sotto.learner.accounting.AccountedNoise;
import dev.sotto.learner.accounting.NoiseCalibration;
import dev.sotto.learner.mechanism.PrefixMechanism;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.training.Plan;

/**
 * The smallest noise with which a number of rounds fits a plan's budget under any mechanism, by the
 * {@link NoiseCalibration} that configurations use; private metrics stay as they are. Where units
 * have budgets of their own, it is the smallest that admits a unit to as many rounds in a row, or a
 * separation apart, as the plan does, however many rounds there are.
 */
final class MinimumNoise {
  private static final double TIGHT = 1e-9;

  private final PlanScenario scenario;
  private final PrefixMechanism mechanism;
  private final long rounds;

  private MinimumNoise(PlanScenario scenario, PrefixMechanism mechanism, long rounds) {
    this.scenario = scenario;
    this.mechanism = mechanism;
    this.rounds = rounds;
  }

  /**
   * The standard deviation (of a pure mechanism the scale) per coordinate of a round's sum.
   *
   * @param rounds at least 1, or {@link PlanForecast#LIMIT}
   * @throws IllegalArgumentException where no finite noise is enough
   */
  static double sigma(PlanScenario scenario, PrefixMechanism mechanism, long rounds) {
    return new MinimumNoise(scenario, mechanism, rounds).search();
  }

  private double search() {
    Plan plan = scenario.plan();
    scenario.account(mechanism, plan.sigma()); // refuses what cannot serve the plan
    NoiseCalibration calibration = new NoiseCalibration(
        plan.budget(),
        new AccountedNoise(mechanism, plan.clip(), 1, plan.adjacency(), plan.candidates()),
        plan.generations(),
        scenario.metricsShare());
    Participation rule = plan.participation();
    if (rule.isBudgeted()) {
      return calibration.sigmaOfBudgeted(scenario.inARow(), rule.bound().separation())
          * (plan.budget().muLimit() / rule.cap());
    }
    double sigma = calibration.sigma(rule.bound(), rounds);
    return fits(sigma) ? sigma : raised(sigma);
  }

  private boolean fits(double sigma) {
    return scenario.account(mechanism, sigma).allows(scenario.plan().budget(), rounds);
  }

  /** Metrics whose noise was made for another mechanism may leave less than their share. */
  private double raised(double from) {
    double low = from;
    double high = 2 * from;
    while (!fits(high)) {
      low = high;
      high *= 2;
      if (high > from * 0x1p40) {
        throw new IllegalArgumentException("no finite noise fits: the metrics alone exceed what "
            + mechanism.name() + " may spend");
      }
    }
    while (high - low > TIGHT * high) {
      double middle = low + (high - low) / 2;
      if (fits(middle)) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return high;
  }
}
