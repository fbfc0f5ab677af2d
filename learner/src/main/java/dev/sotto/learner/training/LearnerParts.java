package dev.sotto.learner.training;

import dev.sotto.learner.key.RunName;
import dev.sotto.learner.key.UnitPseudonyms;
import dev.sotto.learner.optimizer.OptimizerState;
import dev.sotto.learner.participation.Admission;
import dev.sotto.learner.participation.UnitHistories;
import dev.sotto.learner.release.MetricsNoise;
import dev.sotto.learner.release.Releaser;
import java.util.Arrays;

/**
 * What a learner begins with, or goes on with after some round.
 *
 * @param runId 16 bytes
 * @param queries null where rounds are blocks of several queries
 * @param block null where a round is one query
 * @param admission null where every record is a unit of its own
 */
record LearnerParts(
    Plan plan,
    ModelKeys keys,
    byte[] runId,
    Releaser releaser,
    OptimizerState optimizerState,
    OpenQueries queries,
    OpenBlock block,
    OpenVersion version,
    UnitAdmission admission) {

  /** What was learned, and the points that it is asked at next. */
  private record Learned(OptimizerState state, OpenQueries queries, OpenBlock block) {}

  /** Of a model before its first round. */
  static LearnerParts start(
      Plan plan, ModelKeys keys, String modelId, RunName name, UnitHistories histories) {
    byte[] fingerprint = plan.fingerprint();
    byte[] runId = keys.origin().runId(modelId, fingerprint, name);
    OptimizerState optimizerState = plan.optimizer().start(plan.start());
    Releaser releaser = Releaser.start(
        plan.lattice(),
        plan.mechanism(),
        plan.sigma(),
        metering(plan),
        keys.origin(),
        runId,
        fingerprint,
        optimizerState.weights());
    OpenVersion first = new OpenVersion(plan, 0, VersionState.after(0));
    return of(plan, keys, runId, releaser, atStart(plan, optimizerState), first, histories);
  }

  /** Of a model as it was after some round, with the open round empty. */
  static LearnerParts resume(
      Plan plan,
      ModelKeys keys,
      String modelId,
      RunName name,
      ModelState state,
      UnitHistories histories) {
    byte[] fingerprint = plan.fingerprint();
    byte[] runId = keys.origin().runId(modelId, fingerprint, name);
    Releaser releaser = Releaser.resume(
        plan.lattice(),
        plan.mechanism(),
        plan.sigma(),
        metering(plan),
        keys.origin(),
        fingerprint,
        state.release());
    OpenVersion version = new OpenVersion(plan, releaser.round(), state.version());
    Learned learned = releaser.round() == 0 && !plan.learnsFromBlocks()
        ? atStart(plan, plan.optimizer().start(plan.start()))
        : after(plan, releaser, state);
    return of(plan, keys, runId, releaser, learned, version, histories);
  }

  private static LearnerParts of(
      Plan plan,
      ModelKeys keys,
      byte[] runId,
      Releaser releaser,
      Learned learned,
      OpenVersion version,
      UnitHistories histories) {
    return new LearnerParts(
        plan,
        keys,
        runId,
        releaser,
        learned.state(),
        learned.queries(),
        learned.block(),
        version,
        admission(plan, keys, runId, histories));
  }

  private static UnitAdmission admission(
      Plan plan, ModelKeys keys, byte[] runId, UnitHistories histories) {
    Admission rule = plan.account().admission().orElse(null);
    if (rule == null) {
      return null;
    }
    if (histories == null) {
      throw new IllegalArgumentException("participation \""
          + plan.participation().describe() + "\" needs a place for the histories of units");
    }
    return new UnitAdmission(rule, new UnitPseudonyms(keys.origin(), runId), histories);
  }

  private static MetricsNoise metering(Plan plan) {
    return plan.metrics() == null ? null : plan.metrics().metering(plan.batch());
  }

  private static Learned atStart(Plan plan, OptimizerState state) {
    return plan.learnsFromBlocks()
        ? inBlock(plan, state, new byte[0])
        : new Learned(state, OpenQueries.start(plan, state), null);
  }

  private static Learned after(Plan plan, Releaser releaser, ModelState state) {
    long round = releaser.round();
    double[] iterates = state.iterates();
    int own = iterates.length - OpenQueries.kept(plan, round) * plan.dimension();
    if (own < 0) {
      throw new IllegalArgumentException("the state holds too few vectors for this algorithm: "
          + iterates.length + " numbers for " + plan.dimension() + " weights");
    }
    boolean beginsGeneration = plan.generations().within(round + 1) == 1;
    OptimizerState optimizerState = plan.optimizer()
        .resume(
            plan.dimension(),
            own == iterates.length ? iterates : Arrays.copyOf(iterates, own),
            beginsGeneration || plan.hasOwnMechanism() ? null : releaser.latest());
    return plan.learnsFromBlocks()
        ? inBlock(plan, optimizerState, state.refused())
        : new Learned(
            optimizerState, OpenQueries.resume(plan, optimizerState, round, iterates), null);
  }

  private static Learned inBlock(Plan plan, OptimizerState state, byte[] refused) {
    return new Learned(
        state, null, new OpenBlock(plan.optimizer().queries(), state.query(), refused));
  }
}
