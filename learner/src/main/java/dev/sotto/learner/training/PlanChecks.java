package dev.sotto.learner.training;

import dev.sotto.learner.accounting.AccountedContribution;
import dev.sotto.learner.accounting.AccountedNoise;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.PrivacyAccountant;
import dev.sotto.learner.accounting.PrivateMetrics;
import dev.sotto.learner.mechanism.QueryMechanism;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.range.UnboundedNumbers;
import dev.sotto.learner.release.Lattice;
import dev.sotto.learner.release.PathSum;
import dev.sotto.learner.release.Releaser;
import java.util.Objects;
import java.util.Optional;

/** What every {@link Plan} keeps to, in the words in which one is refused that does not. */
final class PlanChecks {
  private PlanChecks() {}

  /**
   * Refuses a plan whose sums are not exact, whose parts do not fit each other, or whose first
   * round the budget does not cover.
   */
  static void check(
      ModelSettings model,
      LearningSettings learning,
      AccountedNoise noise,
      AccountedContribution contributions,
      PrivateMetrics metrics,
      Budget budget) {
    Objects.requireNonNull(budget, "budget");
    Lattice lattice = lattice(model, learning, noise);
    Releaser.check(lattice, noise.sigma(), noise.mechanism());
    checkMechanism(learning, noise, metrics);
    noise
        .mechanism()
        .ofQueries()
        .flatMap(QueryMechanism::ordered)
        .ifPresent(each -> PathSum.of(lattice, each, model.objective())); // refuses losses
    if (metrics != null) {
      metrics.metering(learning.batch());
    }
    checkCap(contributions.participation(), budget);
    learning.optimizer().start(model.start()); // refuses a start that it cannot keep
    RangeSettings ranges = model.ranges();
    checkRanges(model, learning, metrics);
    PrivacyAccountant account = account(noise, contributions, metrics, budget, ranges);
    account.admission(); // refuses a budget under which nobody could ever contribute
    long first = Math.max(1, ranges.rounds()); // nothing is published before
    if (!account.allows(budget, first)) {
      throw new IllegalArgumentException(
          (first == 1 ? "the first round alone" : "the " + first + " rounds that measure ranges")
              + " would exceed the budget: epsilon " + account.guarantee(first).epsilon() + " of "
              + budget.epsilon() + " at delta "
              + budget.delta() + "; "
              + (first == 1
                  ? ""
                  : "plan for more rounds than these (" + PlanKeys.HORIZON
                      + "), state bounds of the numbers, or ")
              + "raise the noise or the budget");
    }
  }

  /** What a window cannot be combined with; the accountant has rules of its own. */
  private static void checkRanges(
      ModelSettings model, LearningSettings learning, PrivateMetrics metrics) {
    RangeSettings ranges = model.ranges();
    UnboundedNumbers numbers = ranges.numbers();
    long end = numbers.first() + (long) numbers.count() * numbers.form().count();
    if (end > model.inputs()) {
      throw new IllegalArgumentException("numbers without bounds must lie within the "
          + model.inputs() + " features, but reach to " + end);
    }
    if (numbers.ofLabel() && metrics != null) {
      throw new IllegalArgumentException("metrics must be absent where the range of the label is"
          + " measured: they need labels between known bounds");
    }
    if (ranges.window().isEmpty()) {
      return;
    }
    if (learning.optimizer().block().isPresent() || learning.lag() != 0) {
      throw new IllegalArgumentException("ranges of numbers are measured where rounds follow each"
          + " other, each read once: not with " + learning.algorithm() + " and lag "
          + learning.lag());
    }
  }

  private static void checkCap(Participation rule, Budget budget) {
    if (rule.isBudgeted() && !(rule.cap() <= budget.muLimit())) {
      throw new IllegalArgumentException("a unit's budget of mu " + rule.cap()
          + " must stay within what is left of epsilon " + budget.epsilon() + " at delta "
          + budget.delta() + ", mu " + budget.muLimit());
    }
  }

  private static void checkMechanism(
      LearningSettings learning, AccountedNoise noise, PrivateMetrics metrics) {
    Optional<QuerySchedule> block = learning.optimizer().block();
    Optional<QueryMechanism> own = noise.mechanism().ofQueries();
    if (learning.block().slots() != learning.batch()) {
      throw new IllegalArgumentException("a block must have the "
          + learning.block().slots() + " slots that its queries read, but has " + learning.batch());
    }
    if (!own.map(each -> each.fits(block)).orElse(block.isEmpty())) {
      throw new IllegalArgumentException("the mechanism must be that of the queries of "
          + learning.algorithm() + ", but is " + noise.mechanism().name() + " "
          + noise.mechanism().parameters());
    }
    if (own.isPresent() && metrics != null) {
      throw new IllegalArgumentException(
          "metrics are not released beside the queries of " + learning.algorithm());
    }
    if (own.isPresent() && learning.lag() != 0) {
      throw new IllegalArgumentException("lag must be 0 with " + learning.algorithm()
          + ", each of whose queries follows from the answer before, but was " + learning.lag());
    }
  }

  /** The grid on which gradients are summed. */
  static Lattice lattice(ModelSettings model, LearningSettings learning, AccountedNoise noise) {
    Optional<QueryMechanism> own = noise.mechanism().ofQueries();
    boolean paths = own.flatMap(QueryMechanism::ordered).isPresent(); // with grids of their own
    return Lattice.fit(
        noise.clip(),
        noise.sigma() * (paths ? 1 : own.map(QueryMechanism::leastNoise).orElse(1.0)),
        model.dimension(),
        paths ? 1 : learning.block().largestQuery(),
        noise.mechanism().norm());
  }

  /** A new accountant of these costs. */
  static PrivacyAccountant account(
      AccountedNoise noise,
      AccountedContribution contributions,
      PrivateMetrics metrics,
      Budget budget,
      RangeSettings ranges) {
    double ratio = metrics == null ? 0 : metrics.ratio(noise.adjacency());
    return new PrivacyAccountant(
        noise, contributions, ratio, budget.delta(), budget.spentMu(), ranges.window());
  }
}
