package dev.sotto.replay.verify;

import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.optim.EuclideanBall;
import dev.sotto.learner.optim.PrivateFtrl;
import dev.sotto.learner.optim.StepSize;
import dev.sotto.learner.privacy.Adjacency;
import dev.sotto.learner.privacy.Budget;
import dev.sotto.learner.privacy.Generations;
import dev.sotto.learner.privacy.PrivacyUnit;
import dev.sotto.learner.release.Mechanisms;
import dev.sotto.learner.release.NoiseKey;
import dev.sotto.learner.round.MetricsPlan;
import dev.sotto.learner.round.Plan;
import dev.sotto.learner.unit.Participation;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.serdes.record.UnitSource;
import dev.sotto.topology.Layout;
import dev.sotto.topology.LearnerSettings;
import dev.sotto.topology.ModelIds;

/** Settings of a learner that a test changes one by one. */
record Setup(
    Layout layout,
    ModelIds ids,
    NoiseKey key,
    String label,
    String features,
    String steps,
    double clip,
    double sigma,
    long batch,
    MetricsPlan metering,
    long releaseEvery) {
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
        1);
  }

  Setup with(ModelIds other) {
    return new Setup(
        layout, other, key, label, features, steps, clip, sigma, batch, metering, releaseEvery);
  }

  Setup with(NoiseKey other) {
    return new Setup(
        layout, ids, other, label, features, steps, clip, sigma, batch, metering, releaseEvery);
  }

  Setup withLabel(String other) {
    return new Setup(
        layout, ids, key, other, features, steps, clip, sigma, batch, metering, releaseEvery);
  }

  Setup withFeatures(String other) {
    return new Setup(
        layout, ids, key, label, other, steps, clip, sigma, batch, metering, releaseEvery);
  }

  Setup withSteps(String other) {
    return new Setup(
        layout, ids, key, label, features, other, clip, sigma, batch, metering, releaseEvery);
  }

  Setup withClip(double other) {
    return new Setup(
        layout, ids, key, label, features, steps, other, sigma, batch, metering, releaseEvery);
  }

  Setup withBatch(long other) {
    return new Setup(
        layout, ids, key, label, features, steps, clip, sigma, other, metering, releaseEvery);
  }

  Setup with(MetricsPlan other) {
    return new Setup(
        layout, ids, key, label, features, steps, clip, sigma, batch, other, releaseEvery);
  }

  Setup releasingEvery(long rounds) {
    return new Setup(
        layout, ids, key, label, features, steps, clip, sigma, batch, metering, rounds);
  }

  LearnerSettings settings() {
    Plan plan = new Plan(
        features,
        Learned.DIMENSION,
        "logistic",
        Objective.of(Losses.LOGISTIC.make()),
        "private-ftrl",
        steps,
        new PrivateFtrl(
            new EuclideanBall(null, Double.POSITIVE_INFINITY), new StepSize.Decreasing(1)),
        Mechanisms.BINARY_TREE.make(),
        clip,
        batch,
        sigma,
        Adjacency.ZERO_OUT,
        PrivacyUnit.RECORD,
        new Budget(1e6, 1e-6),
        new Participation.Once(),
        Generations.NONE,
        metering,
        0);
    LearnerSettings.Cadence usual = LearnerSettings.Cadence.everyRound();
    return new LearnerSettings(
        "trial",
        layout,
        Learned.EVENTS,
        ids,
        plan,
        key,
        label,
        () -> new ExampleCodec(plan.inputs(), 1 << 20, UnitSource.NONE),
        new LearnerSettings.Cadence(
            usual.checkpointSlots(), usual.checkpointInterval(), 1, releaseEvery));
  }
}
