package dev.sotto.learner.training;

import dev.sotto.learner.accounting.AccountedContribution;
import dev.sotto.learner.accounting.AccountedNoise;
import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.Candidates;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.accounting.PrivateMetrics;
import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.optimizer.Optimizer;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.Participation;

/**
 * Makes a {@link Plan}, setting by setting. Each setting must be given, but for a warm start,
 * participation, generations, metrics, lag, versions, candidates and ranges; {@link #build()}
 * refuses what
 * a plan refuses. The settings are those of the plan's parts.
 */
public final class PlanBuilder {
  private String features;
  private int dimension;
  private String lossName;
  private Objective objective;
  private double[] warmStart;
  private String algorithm;
  private String steps;
  private Optimizer optimizer;
  private Mechanism mechanism;
  private double clip;
  private long batch;
  private double sigma;
  private Adjacency adjacency;
  private PrivacyUnit unit;
  private Budget budget;
  private Participation participation = new Participation.Once();
  private GenerationSchedule generations = GenerationSchedule.NONE;
  private PrivateMetrics metrics;
  private int lag;
  private VersionSchedule versions = VersionSchedule.EVERY_ROUND;
  private Candidates candidates = Candidates.ALONE;
  private RangeSettings ranges = RangeSettings.NONE;

  public PlanBuilder() {}

  PlanBuilder(Plan plan) {
    features = plan.features();
    dimension = plan.dimension();
    lossName = plan.lossName();
    objective = plan.objective();
    warmStart = plan.model().warmStart();
    algorithm = plan.algorithm();
    steps = plan.steps();
    optimizer = plan.optimizer();
    mechanism = plan.mechanism();
    clip = plan.clip();
    batch = plan.batch();
    sigma = plan.sigma();
    adjacency = plan.adjacency();
    unit = plan.unit();
    budget = plan.budget();
    participation = plan.participation();
    generations = plan.generations();
    metrics = plan.metrics();
    lag = plan.lag();
    versions = plan.learning().versions();
    candidates = plan.candidates();
    ranges = plan.ranges();
  }

  public PlanBuilder features(String text) {
    this.features = text;
    return this;
  }

  public PlanBuilder dimension(int weights) {
    this.dimension = weights;
    return this;
  }

  public PlanBuilder objective(String name, Objective losses) {
    this.lossName = name;
    this.objective = losses;
    return this;
  }

  /** {@link #objective} of a loss of one score. */
  public PlanBuilder loss(String name, Loss loss) {
    this.lossName = name;
    this.objective = Objective.of(loss);
    return this;
  }

  /** Published weights from which learning starts; null, as from the start, for the objective's. */
  public PlanBuilder warmStart(double[] weights) {
    this.warmStart = weights;
    return this;
  }

  public PlanBuilder algorithm(String name, String settings, Optimizer maker) {
    this.algorithm = name;
    this.steps = settings;
    this.optimizer = maker;
    return this;
  }

  /** Another optimizer under the same name and steps. */
  public PlanBuilder optimizer(Optimizer other) {
    this.optimizer = other;
    return this;
  }

  public PlanBuilder mechanism(Mechanism value) {
    this.mechanism = value;
    return this;
  }

  public PlanBuilder clip(double value) {
    this.clip = value;
    return this;
  }

  public PlanBuilder batch(long value) {
    this.batch = value;
    return this;
  }

  public PlanBuilder sigma(double value) {
    this.sigma = value;
    return this;
  }

  public PlanBuilder adjacency(Adjacency value) {
    this.adjacency = value;
    return this;
  }

  public PlanBuilder unit(PrivacyUnit value) {
    this.unit = value;
    return this;
  }

  public PlanBuilder budget(Budget value) {
    this.budget = value;
    return this;
  }

  /** {@link Participation.Once} from the start. */
  public PlanBuilder participation(Participation value) {
    this.participation = value;
    return this;
  }

  /** {@link GenerationSchedule#NONE} from the start. */
  public PlanBuilder generations(GenerationSchedule value) {
    this.generations = value;
    return this;
  }

  /** Null for none, as from the start. */
  public PlanBuilder metrics(PrivateMetrics value) {
    this.metrics = value;
    return this;
  }

  /** 0 from the start. */
  public PlanBuilder lag(int value) {
    this.lag = value;
    return this;
  }

  /** {@link VersionSchedule#EVERY_ROUND} from the start. */
  public PlanBuilder versions(VersionSchedule value) {
    this.versions = value;
    return this;
  }

  /** {@link Candidates#ALONE} from the start. */
  public PlanBuilder candidates(Candidates value) {
    this.candidates = value;
    return this;
  }

  /** {@link RangeSettings#NONE} from the start. */
  public PlanBuilder ranges(RangeSettings value) {
    this.ranges = value;
    return this;
  }

  /**
   * The plan.
   *
   * @throws IllegalArgumentException with the setting, the rule and the value where no plan can be
   */
  public Plan build() {
    return new Plan(
        new ModelSettings(features, dimension, lossName, objective, warmStart, ranges),
        new LearningSettings(algorithm, steps, optimizer, batch, lag, versions),
        new AccountedNoise(mechanism, clip, sigma, adjacency, candidates),
        new AccountedContribution(unit, participation, generations),
        metrics,
        budget);
  }
}
