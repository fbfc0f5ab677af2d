package dev.sotto.learner.participation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ParticipationTest {
  static Stream<Participation> rules() {
    return Stream.of(
        new Participation.Once(),
        new Participation.ById(),
        new Participation.Scheduled(new ContributionBound(3, 7)),
        new Participation.Scheduled(ContributionBound.EVERY_ROUND),
        new Participation.Budgeted(0.1),
        new Participation.Budgeted(Double.MIN_VALUE),
        new Participation.Budgeted(0.1, 17),
        new Participation.Budgeted(2, Long.MAX_VALUE));
  }

  @ParameterizedTest
  @MethodSource("rules")
  void readsBackWhatALedgerEntrySays(Participation rule) {
    assertThat(Participation.parse(rule.describe())).isEqualTo(rule);
  }

  /** As entries and fingerprints were before there were separations. */
  @Test
  void saysNothingOfASeparationOfOneRound() {
    assertThat(new Participation.Budgeted(2).describe()).isEqualTo("budgeted mu=0x1.0p1");
    assertThat(new Participation.Budgeted(2, 1).describe()).isEqualTo("budgeted mu=0x1.0p1");
    assertThat(new Participation.Budgeted(2, 3).describe())
        .isEqualTo("budgeted mu=0x1.0p1 separation=3");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "twice",
        "scheduled",
        "scheduled most=3",
        "scheduled most=x separation=1",
        "scheduled most=0 separation=1",
        "budgeted",
        "budgeted mu=-1",
        "budgeted mu=NaN",
        "budgeted mu=1 separation",
        "budgeted mu=1 separation=0",
        "budgeted mu=1 separation=x"
      })
  void refusesAnyOtherLine(String line) {
    assertThatIllegalArgumentException().isThrownBy(() -> Participation.parse(line));
  }

  @Test
  void readsGenerationsBackToo() {
    for (GenerationSchedule each : new GenerationSchedule[] {
      GenerationSchedule.NONE,
      new GenerationSchedule(GenerationSchedule.Kind.CONSTANT, 5),
      new GenerationSchedule(GenerationSchedule.Kind.DOUBLING, 1L << 30)
    }) {
      assertThat(GenerationSchedule.parse(each.describe())).isEqualTo(each);
    }
    for (String wrong : new String[] {"", "weekly 3", "constant", "constant 0", "doubling 2 3"}) {
      assertThatIllegalArgumentException().isThrownBy(() -> GenerationSchedule.parse(wrong));
    }
  }

  @Test
  void tellsHistoriesOnTheHeapApart() {
    InMemoryHistories histories = new InMemoryHistories();
    histories.put(new byte[] {1, 2}, new byte[] {3});
    assertThat(histories.get(new byte[] {1, 2})).containsExactly(3);
    assertThat(histories.get(new byte[] {1})).isNull();
  }
}
