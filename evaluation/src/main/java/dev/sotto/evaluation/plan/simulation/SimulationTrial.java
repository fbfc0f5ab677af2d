package dev.sotto.evaluation.plan.simulation;

import dev.sotto.evaluation.plan.PlanForecast;
import dev.sotto.evaluation.plan.PlanScenario;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.loss.StepScale;
import dev.sotto.learner.optimizer.Optimizer;
import dev.sotto.learner.optimizer.PrivateFtrl;
import dev.sotto.learner.optimizer.StepSize;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.Plan;
import java.util.List;

/**
 * One setting, run by the real learner at the cost of the plan. In a long stream one synthetic
 * record stands for many: there are as many rounds, with fewer slots and less noise in proportion.
 */
final class SimulationTrial {
  private final PlanScenario scenario;
  private final SimulatedSetting setting;
  private final long rounds;
  private final double sigma;
  private final int slots;
  private final Plan thinned;

  /**
   * A trial.
   *
   * @throws IllegalArgumentException if the plan refuses the setting, or its algorithm cannot be
   *     simulated
   */
  SimulationTrial(PlanScenario scenario, SimulatedSetting setting, StreamSize size) {
    this.scenario = scenario;
    this.setting = setting;
    this.rounds = Math.max(1, size.records() / setting.batch());
    this.sigma = sigma();
    this.slots = (int) Math.max(1, Math.rint(setting.batch() / size.thinning()));
    this.thinned = thinned(size.dimension());
  }

  /** The noise with the cost of the plan at its horizon, for the same records in other batches. */
  private double sigma() {
    Plan plan = scenario.plan();
    double multiplier = plan.sigma() / plan.clip();
    return multiplier * setting.clip() * scenario.sensitivityRatio(horizon());
  }

  /** The plan's horizon in rounds of this batch size. */
  private long horizon() {
    long horizon = scenario.horizon();
    return horizon == PlanForecast.LIMIT ? horizon : scaled(horizon);
  }

  private long scaled(long planned) {
    return (long)
        Math.max(1, Math.ceil((double) planned * scenario.plan().batch() / setting.batch()));
  }

  private Plan thinned(int dimension) {
    Plan plan = scenario.plan();
    return plan.toBuilder()
        .features("synthetic")
        .dimension(dimension)
        .loss(plan.lossName(), plan.loss())
        .algorithm(plan.algorithm(), "synthetic", optimizer(dimension))
        .clip(setting.clip())
        .batch(slots)
        .sigma(sigma * slots / setting.batch())
        .unit(PrivacyUnit.RECORD)
        .budget(new Budget(Double.POSITIVE_INFINITY, plan.budget().delta()))
        .participation(new Participation.Once())
        .metrics(null)
        .lag(0)
        .build();
  }

  private Optimizer optimizer(int dimension) {
    Plan plan = scenario.plan();
    if (!(plan.optimizer() instanceof PrivateFtrl ftrl)) {
      throw new IllegalArgumentException(
          "the simulation varies the steps of private-ftrl only, but the algorithm is "
              + plan.algorithm());
    }
    double increments = plan.mechanism().ofPrefixes().orElseThrow().incrementVariance();
    double own = PrivateFtrl.stepScale(
        1, plan.clip(), plan.dimension(), increments, plan.sigma(), plan.batch());
    double here =
        PrivateFtrl.stepScale(1, setting.clip(), dimension, increments, sigma, setting.batch());
    double factor = setting.stepFactor() * here / own;
    if (ftrl.steps() instanceof StepSize.Decreasing decreasing) {
      return new PrivateFtrl(
          ftrl.potential(), new StepSize.Decreasing(decreasing.scale() * factor));
    }
    if (ftrl.steps() instanceof StepSize.Fixed fixed) {
      return new PrivateFtrl(
          ftrl.potential(), new StepSize.Fixed(fixed.scale() * factor, scaled(fixed.horizon())));
    }
    if (ftrl.steps() instanceof StepSize.NoiseAware aware) {
      StepScale scale = aware.scale();
      return new PrivateFtrl(
          ftrl.potential(),
          new StepSize.NoiseAware(
              aware.mechanism(),
              sigma,
              setting.batch(),
              new StepScale(
                  setting.clip(), scale.noise() * setting.stepFactor(), scale.curvature()),
              aware.shrinks(),
              aware.raises()));
    }
    throw new IllegalArgumentException(
        "the simulation varies decreasing and fixed steps only, but they are " + ftrl.steps());
  }

  /** The number of synthetic records it learns from. */
  long needs() {
    return rounds * slots;
  }

  SimulatedSetting setting() {
    return setting;
  }

  /** The result, in terms of the plan and not of the thinned one. */
  SettingResult result(List<Double> losses) {
    return new SettingResult(setting, rounds, horizon(), sigma, losses);
  }

  /** The mean loss of the last model over the held-out examples. */
  double loss(SyntheticStream stream, NoiseKey key) {
    ModelLearner learner = ModelLearner.start(thinned, key, "synthetic", "plan");
    Slot slot = new Slot(thinned.dimension());
    for (int i = 0; i < needs(); i++) {
      stream.fill(slot, i);
      if (learner.fill(slot)) {
        learner.close();
      }
    }
    return stream.loss(thinned.loss(), learner.weights());
  }
}
