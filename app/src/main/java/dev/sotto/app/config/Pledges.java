package dev.sotto.app.config;

import dev.sotto.learner.privacy.Adjacency;
import dev.sotto.learner.privacy.Budget;
import dev.sotto.learner.privacy.Generations;
import dev.sotto.learner.privacy.PrivacyUnit;
import dev.sotto.learner.release.BltSets;
import dev.sotto.learner.release.Mechanism;
import dev.sotto.learner.release.Mechanisms;
import dev.sotto.learner.round.Calibration;
import dev.sotto.learner.round.MetricsPlan;
import dev.sotto.learner.unit.Contributions;
import dev.sotto.learner.unit.Participation;
import dev.sotto.topology.Layout;
import java.util.Locale;
import java.util.function.Supplier;

/** Builds what a plan promises out of settings: unit, contribution, mechanism and noise. */
final class Pledges {
  static final String EPSILON = "privacy.epsilon";
  static final String MU = "privacy.mu";
  static final String SPENT = "privacy.spent.mu";
  static final String MULTIPLIER = "privacy.noise.multiplier";
  static final String HORIZON = "privacy.horizon.rounds";
  static final String PARTICIPATIONS = "privacy.contribution.rounds";

  /** What is promised, and the noise that keeps the promise. */
  record Pledge(
      Budget budget,
      Mechanism mechanism,
      Adjacency adjacency,
      PrivacyUnit unit,
      Participation participation,
      Generations generations,
      double clip,
      double sigma,
      MetricsPlan metrics) {}

  private final Values values;
  private final Faults faults;

  Pledges(Values values, Faults faults) {
    this.values = values;
    this.faults = faults;
  }

  /** The key to change where the noise is wrong. */
  String noiseKey() {
    return values.given(MULTIPLIER)
        ? MULTIPLIER
        : values.given(PARTICIPATIONS) ? PARTICIPATIONS : HORIZON;
  }

  /** The pledge, or null after a fault. */
  Pledge build() {
    boolean apart = isSummedApart();
    boolean noise = noiseIsGivenOnce();
    boolean epsilon = budgetIsGivenOnce();
    if (!epsilon
        || !values.sound(
            "privacy.delta",
            SPENT,
            "privacy.mechanism",
            "privacy.adjacency",
            "privacy.unit",
            "metrics.share",
            "clip.norm")
        || apart && keepsHistories()) {
      return null;
    }
    Budget budget = budget();
    if (budget == null) {
      return null;
    }
    Mechanism mechanism = mechanism();
    Generations generations = generations();
    PrivacyUnit unit = PrivacyUnit.named(values.text("privacy.unit")).orElseThrow();
    Participation participation = mechanism == null ? null : participation(unit, mechanism, budget);
    if (mechanism == null || generations == null || participation == null || !noise) {
      return null;
    }
    Adjacency adjacency = Adjacency.named(values.text("privacy.adjacency")).orElseThrow();
    double share = values.number("metrics.share");
    Calibration calibration = new Calibration(
        budget, mechanism, adjacency, values.number("clip.norm"), generations, share);
    Double sigma = guarded(noiseKey(), () -> sigma(calibration, participation, adjacency));
    if (sigma == null) {
      return null;
    }
    boolean exact = values.has("metrics.unsafe.exact") && values.flag("metrics.unsafe.exact");
    MetricsPlan metrics = null;
    if (share > 0 || exact) {
      metrics = metrics(calibration, participation, sigma, share, exact);
      if (metrics == null) {
        return null;
      }
    }
    return new Pledge(
        exact ? new Budget(Double.POSITIVE_INFINITY, budget.delta()) : budget,
        mechanism,
        adjacency,
        unit,
        participation,
        generations,
        values.number("clip.norm"),
        sigma,
        metrics);
  }

  /** Whether workers sum the slices of a round, none of which knows what a unit did elsewhere. */
  private boolean isSummedApart() {
    return values.sound("layout") && values.text("layout").equals(Layout.ROUNDS.configName());
  }

  /** Told as a fault. */
  private boolean keepsHistories() {
    String why = " with layout rounds, whose workers know no unit's history, but was ";
    String instead = "; choose layout funnel for it";
    String unit = values.text("privacy.unit");
    if (!unit.equals(PrivacyUnit.RECORD.configName())) {
      faults.add("privacy.unit", "must be record" + why + unit + instead);
      return true;
    }
    String key = PrivacyKeys.CONTRIBUTION;
    String word = values.has(key) ? values.text(key) : PrivacyKeys.USUAL;
    if (!word.equals(PrivacyKeys.USUAL) && !word.equals("once")) {
      faults.add(key, "must be once" + why + word + instead);
      return true;
    }
    return false;
  }

  private boolean budgetIsGivenOnce() {
    boolean epsilon = values.given(EPSILON);
    boolean mu = values.given(MU);
    if (epsilon && mu) {
      faults.add(MU, "must be absent where " + EPSILON + " is given, but both are; remove one");
    } else if (!epsilon && !mu) {
      faults.add(EPSILON, "must be given, or " + MU + ": the most that a unit may ever spend");
    }
    return epsilon != mu && values.has(epsilon ? EPSILON : MU);
  }

  private Budget budget() {
    double delta = values.number("privacy.delta");
    double spent = values.number(SPENT);
    if (values.given(EPSILON)) {
      return guarded(SPENT, () -> new Budget(values.number(EPSILON), delta, spent));
    }
    Budget ofMu = guarded(MU, () -> Budget.ofMu(values.number(MU), delta));
    return ofMu == null ? null : guarded(SPENT, () -> new Budget(ofMu.epsilon(), delta, spent));
  }

  private Mechanism mechanism() {
    Mechanisms named = Mechanisms.named(values.text("privacy.mechanism")).orElseThrow();
    if (named != Mechanisms.BLT) {
      return named.make();
    }
    return values.sound("privacy.blt.set")
        ? Mechanisms.blt(
            BltSets.named(values.text("privacy.blt.set")).orElseThrow().parameters())
        : null;
  }

  private Generations generations() {
    if (!values.sound(PrivacyKeys.GENERATIONS)) {
      return null;
    }
    String kind = values.text(PrivacyKeys.GENERATIONS);
    if (kind.equals("none")) {
      return Generations.NONE;
    }
    return values.sound(PrivacyKeys.GENERATIONS + ".rounds")
        ? new Generations(
            Generations.Kind.valueOf(kind.toUpperCase(Locale.ROOT)),
            values.whole(PrivacyKeys.GENERATIONS + ".rounds"))
        : null;
  }

  private Participation participation(PrivacyUnit unit, Mechanism mechanism, Budget budget) {
    String key = PrivacyKeys.CONTRIBUTION;
    if (!values.sound(key)) {
      return null;
    }
    boolean byKey = unit == PrivacyUnit.KEY;
    boolean usual = values.text(key).equals(PrivacyKeys.USUAL);
    if (byKey && usual && mechanism.memory().isEmpty()) {
      faults.add(
          key,
          "must be schedule with privacy.unit key and privacy.mechanism " + mechanism.name()
              + ", whose cost no unit's own book can follow, but is " + PrivacyKeys.USUAL);
      return null;
    }
    String word = usual ? byKey ? "budget" : "once" : values.text(key);
    boolean ofKey = word.equals("budget") || word.equals("schedule");
    if (ofKey != byKey) {
      faults.must(
          key,
          byKey
              ? "be budget or schedule with privacy.unit key"
              : "be once or first-of-id with privacy.unit record",
          word);
      return null;
    }
    if (!word.equals("once") && (!values.sound("unit.from") || noUnit(word))) {
      return null;
    }
    return switch (word) {
      case "once" -> new Participation.Once();
      case "first-of-id" -> new Participation.ById();
      case "budget" -> budgeted(mechanism, budget);
      default -> scheduled();
    };
  }

  private boolean noUnit(String word) {
    if (!values.text("unit.from").equals("none")) {
      return false;
    }
    faults.must(
        "unit.from",
        "be field or key, so that records say whose they are (privacy.contribution " + word + ")",
        "none");
    return true;
  }

  private Participation budgeted(Mechanism mechanism, Budget budget) {
    if (mechanism.memory().isEmpty()) {
      faults.must(
          PrivacyKeys.CONTRIBUTION,
          "be schedule with privacy.mechanism " + mechanism.name()
              + ", whose cost no unit's own book can follow",
          "budget");
      return null;
    }
    return new Participation.Budgeted(budget.muLimit());
  }

  private Participation scheduled() {
    String most = PrivacyKeys.CONTRIBUTION + ".most";
    String separation = PrivacyKeys.CONTRIBUTION + ".separation";
    return values.sound(most, separation)
        ? new Participation.Scheduled(
            new Contributions(values.whole(most), values.whole(separation)))
        : null;
  }

  /** Told even where the rest is not sound. */
  private boolean noiseIsGivenOnce() {
    String key = PrivacyKeys.CONTRIBUTION;
    boolean known =
        values.has("privacy.unit"); // else nothing is foreign, and that fault is told already
    boolean budgeted = known
        ? values.text("privacy.unit").equals(PrivacyUnit.KEY.configName())
            && !(values.has(key) && values.text(key).equals("schedule"))
        : values.given(PARTICIPATIONS);
    String least = budgeted ? PARTICIPATIONS : HORIZON;
    String foreign = budgeted ? HORIZON : PARTICIPATIONS;
    if (known && values.given(foreign)) {
      faults.add(
          foreign,
          budgeted
              ? "must be absent where units have a budget each, and rounds are endless; give "
                  + PARTICIPATIONS + " or " + MULTIPLIER
              : "must be absent unless units have a budget each (privacy.contribution budget)");
      return false;
    }
    boolean multiplier = values.given(MULTIPLIER);
    boolean other = values.given(least);
    if (multiplier && other) {
      faults.add(
          MULTIPLIER, "must be absent where " + least + " is given, but both are; remove one");
    } else if (!multiplier && !other) {
      faults.add(
          least,
          "must be given, or " + MULTIPLIER + ": one of them decides how much noise there is");
    }
    return multiplier != other && values.has(multiplier ? MULTIPLIER : least);
  }

  private double sigma(Calibration calibration, Participation participation, Adjacency adjacency) {
    if (values.given(MULTIPLIER)) {
      return values.number(MULTIPLIER) * adjacency.sensitivity(values.number("clip.norm"));
    }
    return participation instanceof Participation.Budgeted
        ? calibration.sigmaOfBudgeted(values.whole(PARTICIPATIONS))
        : calibration.sigma(bound(participation), horizon());
  }

  private static Contributions bound(Participation participation) {
    return participation instanceof Participation.Scheduled scheduled
        ? scheduled.bound()
        : Contributions.ONE;
  }

  private long horizon() {
    return values.given(HORIZON) ? Rules.rounds(values.text(HORIZON)) : Long.MAX_VALUE;
  }

  private MetricsPlan metrics(
      Calibration calibration,
      Participation participation,
      double sigma,
      double share,
      boolean exact) {
    if (!values.sound("metrics.loss.bound", "metrics.bins", "metrics.window.rounds")) {
      return null;
    }
    if (exact && share > 0) {
      faults.add(
          "metrics.unsafe.exact",
          "must be false where metrics.share is above 0: metrics are private, or exact");
      return null;
    }
    return guarded("metrics.share", () -> {
      double noise = exact ? 0 : metricsSigma(calibration, participation, sigma);
      return new MetricsPlan(
          noise,
          values.number("metrics.loss.bound"),
          (int) values.whole("metrics.bins"),
          values.whole("metrics.window.rounds"));
    });
  }

  private double metricsSigma(Calibration calibration, Participation participation, double sigma) {
    if (!(participation instanceof Participation.Budgeted)) {
      return calibration.metricsSigma(bound(participation), horizon());
    }
    return values.given(MULTIPLIER)
        ? calibration.metricsSigmaBeside(sigma)
        : calibration.metricsSigmaOfBudgeted(values.whole(PARTICIPATIONS));
  }

  private <T> T guarded(String key, Supplier<T> maker) {
    try {
      return maker.get();
    } catch (IllegalArgumentException broken) {
      faults.add(key, "does not work: " + broken.getMessage());
      return null;
    }
  }
}
