package dev.sotto.learner.training;

import dev.sotto.learner.key.RunName;
import dev.sotto.learner.key.UnitPseudonyms;
import dev.sotto.learner.optimizer.OptimizerState;
import dev.sotto.learner.participation.Admission;
import dev.sotto.learner.participation.UnitHistories;
import dev.sotto.learner.release.MetricsNoise;
import dev.sotto.learner.release.Releaser;
import java.util.Arrays;
import java.util.Optional;

/**
 * What a learner begins with, or goes on with after some round.
 *
 * @param admission empty where every record is a unit of its own
 */
record LearnerParts(
    Plan plan,
    Run run,
    Releaser releaser,
    Learned learned,
    OpenVersion version,
    Optional<UnitAdmission> admission) {

  /**
   * A run of a model.
   *
   * @param id 16 bytes
   */
  record Run(ModelKeys keys, byte[] id) {
    static Run of(ModelKeys keys, String modelId, byte[] fingerprint, RunName name) {
      return new Run(keys, keys.origin().runId(modelId, fingerprint, name));
    }
  }

  /**
   * What was learned, what is asked next, where the open round stands, and what is known of numbers
   * without bounds.
   */
  record Learned(
      OptimizerState state, AskedQueries queries, OpenBlock block, RangeMeasurement ranges) {}

  /** Of a model before its first round. */
  static LearnerParts start(
      Plan plan, ModelKeys keys, String modelId, RunName name, UnitHistories histories) {
    byte[] fingerprint = plan.fingerprint();
    Run run = Run.of(keys, modelId, fingerprint, name);
    OptimizerState optimizerState = plan.optimizer().start(plan.start());
    Releaser releaser = Releaser.start(
        plan.lattice(),
        plan.mechanism(),
        plan.sigma(),
        metering(plan),
        keys.origin(),
        run.id(),
        fingerprint,
        optimizerState.weights());
    OpenVersion first = new OpenVersion(plan, VersionState.after(0));
    Learned nothing = atStart(plan, optimizerState, RangeMeasurement.start(plan));
    return new LearnerParts(plan, run, releaser, nothing, first, admission(plan, run, histories));
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
    Run run = Run.of(keys, modelId, fingerprint, name);
    Releaser releaser = Releaser.resume(
        plan.lattice(),
        plan.mechanism(),
        plan.sigma(),
        metering(plan),
        keys.origin(),
        fingerprint,
        state.release());
    OpenVersion version = new OpenVersion(plan, state.version());
    RangeMeasurement ranges = RangeMeasurement.resume(plan, releaser, state.ranges());
    Learned learned = releaser.round() == 0 && !plan.learnsFromBlocks()
        ? atStart(plan, plan.optimizer().start(plan.start()), ranges)
        : after(plan, releaser, state, ranges);
    return new LearnerParts(plan, run, releaser, learned, version, admission(plan, run, histories));
  }

  private static Optional<UnitAdmission> admission(Plan plan, Run run, UnitHistories histories) {
    Optional<Admission> rule = plan.account().admission();
    if (rule.isPresent() && histories == null) {
      throw new IllegalArgumentException("participation \""
          + plan.participation().describe() + "\" needs a place for the histories of units");
    }
    return rule.map(each ->
        new UnitAdmission(each, new UnitPseudonyms(run.keys().origin(), run.id()), histories));
  }

  private static Optional<MetricsNoise> metering(Plan plan) {
    return Optional.ofNullable(plan.metrics()).map(each -> each.metering(plan.batch()));
  }

  private static Learned atStart(Plan plan, OptimizerState state, RangeMeasurement ranges) {
    AskedQueries queries =
        plan.learnsFromBlocks() ? new BlockQueries(plan, state) : RoundQueries.start(plan, state);
    return learned(plan, state, queries, new byte[0], ranges);
  }

  private static Learned after(
      Plan plan, Releaser releaser, ModelState state, RangeMeasurement ranges) {
    long round = releaser.round();
    double[] iterates = state.iterates();
    int own = iterates.length - RoundQueries.kept(plan, round) * plan.dimension();
    if (own < 0) {
      throw new IllegalArgumentException("the state holds too few vectors for this algorithm: "
          + iterates.length + " numbers for " + plan.dimension() + " weights");
    }
    boolean beginsGeneration = plan.generations().within(round + 1) == 1;
    OptimizerState optimizerState = plan.optimizer()
        .resume(
            plan.dimension(),
            own == iterates.length ? iterates : Arrays.copyOf(iterates, own),
            beginsGeneration ? null : releaser.latest().orElse(null));
    AskedQueries queries = plan.learnsFromBlocks()
        ? new BlockQueries(plan, optimizerState)
        : RoundQueries.resume(plan, optimizerState, round, iterates);
    return learned(plan, optimizerState, queries, state.refused(), ranges);
  }

  private static Learned learned(
      Plan plan,
      OptimizerState state,
      AskedQueries queries,
      byte[] refused,
      RangeMeasurement ranges) {
    OpenBlock block = new OpenBlock(plan.block(), state.query(), refused);
    return new Learned(state, queries, block, ranges);
  }
}
