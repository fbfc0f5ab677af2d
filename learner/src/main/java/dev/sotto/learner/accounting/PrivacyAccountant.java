package dev.sotto.learner.accounting;

import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.participation.Admission;
import dev.sotto.learner.participation.AdmissionRules;
import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.participation.RoundCosts;
import dev.sotto.learner.participation.WorstSchedule;
import dev.sotto.learner.range.RangeWindow;
import java.util.Optional;

/**
 * What everything published up to a round has cost one unit, and will have cost for ever
 * (docs/privacy.md, "Noise mechanisms", "Contribution bounds" and "The ledger"): the one place in
 * which a guarantee is computed. Safe for use by several threads.
 */
public final class PrivacyAccountant {
  private final Mechanism mechanism;
  private final Adjacency adjacency;
  private final PrivacyUnit unit;
  private final Participation participation;
  private final GenerationSchedule generations;
  private final double sensitivity;
  private final double sigma;
  private final double metricsRatio;
  private final Optional<RangeCost> ranges;
  private final double delta;
  private final double spentMu;
  private final double muLimit;
  private final EpsilonAccounting epsilons;
  private volatile long cappedFrom = Long.MAX_VALUE;
  private volatile double epsilonLimit = Double.NaN; // computed where it is asked for

  /** An accountant of one run: units have spent nothing before it. */
  public PrivacyAccountant(
      AccountedNoise noise,
      AccountedContribution contributions,
      double metricsRatio,
      double delta) {
    this(noise, contributions, metricsRatio, delta, 0);
  }

  /**
   * An accountant that begins with what was spent before. Where the noise is that of {@link
   * Candidates}, everything that it tells is of all of them together: of one, only {@link
   * #matrixSensitivity}.
   *
   * @param metricsRatio s_m / sigma_m of one participation in the metrics of one model, 0 without
   *     metrics
   * @param spentMu by the same units in earlier runs; mu add up in squares
   */
  public PrivacyAccountant(
      AccountedNoise noise,
      AccountedContribution contributions,
      double metricsRatio,
      double delta,
      double spentMu) {
    this(noise, contributions, metricsRatio, delta, spentMu, Optional.empty());
  }

  /**
   * An accountant of a run whose first rounds measure ranges of numbers, too.
   *
   * @param window in which they do; empty for none
   */
  public PrivacyAccountant(
      AccountedNoise noise,
      AccountedContribution contributions,
      double metricsRatio,
      double delta,
      double spentMu,
      Optional<RangeWindow> window) {
    contributions.check();
    this.ranges = window.map(each -> new RangeCost(each, noise, contributions.generations()));
    this.spentMu = spentMu;
    this.mechanism = noise.mechanism();
    this.adjacency = noise.adjacency();
    this.unit = contributions.unit();
    this.participation = contributions.participation();
    this.generations = contributions.generations();
    // All candidates together are one release whose sensitivity is that much larger.
    this.sensitivity = noise.sensitivity() * noise.candidates().factor();
    this.sigma = noise.sigma();
    this.metricsRatio = metricsRatio * noise.candidates().factor();
    this.delta = delta;
    this.epsilons = EpsilonAccounting.of(this, noise);
    check();
    this.muLimit = mu(Long.MAX_VALUE);
  }

  private void check() {
    epsilons.check(participation);
    if (participation.isBudgeted() && mechanism.memory().isEmpty()) {
      throw new IllegalArgumentException("a budget per unit needs a mechanism whose cost the"
          + " unit's own book can follow ("
          + Mechanisms.names(each -> each.memory().isPresent())
          + "), but the mechanism is " + mechanism.name());
    }
    if (mechanism.ofQueries().isPresent() && generations.kind() != GenerationSchedule.Kind.NONE) {
      throw new IllegalArgumentException("generations must be none with mechanism "
          + mechanism.name() + ", which does not restart with them, but are "
          + generations.describe());
    }
    ranges.ifPresent(RangeCost::check);
    if (!epsilons.addsUpInMu() && metricsRatio != 0) {
      throw new IllegalArgumentException("metrics must be absent with mechanism " + mechanism.name()
          + ", but one participation in them costs " + metricsRatio);
    }
  }

  /**
   * mu of everything published up to and with a round, metrics and earlier runs included; at least
   * that of any admitted pattern. Infinite where exact metrics void the guarantee.
   */
  public double mu(long rounds) {
    double own = ownMu(rounds);
    return spentMu == 0 ? own : Math.nextUp(Math.sqrt(own * own + spentMu * spentMu));
  }

  /** mu of this run alone. */
  private double ownMu(long rounds) {
    if (metricsRatio == Double.POSITIVE_INFINITY) {
      return metricsRatio;
    }
    if (participation.isBudgeted()) {
      if (rounds >= cappedFrom) {
        return participation.cap();
      }
      // With restarts the separation is left out: dealing rounds out to generations takes time, and
      // this is asked every round.
      double most = muOf(
          rounds,
          generations.kind() == GenerationSchedule.Kind.NONE
              ? bound()
              : ContributionBound.EVERY_ROUND);
      if (most >= participation.cap()) {
        cappedFrom = rounds; // it never falls
      }
      return Math.min(participation.cap(), most);
    }
    return muOf(rounds, bound());
  }

  private double muOf(long rounds, ContributionBound bound) {
    double model = epsilons.mu(sensitivity * matrixSensitivity(rounds, bound) / sigma);
    if (ranges.isPresent()) {
      model = ranges.get().joint(model, rounds);
    }
    if (metricsRatio == 0) {
      return model;
    }
    double metrics = metricsMu(rounds);
    return Math.sqrt(model * model + metrics * metrics);
  }

  /**
   * mu of the metrics alone, of a unit in as many rounds as may be, whatever its own budget makes
   * of that.
   */
  public double metricsMu(long rounds) {
    return metricsRatio == 0 ? 0 : metricsRatio * Math.sqrt(bound().within(rounds));
  }

  /** The pure epsilon of the model's releases; only where the mechanism is pure. */
  double pureEpsilon(long rounds) {
    return sensitivity * matrixSensitivity(rounds, bound()) / sigma;
  }

  /** Of a unit's rounds, whatever its own budget makes of them. */
  private ContributionBound bound() {
    return participation.bound();
  }

  private double matrixSensitivity(long rounds, ContributionBound bound) {
    // Pure epsilons add up over participations, in whatever generation.
    if (mechanism.isPure() || generations.kind() == GenerationSchedule.Kind.NONE) {
      return sensitivity(rounds, bound);
    }
    return Math.sqrt(WorstSchedule.worstSquared(generations, rounds, bound, (within, most) -> {
      double once = sensitivity(within, most);
      return once * once;
    }));
  }

  private double sensitivity(long rounds, ContributionBound bound) {
    if (bound.equals(ContributionBound.ONE)) {
      return rounds == Long.MAX_VALUE
          ? mechanism.sensitivityLimit()
          : mechanism.sensitivity(rounds);
    }
    return rounds == Long.MAX_VALUE
        ? mechanism.sensitivityLimit(bound)
        : mechanism.sensitivity(rounds, bound);
  }

  /** mu at the limit of an endless stream; infinite where there is none. */
  public double muLimit() {
    return muLimit;
  }

  /**
   * The factor between s / sigma and mu without the metrics: sens_t of the mechanism under the
   * participation rule, or what the unit's cap leaves of it.
   */
  public double matrixSensitivity(long rounds) {
    if (participation.isBudgeted()) {
      return ownMu(rounds) * sigma / sensitivity; // the cap holds model and metrics together
    }
    return matrixSensitivity(rounds, bound());
  }

  /** The guarantee of everything published up to and with a round. */
  public Guarantee guarantee(long rounds) {
    double mu = mu(rounds);
    double epsilon = epsilon(rounds, mu);
    // Equal mu give equal epsilons; mu apart by an ulp may come out the wrong way round.
    double limit = Math.max(epsilon, epsilonLimit());
    double deltaUsed = accountant() == AccountingMethod.PURE ? 0 : delta;
    return new Guarantee(unit, adjacency, mechanism.name(), mu, epsilon, deltaUsed, muLimit, limit);
  }

  private double epsilonLimit() {
    double known = epsilonLimit;
    if (Double.isNaN(known)) {
      known = epsilon(Long.MAX_VALUE, muLimit);
      epsilonLimit = known;
    }
    return known;
  }

  /** The epsilon of {@link #guarantee}. */
  double epsilon(long rounds) {
    return epsilon(rounds, mu(rounds));
  }

  private double epsilon(long rounds, double mu) {
    return epsilons.epsilon(rounds, mu);
  }

  /**
   * The probability that some participation of a unit moves what is released by more than the noise
   * counts with, from above; delta pays for it. Where contents are replaced, other records of a
   * unit may be admitted than before: then up to twice as many slots change, each from or to
   * nothing.
   */
  public double failure(long rounds) {
    double once = mechanism.failure();
    boolean moves = adjacency == Adjacency.REPLACE_ONE && participation.remembersUnits();
    return once == 0 ? 0 : Math.nextUp(once * (moves ? 2 : 1) * bound().within(rounds));
  }

  /** What secret coins are composed of. */
  SampledLosses.Composition composition(long rounds, double atDelta) {
    return new SampledLosses.Composition(bound().within(rounds), adjacency, atDelta, spentMu);
  }

  /** Which accountant computed the figures. */
  public AccountingMethod accountant() {
    return epsilons.method();
  }

  Mechanism mechanism() {
    return mechanism;
  }

  double delta() {
    return delta;
  }

  double spentMu() {
    return spentMu;
  }

  /** Whether a budget covers a number of rounds. */
  public boolean allows(Budget budget, long rounds) {
    return epsilons.allows(budget, rounds);
  }

  /**
   * How many rounds from the first on, in a row or as close as a budget's separation lets them be,
   * admit a unit.
   *
   * @param most where counting stops; it takes a step each
   */
  public long roundsInARow(long most) {
    Admission rule = admission().orElseGet(AdmissionRules::firstOfId);
    long step = participation.isBudgeted() ? bound().separation() : 1;
    byte[] history = null;
    long round = 1;
    for (long admitted = 0; admitted < most; admitted++) {
      history = rule.admit(history, round);
      if (history == null) {
        return admitted;
      }
      if (step > Long.MAX_VALUE - round) {
        return admitted + 1;
      }
      round += step;
    }
    return most;
  }

  /** The rule that admits records to rounds; empty where every record is a unit of its own. */
  public Optional<Admission> admission() {
    double ratio = sensitivity / sigma;
    boolean counted = metricsRatio < Double.POSITIVE_INFINITY; // exact metrics are beyond counting
    return participation.admission(new RoundCosts(
        mechanism.memory(), generations, ratio * ratio, counted ? metricsRatio * metricsRatio : 0));
  }
}
