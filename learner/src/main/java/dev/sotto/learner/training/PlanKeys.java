package dev.sotto.learner.training;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.optimizer.settings.Optimizers;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.Domain;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** The settings of a plan's rounds and of its guarantee. */
public final class PlanKeys {
  /** {@link #HORIZON} of a stream that does not end. */
  public static final String ENDLESS = "endless";

  /** {@link #SEPARATION_SLOTS} of rounds that may follow each other. */
  public static final String NO_SEPARATION = "none";

  /**
   * {@link #SEPARATION_SLOTS} where they are not given and a unit's rounds cost more the nearer
   * they are (docs/experiments/unit-defaults.md).
   */
  public static final long USUAL_SEPARATION_SLOTS = 128;

  /** {@link #PARTICIPATIONS} where they are not given (docs/experiments/unit-defaults.md). */
  public static final long USUAL_PARTICIPATIONS = 3;

  /** {@link #GENERATIONS}: the algorithm never restarts. */
  public static final String NEVER = "none";
  /** {@link #GENERATIONS}: all of one length. */
  public static final String CONSTANT = "constant";
  /** {@link #GENERATIONS}: each twice as long as the one before. */
  public static final String DOUBLING = "doubling";

  /** {@link #CONTRIBUTION}: what suits the unit. */
  public static final String USUAL = "usual";
  /** {@link #CONTRIBUTION}: each record is a unit. */
  public static final String ONCE = "once";
  /** {@link #CONTRIBUTION}: the first record of each id counts. */
  public static final String FIRST_OF_ID = "first-of-id";
  /** {@link #CONTRIBUTION}: each unit has a budget of its own. */
  public static final String BUDGET = "budget";
  /** {@link #CONTRIBUTION}: at most a number of rounds per unit. */
  public static final String SCHEDULE = "schedule";

  /** {@link #BATCH_SIZE} that follows from the noise. */
  public static final String AUTO = "auto";

  /** 0 where it is {@link #AUTO}. */
  public static final ConfigKey<Long> BATCH_SIZE = Optimizers.ofRounds(ConfigKey.of(
          "batch.size",
          wholeOr(AUTO, 0),
          "Slots in a round. `auto`: as few as the noise asks for, since small rounds allow"
              + " large steps (`sotto plan`).")
      .orElse(0L));

  public static final ConfigKey<Double> CLIP_NORM = ConfigKey.of(
          "clip.norm",
          Domain.positive(),
          "The l2 norm to which every example's gradient is cut. Unless given, it follows from"
              + " the loss (docs/private-ftrl.md). Where it is given, labels without bounds stay in"
              + " their own unit.")
      .optional();

  public static final ConfigKey<Double> EPSILON = ConfigKey.of(
          "privacy.epsilon",
          Domain.positive(),
          "The most that one unit may ever spend: what would exceed it never happens. Give this"
              + " or `privacy.mu`.")
      .optional();

  public static final ConfigKey<Double> MU = ConfigKey.of(
          "privacy.mu",
          Domain.positive(),
          "The budget as a mu, which does not depend on delta. Ledgers show the epsilon that it"
              + " means at privacy.delta.")
      .optional();

  public static final ConfigKey<Double> DELTA = ConfigKey.of(
      "privacy.delta",
      Domain.fraction(),
      "The delta at which epsilon is stated: far below one over the number of units. Above 1e-5"
          + " there is a warning.");

  public static final ConfigKey<Double> SPENT = ConfigKey.of(
          "privacy.spent.mu",
          Domain.numbers("at least 0 and finite", mu -> mu >= 0 && mu < Double.POSITIVE_INFINITY),
          "mu that the same units have spent in earlier runs (the last entry of the old ledger; of"
              + " several, the root of the sum of their squares). The new ledger begins with it,"
              + " and the budget must hold both.")
      .orElse(0.0);

  public static final ConfigKey<Double> MULTIPLIER = ConfigKey.of(
          "privacy.noise.multiplier",
          Domain.positive(),
          "Standard deviation (scale, with " + Mechanisms.names(Mechanism::isPure)
              + ") of the noise over the sensitivity of a round's sum (clip.norm, twice that for"
              + " replace-one). Give this or the horizon (with a budget per unit its"
              + " participations), or neither.")
      .optional();

  /** {@link Long#MAX_VALUE} where it is endless. */
  public static final ConfigKey<Long> HORIZON = ConfigKey.of(
          "privacy.horizon.rounds",
          wholeOr(ENDLESS, Long.MAX_VALUE),
          "The noise is the smallest with which this number of rounds fits the budget;"
              + " `endless`, the default, where the mechanism has a limit. Not with"
              + " privacy.contribution budget, which is always endless.")
      .optional();

  public static final ConfigKey<Long> PARTICIPATIONS = ConfigKey.of(
          "privacy.contribution.rounds",
          Domain.between(1, 1_000_000),
          "With privacy.contribution budget: in how many rounds, at the given separation, a unit"
              + " can take part before its budget is spent. More rounds need more noise. Unless"
              + " given, it follows from privacy.contribution.records, and is "
              + USUAL_PARTICIPATIONS
              + " without that.")
      .optional();

  public static final ConfigKey<Adjacency> ADJACENCY = ConfigKey.of(
          "privacy.adjacency",
          Domain.choice(Adjacency.values(), Adjacency::configName),
          "Which change is hidden: that a record's content counts at all, or what it is (twice the"
              + " noise).")
      .orElse(Adjacency.ZERO_OUT);

  public static final ConfigKey<String> GENERATIONS = Optimizers.ofPrefixes(ConfigKey.of(
          "privacy.generations",
          Domain.oneOf(NEVER, CONSTANT, DOUBLING),
          "Whether the algorithm restarts at its last weights: never, after the same number of"
              + " rounds each time, or after twice as many. A record pays for one generation; a key"
              + " for all that it is in. Unless given, `none` with private-ftrl, and 32 rounds with"
              + " accelerated-dp-srgd and unit record.")
      .optional());

  public static final ConfigKey<Long> FIRST_GENERATION = Optimizers.ofPrefixes(ConfigKey.of(
          "privacy.generations.rounds",
          Domain.between(1, 1L << 40),
          "Rounds of the first generation.")
      .onlyWith(GENERATIONS, CONSTANT, DOUBLING));

  public static final ConfigKey<PrivacyUnit> UNIT = ConfigKey.of(
          "privacy.unit",
          Domain.choice(
              new PrivacyUnit[] {PrivacyUnit.RECORD, PrivacyUnit.KEY}, PrivacyUnit::configName),
          "Whose contribution is hidden: one `record`, or all records with one id (`key`: a"
              + " user, a device; see unit.from, and unit.fields for several owners).")
      .orElse(PrivacyUnit.RECORD);

  public static final ConfigKey<String> CONTRIBUTION = ConfigKey.of(
          "privacy.contribution",
          Domain.oneOf(USUAL, ONCE, FIRST_OF_ID, BUDGET, SCHEDULE),
          "How much a unit may contribute; what is beyond it leaves its slot empty. `usual` is"
              + " `once` for records and `budget` for keys. Unit record: `once`, or `first-of-id`"
              + " (the first record of each id counts, for ever; see unit.from). Unit key:"
              + " `budget` (with "
              + Mechanisms.names(each -> each.memory().isPresent())
              + ": every unit has the whole budget for itself), or `schedule` (at most a number"
              + " of rounds).")
      .orElse(USUAL);

  public static final ConfigKey<Long> MOST_ROUNDS = ConfigKey.of(
          "privacy.contribution.most",
          Domain.atLeast(1),
          "Rounds that a unit may take part in over the model's life.")
      .onlyWith(CONTRIBUTION, SCHEDULE);

  public static final ConfigKey<Long> SEPARATION = ConfigKey.of(
          "privacy.contribution.separation",
          Domain.atLeast(1),
          "The smallest distance of two rounds with the same unit. Unless given, it follows from"
              + " privacy.contribution.separation.slots.")
      .optional()
      .onlyWith(CONTRIBUTION, SCHEDULE);

  /** 0 where it is {@link #NO_SEPARATION}. */
  public static final ConfigKey<Long> SEPARATION_SLOTS = ConfigKey.of(
          "privacy.contribution.separation.slots",
          slotsOrNone(),
          "The smallest distance of two rounds with the same unit, in slots, which lowers their"
              + " cost; what comes sooner leaves its slot empty. `none`, or 0: neighbouring rounds"
              + " may hold the same unit. Unless given, it is "
              + USUAL_SEPARATION_SLOTS
              + " with blt, and otherwise `none`.")
      .optional()
      .onlyWith(UNIT, PrivacyUnit.KEY);

  public static final ConfigKey<Long> RECORDS = ConfigKey.of(
          "privacy.contribution.records",
          Domain.between(1, 1L << 40),
          "How many records one unit sends while the model lives, from public knowledge (never"
              + " counted in the events). privacy.contribution.rounds follows from it: 1 of one"
              + " record, 2 of fewer than 8, 3 of fewer than 30, and where all numbers have bounds"
              + " 4 of fewer than 100, 8 of more.")
      .optional()
      .onlyWith(UNIT, PrivacyUnit.KEY);

  public static final ConfigKey<Double> METRICS_SHARE = Optimizers.ofPrefixes(ConfigKey.of(
          "metrics.share",
          Domain.numbers("at least 0 and at most 0.9", share -> share >= 0 && share <= 0.9),
          "The share of the budget (of mu squared) that pays for private metrics, which are not"
              + " released beside "
              + Mechanisms.names(Mechanism::isPure)
              + ": loss, accuracy and a reliability curve of the examples before they are learned"
              + " from, on `<app.id>.metrics`. Where units have a budget each, that of a unit in"
              + " privacy.contribution.rounds rounds (with a noise multiplier: of what one round"
              + " costs) (docs/metrics.md).")
      .orElse(0.0));

  public static final ConfigKey<Double> LOSS_BOUND = Optimizers.ofPrefixes(ConfigKey.of(
          "metrics.loss.bound", Domain.positive(), "Losses are cut at this before they are summed.")
      .orElse(2.0));

  public static final ConfigKey<Integer> BINS = Optimizers.ofPrefixes(ConfigKey.of(
          "metrics.bins",
          Domain.intBetween(1, 1000),
          "Bins of the reliability curve: equal parts of the predictions' range from 0 to 1.")
      .orElse(10));

  public static final ConfigKey<Long> WINDOW = Optimizers.ofPrefixes(ConfigKey.of(
          "metrics.window.rounds",
          Domain.between(1, 1L << 40),
          "Rounds whose noisy metrics are published together, at least: with the version that"
              + " completes them.")
      .orElse(1L));

  public static final ConfigKey<Boolean> EXACT_METRICS = Optimizers.ofPrefixes(ConfigKey.of(
          "metrics.unsafe.exact",
          Domain.flag(),
          "UNSAFE: publishes the metrics without noise, which voids the guarantee. For public"
              + " or synthetic data only. Needs metrics.share 0.")
      .orElse(false));

  /** The guarantee, in the order of the manual. */
  public static final List<ConfigKey<?>> PRIVACY = joined(
      List.of(EPSILON, MU, DELTA, SPENT, MULTIPLIER, HORIZON, PARTICIPATIONS),
      Mechanisms.keys().stream().<ConfigKey<?>>map(Optimizers::ofPrefixes).toList(),
      List.of(
          ADJACENCY,
          GENERATIONS,
          FIRST_GENERATION,
          UNIT,
          CONTRIBUTION,
          MOST_ROUNDS,
          SEPARATION,
          SEPARATION_SLOTS,
          RECORDS));

  /** Private metrics, in the order of the manual. */
  public static final List<ConfigKey<?>> METRICS =
      List.of(METRICS_SHARE, LOSS_BOUND, BINS, WINDOW, EXACT_METRICS);

  private PlanKeys() {}

  /**
   * {@link #PARTICIPATIONS} of a unit with a number of records: more cost more noise, which units
   * of many records make up for (docs/experiments/unit-defaults.md).
   *
   * @param bounded whether all numbers have bounds: where ranges are measured, more noise may lose
   *     them
   */
  public static long usualParticipations(OptionalLong records, boolean bounded) {
    if (records.isEmpty()) {
      return USUAL_PARTICIPATIONS;
    }
    long all = records.getAsLong();
    if (all < 30 || !bounded) {
      return all < 2 ? 1 : all < 8 ? 2 : USUAL_PARTICIPATIONS;
    }
    return all < 100 ? 4 : 8;
  }

  private static List<ConfigKey<?>> joined(
      List<ConfigKey<?>> noise, List<ConfigKey<?>> mechanism, List<ConfigKey<?>> units) {
    return Stream.of(noise, mechanism, units)
        .<ConfigKey<?>>flatMap(List::stream)
        .toList();
  }

  /** Slots up to 2^40, or the word for 0. */
  private static Domain<Long> slotsOrNone() {
    return new Domain<>(
        Domain.Type.TEXT,
        "a whole number from 0 to 2^40, or " + NO_SEPARATION,
        text -> text.equals(NO_SEPARATION) ? Long.valueOf(0) : slots((String) text),
        number -> number == 0 ? NO_SEPARATION : number,
        text -> "");
  }

  private static Long slots(String text) {
    try {
      long number = Long.parseLong(text);
      return number >= 0 && number <= 1L << 40 ? number : null;
    } catch (NumberFormatException noNumber) {
      return null;
    }
  }

  /** A whole number of at least 1, or a word that stands for a number. */
  private static Domain<Long> wholeOr(String word, long meaning) {
    return new Domain<>(
        Domain.Type.TEXT,
        "a whole number of at least 1, or " + word,
        text -> text.equals(word) ? Long.valueOf(meaning) : whole((String) text),
        number -> number == meaning ? word : number,
        text -> "");
  }

  private static Long whole(String text) {
    try {
      long number = Long.parseLong(text);
      return number >= 1 ? number : null;
    } catch (NumberFormatException noNumber) {
      return null;
    }
  }
}
