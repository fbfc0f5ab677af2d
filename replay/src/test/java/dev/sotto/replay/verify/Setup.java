package dev.sotto.replay.verify;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.accounting.PrivateMetrics;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.optimizer.EuclideanBall;
import dev.sotto.learner.optimizer.PrivateFtrl;
import dev.sotto.learner.optimizer.StepSize;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.PlanBuilder;
import dev.sotto.learner.training.VersionSchedule;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.serdes.record.UnitSource;
import dev.sotto.topology.settings.Cadence;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;

/** Settings of a learner that a test changes one by one. */
record Setup(
    Layout layout,
    ModelIdRule ids,
    NoiseKey key,
    String label,
    String features,
    String steps,
    double clip,
    double sigma,
    long batch,
    PrivateMetrics metering,
    VersionSchedule versions) {
  static Setup of(Layout layout) {
    return new Setup(
        layout,
        Learned.ONE,
        Learned.key(1),
        "run",
        "a line\nb line\n",
        "steps 1",
        1,
        0.5,
        16,
        null,
        VersionSchedule.EVERY_ROUND);
  }

  Setup with(ModelIdRule other) {
    return new Setup(
        layout, other, key, label, features, steps, clip, sigma, batch, metering, versions);
  }

  Setup with(NoiseKey other) {
    return new Setup(
        layout, ids, other, label, features, steps, clip, sigma, batch, metering, versions);
  }

  Setup withLabel(String other) {
    return new Setup(
        layout, ids, key, other, features, steps, clip, sigma, batch, metering, versions);
  }

  Setup withFeatures(String other) {
    return new Setup(layout, ids, key, label, other, steps, clip, sigma, batch, metering, versions);
  }

  Setup withSteps(String other) {
    return new Setup(
        layout, ids, key, label, features, other, clip, sigma, batch, metering, versions);
  }

  Setup withClip(double other) {
    return new Setup(
        layout, ids, key, label, features, steps, other, sigma, batch, metering, versions);
  }

  Setup withBatch(long other) {
    return new Setup(
        layout, ids, key, label, features, steps, clip, sigma, other, metering, versions);
  }

  Setup with(PrivateMetrics other) {
    return new Setup(layout, ids, key, label, features, steps, clip, sigma, batch, other, versions);
  }

  Setup with(VersionSchedule other) {
    return new Setup(layout, ids, key, label, features, steps, clip, sigma, batch, metering, other);
  }

  LearnerSettings settings() {
    Plan plan = new PlanBuilder()
        .features(features)
        .dimension(Learned.DIMENSION)
        .loss("logistic", Losses.LOGISTIC.make())
        .algorithm(
            "private-ftrl",
            steps,
            new PrivateFtrl(
                new EuclideanBall(null, Double.POSITIVE_INFINITY), new StepSize.Decreasing(1)))
        .mechanism(Mechanisms.BINARY_TREE.make())
        .clip(clip)
        .batch(batch)
        .sigma(sigma)
        .adjacency(Adjacency.ZERO_OUT)
        .unit(PrivacyUnit.RECORD)
        .budget(new Budget(1e6, 1e-6))
        .metrics(metering)
        .versions(versions)
        .build();
    return new LearnerSettings(
        "trial",
        layout,
        new LearnerSettings.Events(
            Learned.EVENTS, ids, () -> new ExampleCodec(plan.inputs(), 1 << 20, UnitSource.NONE)),
        new LearnerSettings.Run(plan, key, label),
        Cadence.everyVersion());
  }
}
