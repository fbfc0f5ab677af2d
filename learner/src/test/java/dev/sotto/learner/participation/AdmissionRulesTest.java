package dev.sotto.learner.participation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sotto.testing.Seed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every rule of admission promises. */
class AdmissionRulesTest {
  private static final GenerationSchedule RESTARTS =
      new GenerationSchedule(GenerationSchedule.Kind.DOUBLING, 8);
  private static final ColumnDecay MEMORY =
      Memories.of(new double[] {.25, .125}, new double[] {.75, .5});

  /**
   * One of each rule, with the bytes of its history once it was admitted in rounds 2 and 5. The
   * budgeted unit has then spent 12601/16384 and carries h = 91/64 and 9/8, a few last digits
   * aside.
   */
  private enum Rule {
    FIRST_OF_ID("01"),
    SCHEDULED("02" + "789245ee" + "0000000000000005" + "0000000000000002"),
    BUDGETED("03" + "a477b4a8" + "0000000000000005" + "3fe89c8000000026" + "3ff6c0000000000a"
        + "3ff2000000000007");

    private final String bytes;

    Rule(String bytes) {
      this.bytes = bytes;
    }

    Admission make() {
      return make(RESTARTS);
    }

    Admission make(GenerationSchedule generations) {
      return switch (this) {
        case FIRST_OF_ID -> AdmissionRules.firstOfId();
        case SCHEDULED -> AdmissionRules.scheduled(new ContributionBound(3, 2), generations);
        case BUDGETED ->
          AdmissionRules.budgeted(new Participation.Budgeted(2), MEMORY, generations, .25, .0625);
      };
    }

    byte[] history() {
      byte[] first = make().admit(null, 2);
      byte[] second = make().admit(first, 5);
      return second == null ? first : second;
    }
  }

  @ParameterizedTest
  @EnumSource(Rule.class)
  void writesItsHistoriesAsVersionOneDid(Rule rule) {
    assertThat(HexFormat.of().formatHex(rule.history())).isEqualTo(rule.bytes);
  }

  @ParameterizedTest
  @EnumSource(Rule.class)
  void decidesByTheUnitsOwnHistoryAndTheRoundsAlone(Rule rule) {
    Random random = Seed.random(1);
    int units = 20;
    List<List<Long>> arrivals = new ArrayList<>();
    List<List<byte[]>> together = new ArrayList<>();
    byte[][] histories = new byte[units][];
    for (int unit = 0; unit < units; unit++) {
      arrivals.add(new ArrayList<>());
      together.add(new ArrayList<>());
    }
    Admission shared = rule.make();
    for (long round = 1; round < 100; round++) {
      for (int i = 0; i < 6; i++) {
        int unit = random.nextInt(units);
        byte[] before = histories[unit] == null ? null : histories[unit].clone();
        byte[] after = shared.admit(histories[unit], round);
        assertThat(histories[unit]).isEqualTo(before);
        histories[unit] = after == null ? histories[unit] : after;
        arrivals.get(unit).add(round);
        together.get(unit).add(after);
      }
    }
    for (int unit = 0; unit < units; unit++) {
      byte[] history = null;
      for (int i = 0; i < arrivals.get(unit).size(); i++) {
        byte[] after = rule.make().admit(history, arrivals.get(unit).get(i));
        assertThat(after).isEqualTo(together.get(unit).get(i));
        history = after == null ? history : after;
      }
      assertThat(history).isEqualTo(histories[unit]);
    }
  }

  @ParameterizedTest
  @EnumSource(Rule.class)
  void admitsOnceInARound(Rule rule) {
    for (long round : new long[] {1, 9, Long.MAX_VALUE}) {
      byte[] history = rule.make().admit(null, round);
      assertThat(history).isNotNull();
      assertThat(rule.make().admit(history, round)).isNull();
    }
  }

  @ParameterizedTest
  @EnumSource(Rule.class)
  void refusesRoundsBelowOne(Rule rule) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rule.make().admit(null, 0))
        .withMessage("rounds count from 1, but round was 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rule.make().admit(rule.history(), 0))
        .withMessage("rounds count from 1, but round was 0");
  }

  @ParameterizedTest
  @EnumSource(Rule.class)
  void refusesHistoriesOfOtherRules(Rule rule) {
    for (Rule other : Rule.values()) {
      if (other != rule) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> rule.make().admit(other.history(), 90))
            .withMessageStartingWith("a history of the rule '");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Rule.class)
  void refusesHistoriesThatWereCutOrGrew(Rule rule) {
    byte[] history = rule.history();
    for (int length = 0; length < history.length + 20; length++) {
      byte[] other = Arrays.copyOf(history, length);
      if (length != history.length) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> rule.make().admit(other, 90))
            .withMessageContaining("bytes");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Rule.class)
  void refusesAHistoryWithAnyBitFlipped(Rule rule) {
    byte[] history = rule.history();
    for (int bit = 0; bit < 8 * history.length; bit++) {
      byte[] damaged = history.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      assertThatIllegalArgumentException().isThrownBy(() -> rule.make().admit(damaged, 90));
    }
  }

  @ParameterizedTest
  @EnumSource(value = Rule.class, mode = EnumSource.Mode.EXCLUDE, names = "FIRST_OF_ID")
  void refusesHistoriesOfLaterRoundsAndOtherPlans(Rule rule) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rule.make().admit(rule.history(), 4))
        .withMessageContaining("goes on after round 4");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rule.make(GenerationSchedule.NONE).admit(rule.history(), 90))
        .withMessageContaining("damaged or was written under another plan");
  }

  @Test
  void refusesBooksKeptAtOtherPrices() {
    byte[] history = Rule.BUDGETED.history();
    ColumnDecay other = Memories.of(new double[] {.25, .125}, new double[] {.75, .25});
    var rule = new Participation.Budgeted(2);
    for (Admission filter : List.of(
        AdmissionRules.budgeted(rule, other, RESTARTS, .25, .0625),
        AdmissionRules.budgeted(rule, MEMORY, RESTARTS, .125, .0625),
        AdmissionRules.budgeted(rule, MEMORY, RESTARTS, .25, 0))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> filter.admit(history, 90))
          .withMessageContaining("another plan");
    }
    // a book says what was spent, whatever may be spent
    var richer = new Participation.Budgeted(3);
    assertThat(AdmissionRules.budgeted(richer, MEMORY, RESTARTS, .25, .0625).admit(history, 90))
        .isNotNull();
  }

  @Test
  void namesNothingOfAUnitInItsMessages() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Rule.SCHEDULED.make().admit(Rule.SCHEDULED.history(), 4))
        .withMessage("the history of the rule 'scheduled' goes on after round 4, which is being"
            + " filled");
  }
}
