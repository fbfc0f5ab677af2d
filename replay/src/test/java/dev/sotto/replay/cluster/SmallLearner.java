package dev.sotto.replay.cluster;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.accounting.PrivateMetrics;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.optimizer.EuclideanBall;
import dev.sotto.learner.optimizer.PrivateFtrl;
import dev.sotto.learner.optimizer.StepSize;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.PlanBuilder;
import dev.sotto.topology.settings.Cadence;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import java.time.Duration;
import java.util.Set;

/** Plans and settings of a learner of four features, in layout direct, in {@link OnePartition}. */
final class SmallLearner {
  static final int DIMENSION = 4;
  static final String APP = "app";
  static final String EVENTS = "events";
  static final NoiseKey KEY = NoiseKey.of(new byte[32]);
  static final ModelIdRule ONE = new ModelIdRule(ModelIdRule.Source.CONSTANT, "model");
  static final ModelIdRule BY_KEY = byKey(ModelIdRule.Limits.NONE);

  /** So that no checkpoint is written but those that are asked for, or due by slots. */
  static final Duration NEVER = Duration.ofDays(1000);

  private SmallLearner() {}

  static ModelIdRule byKey(ModelIdRule.Limits limits) {
    return new ModelIdRule(ModelIdRule.Source.KEY, "", limits);
  }

  static ModelIdRule byKeyOf(String... ids) {
    return byKey(new ModelIdRule.Limits(Set.of(ids), Long.MAX_VALUE));
  }

  static Plan plan(Mechanisms mechanism, long batch, double epsilon) {
    return plan(
        mechanism.make(), batch, epsilon, new Participation.Once(), GenerationSchedule.NONE, null);
  }

  static Plan plan(
      Mechanism mechanism,
      long batch,
      double epsilon,
      Participation participation,
      GenerationSchedule generations,
      PrivateMetrics metrics) {
    boolean record =
        participation instanceof Participation.Once || participation instanceof Participation.ById;
    return new PlanBuilder()
        .features("test")
        .dimension(DIMENSION)
        .loss("logistic", Losses.LOGISTIC.make())
        .algorithm(
            "private-ftrl",
            "decreasing 1",
            new PrivateFtrl(
                new EuclideanBall(null, Double.POSITIVE_INFINITY), new StepSize.Decreasing(1)))
        .mechanism(mechanism)
        .clip(1)
        .batch(batch)
        .sigma(0.5)
        .adjacency(Adjacency.ZERO_OUT)
        .unit(record ? PrivacyUnit.RECORD : PrivacyUnit.KEY)
        .budget(new Budget(epsilon, 1e-6))
        .participation(participation)
        .generations(generations)
        .metrics(metrics)
        .build();
  }

  static LearnerSettings settings(
      Mechanisms mechanism, long batch, long checkpointSlots, long stateEvery) {
    return settings(plan(mechanism, batch, 1e6), checkpointSlots, stateEvery);
  }

  static LearnerSettings settings(Plan plan, long checkpointSlots, long stateEvery) {
    return settings(
        APP,
        new LearnerSettings.Run(plan, KEY, "1"),
        new Cadence(checkpointSlots, NEVER, stateEvery));
  }

  static LearnerSettings settings(String app, LearnerSettings.Run run, Cadence cadence) {
    int dimension = run.plan().dimension();
    return new LearnerSettings(
        app,
        Layout.DIRECT,
        new LearnerSettings.Events(EVENTS, ONE, () -> new LiteralDecoder(dimension)),
        run,
        cadence);
  }

  /** The same, which learns another plan. */
  static LearnerSettings with(LearnerSettings old, Plan plan) {
    return with(old, new LearnerSettings.Run(plan, old.key(), old.label()));
  }

  /** The same, of another run. */
  static LearnerSettings with(LearnerSettings old, LearnerSettings.Run run) {
    return new LearnerSettings(
        old.app(), old.layout(), old.events(), run, old.cadence(), old.encryption());
  }

  /** The same, whose records belong to other models. */
  static LearnerSettings with(LearnerSettings old, ModelIdRule ids) {
    return new LearnerSettings(
        old.app(),
        old.layout(),
        new LearnerSettings.Events(EVENTS, ids, old.decoder()),
        old.run(),
        old.cadence(),
        old.encryption());
  }

  /** The same in another layout. */
  static LearnerSettings with(LearnerSettings old, Layout layout) {
    return new LearnerSettings(
        old.app(), layout, old.events(), old.run(), old.cadence(), old.encryption());
  }
}
