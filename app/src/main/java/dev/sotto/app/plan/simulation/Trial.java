package dev.sotto.app.plan.simulation;

import dev.sotto.app.plan.Outlook;
import dev.sotto.app.plan.Scenario;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.optim.Optimizer;
import dev.sotto.learner.optim.PrivateFtrl;
import dev.sotto.learner.optim.StepSize;
import dev.sotto.learner.privacy.Budget;
import dev.sotto.learner.privacy.PrivacyUnit;
import dev.sotto.learner.release.NoiseKey;
import dev.sotto.learner.round.ModelLearner;
import dev.sotto.learner.round.Plan;
import dev.sotto.learner.round.Round;
import dev.sotto.learner.unit.Participation;
import java.util.List;

/**
 * One setting, learned by the real learner at the price of the plan. Where the stream is long, one made-up record
 * stands for many: as many rounds, with fewer slots and less noise in the same ratio.
 */
final class Trial {
  private final Scenario scenario;
  private final Setting setting;
  private final long rounds;
  private final double sigma;
  private final int slots;
  private final Plan thinned;

  /**
   * A trial.
   *
   * @param records of the stream to be simulated
   * @param thinning how many of them one made-up record stands for, at least 1
   * @throws IllegalArgumentException where such a plan cannot be, or its algorithm is not known here
   */
  Trial(Scenario scenario, Setting setting, int dimension, long records, double thinning) {
    this.scenario = scenario;
    this.setting = setting;
    this.rounds = Math.max(1, records / setting.batch());
    this.sigma = sigma();
    this.slots = (int) Math.max(1, Math.rint(setting.batch() / thinning));
    this.thinned = thinned(dimension);
  }

  /** The noise that costs what the plan costs at its horizon, when the same records come in other batches. */
  private double sigma() {
    Plan plan = scenario.plan();
    double multiplier = plan.sigma() / plan.clip();
    return multiplier * setting.clip() * scenario.sensitivityRatio(horizon());
  }

  /** The plan's horizon in rounds of this batch size. */
  private long horizon() {
    long horizon = scenario.horizon();
    return horizon == Outlook.LIMIT ? horizon : scaled(horizon);
  }

  private long scaled(long planned) {
    return (long)
        Math.max(1, Math.ceil((double) planned * scenario.plan().batch() / setting.batch()));
  }

  private Plan thinned(int dimension) {
    Plan plan = scenario.plan();
    return new Plan(
        "synthetic",
        dimension,
        plan.lossName(),
        plan.loss(),
        plan.algorithm(),
        "synthetic",
        optimizer(dimension),
        plan.mechanism(),
        setting.clip(),
        slots,
        sigma * slots / setting.batch(),
        plan.adjacency(),
        PrivacyUnit.RECORD,
        new Budget(Double.POSITIVE_INFINITY, plan.budget().delta()),
        new Participation.Once(),
        plan.generations(),
        null);
  }

  private Optimizer optimizer(int dimension) {
    Plan plan = scenario.plan();
    if (!(plan.optimizer() instanceof PrivateFtrl ftrl)) {
      throw new IllegalArgumentException(
          "the simulation varies the steps of private-ftrl only, but the algorithm is "
              + plan.algorithm());
    }
    double increments = plan.mechanism().incrementVariance();
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
    throw new IllegalArgumentException(
        "the simulation varies decreasing and fixed steps only, but they are " + ftrl.steps());
  }

  /** How many made-up records it learns from. */
  long needs() {
    return rounds * slots;
  }

  Setting setting() {
    return setting;
  }

  /** What came of it, told of the plan rather than of the thinned one. */
  Finding finding(List<Double> losses) {
    return new Finding(setting, rounds, horizon(), sigma, losses);
  }

  /** The loss of the last model on what was held out. */
  double loss(SyntheticStream stream, NoiseKey key) {
    ModelLearner learner = ModelLearner.start(thinned, key, "synthetic", "plan");
    Slot slot = new Slot(thinned.dimension());
    double[] weights = learner.weights();
    for (int i = 0; i < needs(); i++) {
      stream.fill(slot, i);
      if (learner.fill(slot)) {
        Round round = learner.close();
        weights = round.weights();
      }
    }
    return stream.loss(thinned.loss(), weights);
  }
}
