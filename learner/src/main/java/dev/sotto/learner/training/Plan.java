package dev.sotto.learner.training;

import dev.sotto.learner.accounting.AccountedContribution;
import dev.sotto.learner.accounting.AccountedNoise;
import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.ApproximateGaussianDp;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.Candidates;
import dev.sotto.learner.accounting.GaussianDp;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.PrivacyAccountant;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.accounting.PrivateMetrics;
import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.mechanism.OrderedNoise;
import dev.sotto.learner.mechanism.PlanFigures;
import dev.sotto.learner.mechanism.QueryMechanism;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.optimizer.Optimizer;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.participation.RuleFigures;
import dev.sotto.learner.range.RangeWindow;
import dev.sotto.learner.release.Lattice;
import java.util.Optional;

/**
 * Every setting that changes the mechanism, and none that only changes speed. A plan that exists is
 * valid: its lattice adds exactly and its first round fits the budget. {@link PlanBuilder} makes
 * plans.
 *
 * @param model what is learned
 * @param learning how it is learned
 * @param noise what hides a contribution
 * @param contributions whose contribution is hidden, and how much of it there may be
 * @param metrics private metrics, or null for none
 * @param budget what one unit may spend over the model's life
 */
public record Plan(
    ModelSettings model,
    LearningSettings learning,
    AccountedNoise noise,
    AccountedContribution contributions,
    PrivateMetrics metrics,
    Budget budget) {

  public Plan {
    PlanChecks.check(model, learning, noise, contributions, metrics, budget);
  }

  /** A builder that begins with this plan's settings. */
  public PlanBuilder toBuilder() {
    return new PlanBuilder(this);
  }

  /** A new accountant of this plan's costs. */
  public PrivacyAccountant account() {
    return PlanChecks.account(noise, contributions, metrics, budget, ranges());
  }

  /** {@link PrivacyAccountant#mu} of this plan. */
  public double mu(long rounds) {
    return account().mu(rounds);
  }

  /** {@link PrivacyAccountant#guarantee} of this plan. */
  public Guarantee guarantee(long rounds) {
    return account().guarantee(rounds);
  }

  /** Whether the budget covers a number of rounds. */
  public boolean allows(long rounds) {
    return account().allows(budget, rounds);
  }

  /** The last round that the budget covers; {@link Long#MAX_VALUE} where it covers all. */
  public long lastRound() {
    long most = 1L << 62;
    return allows(most) ? Long.MAX_VALUE : lastRound(most - 1);
  }

  /** The last round that the budget covers, up to a number of them; it covers the first. */
  public long lastRound(long most) {
    long allowed = 1;
    long refused = most + 1;
    while (refused - allowed > 1) {
      long middle = allowed + (refused - allowed) / 2;
      if (allows(middle)) {
        allowed = middle;
      } else {
        refused = middle;
      }
    }
    return allowed;
  }

  /** What the ledger states of this plan beside clip, sigma and the mechanism's name. */
  public LedgerEntry.Terms terms() {
    return new LedgerEntry.Terms(
        mechanism().parameters(),
        participation().describe(),
        generations().describe(),
        metrics == null ? 0 : metrics.ratio(adjacency()),
        account().accountant().configName(),
        budget.spentMu(),
        batch(),
        budget.earlierMu(),
        candidates().number(),
        ranges().window().map(RangeWindow::describe).orElse(""));
  }

  /** The grid on which gradients are summed. */
  public Lattice lattice() {
    return PlanChecks.lattice(model, learning, noise);
  }

  /** The sensitivity of one round's sum: s of the ledger. */
  public double sensitivity() {
    return noise.sensitivity();
  }

  /** SHA-256 over every setting: two plans with one fingerprint are one mechanism. */
  public byte[] fingerprint() {
    return PlanFingerprint.of(this);
  }

  /** {@link ModelSettings#start()} of this plan. */
  public double[] start() {
    return model.start();
  }

  /** {@link ModelSettings#inputs()} of this plan. */
  public int inputs() {
    return model.inputs();
  }

  /** {@link ModelSettings#loss()} of this plan. */
  public Loss loss() {
    return model.loss();
  }

  public String features() {
    return model.features();
  }

  /** {@link ModelSettings#ranges()} of this plan. */
  public RangeSettings ranges() {
    return model.ranges();
  }

  /**
   * Whether a model whose last round this is ended there since no range of its label was found, and
   * not since the budget is spent.
   */
  public boolean endsWithoutLabel(long lastRound) {
    return ranges().numbers().ofLabel() && lastRound == ranges().rounds() && allows(lastRound + 1);
  }

  public int dimension() {
    return model.dimension();
  }

  public String lossName() {
    return model.lossName();
  }

  public Objective objective() {
    return model.objective();
  }

  public String algorithm() {
    return learning.algorithm();
  }

  public String steps() {
    return learning.steps();
  }

  public Optimizer optimizer() {
    return learning.optimizer();
  }

  public long batch() {
    return learning.batch();
  }

  /** The queries of a round: a block of several, or one that reads all slots. */
  public QuerySchedule block() {
    return learning.block();
  }

  /** Whether a round is a block of slots that is asked several queries. */
  public boolean learnsFromBlocks() {
    return optimizer().block().isPresent();
  }

  /** What a round is called: a block, or a round. */
  public String round() {
    return learnsFromBlocks() ? "block" : "round";
  }

  /** Whether the last queries of a block count norms of gradients, from which the clip follows. */
  public boolean countsNorms() {
    return learnsFromBlocks() && optimizer().norms(queriesPerRound()) != null;
  }

  /** Queries of a round: 1, unless it is a block that is asked several. */
  public long queriesPerRound() {
    return optimizer().block().map(QuerySchedule::queries).orElse(1L);
  }

  /** The round of a query, whose number counts through the whole run, from 1. */
  public long roundOf(long query) {
    return (query - 1) / queriesPerRound() + 1;
  }

  /** The number in its block of a query whose number counts through the whole run, from 1. */
  public long queryOf(long query) {
    return (query - 1) % queriesPerRound() + 1;
  }

  /** Whether queries ask at several points, or of slots that secret coins choose. */
  public boolean asksPools() {
    return !block().sampling().equals(QuerySchedule.Sampling.NONE);
  }

  /** Whether slots enter sums by secret coins. */
  boolean samples() {
    return block().sampling().isSecret();
  }

  /** Whether noise is added to the answers of queries, and not to prefixes of rounds. */
  public boolean hasOwnMechanism() {
    return mechanism().ofQueries().isPresent();
  }

  /** Whether queries need a seed of what is drawn under the noise key beside their noise. */
  boolean drawsBesideNoise(long query) {
    return samples() && block().answers(query)
        || paths().filter(OrderedNoise::isPerturbed).isPresent();
  }

  /** The noise of averages, where slots move a point one after the other. */
  public Optional<OrderedNoise> paths() {
    return mechanism().ofQueries().flatMap(QueryMechanism::ordered);
  }

  public int lag() {
    return learning.lag();
  }

  /** Whether a version's end can depend on the log time of its slots. */
  public boolean needsLogTime() {
    return learning.versions().needsLogTime(batch());
  }

  /**
   * The last round of the version that begins with a round, unless log time ends it earlier; rounds
   * that the budget does not cover included.
   */
  public long lastOfVersion(long firstRound) {
    long most = Math.max(ranges().rounds(), firstRound - 1 + roundsOfVersion(firstRound));
    return Math.min(most, generations().last(generations().of(firstRound)));
  }

  /**
   * The most rounds of the version that begins with a round. Candidates, whose versions end
   * together, keep theirs.
   */
  long roundsOfVersion(long firstRound) {
    return candidates().number() > 1
        ? learning.versions().rounds(batch())
        : learning.versions().rounds(batch(), firstRound - 1);
  }

  /** The most rounds that a version has, of a plan whose versions keep their length. */
  public long mostRoundsOfVersion() {
    return Math.max(ranges().rounds(), learning.versions().rounds(batch()));
  }

  /** Whether a version begins with a round, of a plan whose versions do not depend on log time. */
  public boolean beginsVersion(long round) {
    long within = generations().within(round);
    long rounds = learning.versions().rounds(batch());
    long longer = generations().of(round) == 0 ? Math.max(0, ranges().rounds() - rounds) : 0;
    long behind = within - 1 - longer; // the first version of a run may be longer than others
    return within == 1 || behind > 0 && behind % rounds == 0;
  }

  public Mechanism mechanism() {
    return noise.mechanism();
  }

  public double clip() {
    return noise.clip();
  }

  public double sigma() {
    return noise.sigma();
  }

  /** The models that learn from the same slots beside this one, at one price. */
  public Candidates candidates() {
    return noise.candidates();
  }

  public Adjacency adjacency() {
    return noise.adjacency();
  }

  public PrivacyUnit unit() {
    return contributions.unit();
  }

  public Participation participation() {
    return contributions.participation();
  }

  /** What its mechanism and its optimizer need to describe themselves. */
  public PlanFigures figures() {
    return new PlanFigures(
        sigma(),
        clip(),
        dimension(),
        batch(),
        budget.delta(),
        failure -> ApproximateGaussianDp.delta(guarantee(1).epsilon(), failure));
  }

  /** What {@link Participation#describe(RuleFigures)} needs of it. */
  public RuleFigures ruleFigures() {
    return new RuleFigures(
        round(),
        batch(),
        PlanKeys.SEPARATION_SLOTS.name(),
        account()::roundsInARow,
        mu -> GaussianDp.epsilon(mu, budget.delta()));
  }

  public GenerationSchedule generations() {
    return contributions.generations();
  }
}
