package dev.sotto.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.config.settings.GuaranteeLevel;
import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.PlanKeys;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How far apart the rounds of a unit are, out of slots. */
class UnitSeparationTest {
  private static final String SLOTS = "privacy.contribution.separation.slots";
  private static final String BUDGETED = """
      app.id: test
      bootstrap.servers: localhost:9092
      events.topic: events
      features.numeric.x: {field: x, min: -1, max: 1}
      label.field: y
      loss: logistic
      unit.from: key
      privacy:
        unit: key
        epsilon: 2
        delta: 1e-6
      noise.key.env: SOTTO_NOISE_KEY
      """;
  private static final String[] SCHEDULED = {
    "privacy.contribution=schedule", "privacy.contribution.most=8", "batch.size=64"
  };

  private static Plan plan(String... flags) {
    return SottoConfig.load(Texts.source(BUDGETED).withFlags(List.of(flags)))
        .learner()
        .plan();
  }

  private static Plan scheduled(String... flags) {
    String[] all = Arrays.copyOf(SCHEDULED, SCHEDULED.length + flags.length);
    System.arraycopy(flags, 0, all, SCHEDULED.length, flags.length);
    return plan(all);
  }

  private static long separation(Plan plan) {
    return plan.participation() instanceof Participation.Budgeted budgeted
        ? budgeted.separation()
        : ((Participation.Scheduled) plan.participation()).bound().separation();
  }

  @ParameterizedTest
  @CsvSource({
    "none, 64, 1",
    "0, 64, 1",
    "1, 64, 1",
    "64, 64, 1",
    "65, 64, 2",
    "1000, 64, 16",
    "1000, 1, 1000",
    "1000, 4096, 1",
    "1099511627776, 1, 1099511627776",
    "1099511627776, 4096, 268435456"
  })
  void takesAsManyRoundsAsHoldTheSlots(String slots, long batch, long rounds) {
    assertThat(separation(plan(SLOTS + "=" + slots, "batch.size=" + batch))).isEqualTo(rounds);
    assertThat(separation(scheduled(SLOTS + "=" + slots, "batch.size=" + batch)))
        .isEqualTo(rounds);
  }

  /** The noise is that of so many rounds so far apart: one more would not be admitted. */
  @ParameterizedTest
  @ValueSource(strings = {"none", "100", "1000", "100000"})
  void makesTheNoiseForRoundsThatLieApart(String slots) {
    for (long rounds : new long[] {1, 2, 8}) {
      Plan plan =
          plan(SLOTS + "=" + slots, "batch.size=16", "privacy.contribution.rounds=" + rounds);
      assertThat(plan.account().roundsInARow(100)).isEqualTo(rounds);
    }
    double near = plan(SLOTS + "=none", "batch.size=16").sigma();
    double apart = plan(SLOTS + "=" + slots, "batch.size=16").sigma();
    assertThat(apart <= near).isTrue();
    assertThat(apart < near).isEqualTo(!slots.equals("none"));
  }

  /** Rounds of a unit follow from its public number of records, unless somebody chose them. */
  @ParameterizedTest
  @CsvSource({"1, 1", "2, 2", "7, 2", "8, 3", "29, 3", "30, 4", "99, 4", "100, 8", "100000, 8"})
  void roundsFollowFromTheRecordsOfAUnit(long records, long rounds) {
    String known = "privacy.contribution.records=" + records;
    assertThat(plan(known).account().roundsInARow(100)).isEqualTo(rounds);
    assertThat(plan(known, "privacy.contribution.rounds=5").account().roundsInARow(100))
        .isEqualTo(5);
    assertThat(PlanKeys.usualParticipations(OptionalLong.of(records), false))
        .as("where ranges are measured")
        .isEqualTo(Math.min(3, rounds));
  }

  @Test
  void isOnByDefaultWhereRoundsCostMoreTheNearerTheyAre() {
    Plan usual = plan("batch.size=16");
    assertThat(separation(usual)).isEqualTo((PlanKeys.USUAL_SEPARATION_SLOTS + 15) / 16);
    assertThat(usual.account().roundsInARow(100)).isEqualTo(PlanKeys.USUAL_PARTICIPATIONS);
    assertThat(separation(plan("batch.size=16", "privacy.mechanism=independent")))
        .isEqualTo(1);
    assertThat(separation(scheduled())).isEqualTo((PlanKeys.USUAL_SEPARATION_SLOTS + 63) / 64);
    assertThat(scheduled("privacy.contribution.separation=3").participation())
        .isEqualTo(new Participation.Scheduled(new ContributionBound(8, 3)));
    assertThat(separation(scheduled("privacy.mechanism=binary-tree", "privacy.horizon.rounds=500")))
        .isEqualTo(1);
  }

  /** A plan without separation is that of before there was any, to the last bit of its run id. */
  @Test
  void leavesPlansWithoutSeparationAsTheyWere() {
    Plan plan = plan(SLOTS + "=none", "batch.size=64", "privacy.contribution.rounds=8");
    assertThat(plan.terms().participation())
        .isEqualTo("budgeted mu=" + Double.toHexString(plan.budget().muLimit()))
        .doesNotContain("separation");
    assertThat(plan.fingerprint())
        .isEqualTo(plan(SLOTS + "=64", "batch.size=64", "privacy.contribution.rounds=8")
            .fingerprint());
    assertThat(plan.fingerprint())
        .isNotEqualTo(plan(SLOTS + "=65", "batch.size=64", "privacy.contribution.rounds=8")
            .fingerprint());
    assertThat(plan(SLOTS + "=65", "batch.size=64").terms().participation())
        .endsWith(" separation=2");
  }

  /** Larger rounds hold the slots in fewer rounds, which need more noise, which suits them. */
  @ParameterizedTest
  @CsvSource({"0.5", "2", "16"})
  void choosesTheSizeOfRoundsByTheNoiseThatGoesWithIt(String epsilon) {
    for (String slots : List.of("none", "1000", "1000000")) {
      String[] flags = {"privacy.epsilon=" + epsilon, SLOTS + "=" + slots};
      Plan auto = plan(flags);
      Plan same = plan(flags[0], flags[1], "batch.size=" + auto.batch());
      assertThat(auto.fingerprint()).isEqualTo(same.fingerprint());
      Plan twice = plan(flags[0], flags[1], "batch.size=" + 2 * auto.batch());
      assertThat(suits(auto) || auto.batch() == 8).isTrue();
      assertThat(suits(twice) && twice.batch() <= 1024).isFalse();
    }
  }

  /** docs/private-ftrl.md: B <= s / (2 c beta) = 4 s with the logistic loss, over 2^20 slots. */
  private static boolean suits(Plan plan) {
    long rounds = ((1L << 20) + plan.batch() - 1) / plan.batch();
    return plan.batch()
        <= 4
            * plan.sigma()
            * Math.sqrt(plan.mechanism().ofPrefixes().orElseThrow().prefixVariance(rounds));
  }

  @Test
  void keepsTheSeparationWhereOnlyTheNoiseIsTakenOff() {
    Plan plan = SottoConfig.load(Texts.source(BUDGETED)
            .withFlags(List.of(SLOTS + "=1000", "batch.size=100"))
            .withGuarantee(GuaranteeLevel.BOUNDING))
        .learner()
        .plan();
    assertThat(separation(plan)).isEqualTo(10);
  }

  @Test
  void separatesBesideNoiseOfChoiceToo() {
    Plan plan = plan(SLOTS + "=1000", "batch.size=100", "privacy.noise.multiplier=60");
    assertThat(separation(plan)).isEqualTo(10);
    assertThat(plan.sigma()).isEqualTo(60 * 0.75);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SLOTS=-1|SLOTS|must be a whole number from 0 to 2^40, or none, but was -1",
        "SLOTS=few|SLOTS|must be a whole number from 0 to 2^40, or none, but was few",
        "SLOTS=1.5|SLOTS|must be a whole number from 0 to 2^40, or none, but was 1.5",
        "SLOTS=1099511627777|SLOTS|must be a whole number from 0 to 2^40",
        "SLOTS=5,privacy.unit=record,unit.from=none|SLOTS|it needs privacy.unit key",
        "privacy.contribution.separation=5|privacy.contribution.separation|it needs privacy.contribution schedule",
        "SLOTS=5,privacy.contribution=schedule,privacy.contribution.most=2,privacy.contribution.separation=5|SLOTS|must be absent where privacy.contribution.separation is given",
        "SLOTS=5,layout=rounds|privacy.unit|must be record with layout rounds",
      })
  void refusesWhatDoesNotFitTogether(String flags, String key, String rule) {
    String[] all = flags.replace("SLOTS", SLOTS).split(",");
    assertThatThrownBy(() -> plan(all))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(key.replace("SLOTS", SLOTS))
        .hasMessageContaining(rule);
  }
}
