package dev.sotto.config.settings;

import static dev.sotto.learner.mechanism.Mechanisms.MECHANISM;
import static dev.sotto.learner.training.PlanKeys.CONTRIBUTION;
import static dev.sotto.learner.training.PlanKeys.GENERATIONS;
import static dev.sotto.learner.training.PlanKeys.UNIT;
import static dev.sotto.serdes.feature.FeatureKeys.FIELD;
import static dev.sotto.serdes.feature.FeatureKeys.UNIT_FROM;

import dev.sotto.learner.accounting.AccountedContribution;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.optimizer.settings.Optimizers;
import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.settings.InvalidSettingException;
import dev.sotto.learner.settings.Settings;
import dev.sotto.learner.training.PlanKeys;
import dev.sotto.serdes.feature.FeatureKeys;
import dev.sotto.topology.settings.ApplicationKeys;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What settings say of how much a unit may contribute.
 *
 * @param unit whose contribution is hidden
 * @param word the rule of participation, as it is configured
 * @param most rounds of a unit by a schedule
 * @param usual rounds of a unit where nobody chose them
 * @param apart distance of two of a unit's rounds
 * @param generations when the algorithm restarts on fresh records
 */
record ContributionRules(
    PrivacyUnit unit,
    String word,
    long most,
    long usual,
    Apart apart,
    GenerationSchedule generations) {

  /**
   * How far two of a unit's rounds must lie apart.
   *
   * @param rounds where somebody chose them; 0 where they follow from the slots
   * @param slots between the beginnings of two of a unit's rounds
   */
  private record Apart(long rounds, long slots) {
    long in(long batch) {
      return rounds > 0 ? rounds : Math.max(1, (slots + batch - 1) / batch);
    }
  }

  /** Out of settings. */
  static ContributionRules read(Settings settings, Mechanism mechanism, long usual) {
    Optional<GenerationSchedule> generations = Settings.attempt(() -> generations(settings));
    PrivacyUnit unit = settings.get(UNIT);
    String given = settings.get(CONTRIBUTION);
    String word = word(settings, mechanism, unit, given);
    boolean bounded = word.equals(PlanKeys.BUDGET) || word.equals(PlanKeys.SCHEDULE);
    return new ContributionRules(
        settings.isGiven(FeatureKeys.UNIT_FIELDS) ? PrivacyUnit.OWNERS : unit,
        word,
        given.equals(PlanKeys.SCHEDULE) ? settings.get(PlanKeys.MOST_ROUNDS) : usual,
        usual,
        bounded ? apart(settings, mechanism, word) : new Apart(1, 0),
        generations.orElseThrow(() -> new InvalidSettingException(GENERATIONS.name())));
  }

  /** Rounds of a unit, where nobody chose them. */
  static long usualRounds(Settings settings, boolean bounded) {
    return PlanKeys.usualParticipations(
        settings.find(PlanKeys.RECORDS).map(OptionalLong::of).orElseGet(OptionalLong::empty),
        bounded);
  }

  /**
   * The bound of a unit's contribution.
   *
   * @param budget of every unit
   * @param batch slots in a round
   */
  AccountedContribution of(Budget budget, long batch) {
    Participation participation = switch (word) {
      case PlanKeys.ONCE -> new Participation.Once();
      case PlanKeys.FIRST_OF_ID -> new Participation.ById();
      case PlanKeys.BUDGET -> new Participation.Budgeted(budget.muLimit(), apart.in(batch));
      case PlanKeys.SCHEDULE ->
        new Participation.Scheduled(new ContributionBound(most, apart.in(batch)));
      default -> throw new IllegalStateException("no rule for " + CONTRIBUTION + " " + word);
    };
    return new AccountedContribution(unit, participation, generations);
  }

  private static GenerationSchedule generations(Settings settings) {
    if (!settings.isGiven(GENERATIONS)) {
      return usualGenerations(settings);
    }
    String kind = settings.get(GENERATIONS);
    return kind.equals(PlanKeys.NEVER)
        ? GenerationSchedule.NONE
        : new GenerationSchedule(
            GenerationSchedule.Kind.valueOf(kind.toUpperCase(Locale.ROOT)),
            settings.get(PlanKeys.FIRST_GENERATION));
  }

  /** A record pays for its own generation alone; a key would pay for each. */
  private static GenerationSchedule usualGenerations(Settings settings) {
    boolean byRecord = settings.isUsable(UNIT) && settings.get(UNIT) == PrivacyUnit.RECORD;
    long rounds = byRecord && settings.isUsable(Optimizers.ALGORITHM)
        ? settings.get(Optimizers.ALGORITHM).generation()
        : 0;
    return rounds == 0
        ? GenerationSchedule.NONE
        : new GenerationSchedule(GenerationSchedule.Kind.CONSTANT, rounds);
  }

  /**
   * Refuses units that need a history with a layout whose workers sum the slices of a round
   * without knowing what a unit did elsewhere.
   */
  static void checkLayout(Settings settings) {
    if (!settings.isUsable(ApplicationKeys.LAYOUT)
        || !settings.get(ApplicationKeys.LAYOUT).sumsParts()) {
      return;
    }
    String why = " with layout " + settings.get(ApplicationKeys.LAYOUT).configName()
        + ", whose workers know no unit's history, but was ";
    String instead = "; choose layout ordered for it";
    PrivacyUnit unit = settings.get(UNIT);
    if (unit != PrivacyUnit.RECORD) {
      throw settings.reject(
          UNIT, "must be " + PrivacyUnit.RECORD.configName() + why + unit.configName() + instead);
    }
    String word = settings.get(CONTRIBUTION);
    if (!word.equals(PlanKeys.USUAL) && !word.equals(PlanKeys.ONCE)) {
      throw settings.reject(CONTRIBUTION, "must be " + PlanKeys.ONCE + why + word + instead);
    }
  }

  private static String word(
      Settings settings, Mechanism mechanism, PrivacyUnit unit, String given) {
    boolean byKey = unit == PrivacyUnit.KEY;
    String word = given.equals(PlanKeys.USUAL) ? usual(byKey, isUnfollowed(mechanism)) : given;
    boolean ofKey = word.equals(PlanKeys.BUDGET) || word.equals(PlanKeys.SCHEDULE);
    if (ofKey != byKey) {
      throw settings.rejectValue(
          CONTRIBUTION,
          byKey
              ? "be budget or schedule with " + UNIT + " key"
              : "be once or first-of-id with " + UNIT + " record",
          word);
    }
    if (word.equals(PlanKeys.BUDGET) && mechanism.memory().isEmpty()) {
      throw settings.rejectValue(
          CONTRIBUTION,
          mechanism.sampledSums().isEmpty()
              ? "be schedule with " + UNIT + " key and " + MECHANISM + " " + mechanism.name()
                  + ", whose cost cannot be tracked per unit"
              : "be schedule with " + UNIT + " key where queries sample their slots, since a"
                  + " unit's own budget adds up mu, which sampling does not lower; or let"
                  + " resque.rate be 1");
    }
    if (!word.equals(PlanKeys.ONCE) && settings.get(UNIT_FROM).equals(FeatureKeys.NOWHERE)) {
      throw settings.rejectValue(
          UNIT_FROM,
          "be " + FIELD + " or " + FeatureKeys.KEY + ", so that records say whose they are ("
              + CONTRIBUTION + " " + word + ")");
    }
    return word;
  }

  /** A budget for every unit, where the cost of its past can be followed. */
  private static String usual(boolean byKey, boolean unfollowed) {
    return !byKey ? PlanKeys.ONCE : unfollowed ? PlanKeys.SCHEDULE : PlanKeys.BUDGET;
  }

  private static boolean isUnfollowed(Mechanism mechanism) {
    return mechanism.ofQueries().isPresent() && mechanism.memory().isEmpty();
  }

  /** Whether keys take part a fixed number of times. */
  static boolean isScheduled(Settings settings, Mechanism mechanism) {
    String word = settings.get(CONTRIBUTION);
    return word.equals(PlanKeys.SCHEDULE) || word.equals(PlanKeys.USUAL) && isUnfollowed(mechanism);
  }

  private static Apart apart(Settings settings, Mechanism mechanism, String word) {
    if (word.equals(PlanKeys.SCHEDULE) && settings.isGiven(PlanKeys.SEPARATION)) {
      if (settings.isGiven(PlanKeys.SEPARATION_SLOTS)) {
        throw settings.reject(
            PlanKeys.SEPARATION_SLOTS,
            "must be absent where " + PlanKeys.SEPARATION + " is given, but both are; remove one");
      }
      return new Apart(settings.get(PlanKeys.SEPARATION), 0);
    }
    long usual = mechanism.memory().filter(each -> each.size() > 0).isPresent()
        ? PlanKeys.USUAL_SEPARATION_SLOTS
        : 0;
    return new Apart(0, settings.find(PlanKeys.SEPARATION_SLOTS).orElse(usual));
  }
}
