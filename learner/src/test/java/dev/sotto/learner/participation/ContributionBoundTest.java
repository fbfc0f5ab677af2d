package dev.sotto.learner.participation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContributionBoundTest {
  @Test
  void fitsAsManyAsTheEarliestScheduleHolds() {
    for (long separation = 1; separation < 6; separation++) {
      for (long most = 1; most < 6; most++) {
        ContributionBound bound = new ContributionBound(most, separation);
        for (long rounds = 0; rounds < 30; rounds++) {
          long count = 0;
          for (long round = 1; round <= rounds && count < most; round += separation) {
            count++;
          }
          assertThat(bound.within(rounds)).isEqualTo(count);
        }
      }
    }
    assertThat(ContributionBound.EVERY_ROUND.within(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
    assertThat(ContributionBound.ONE.within(-1)).isZero();
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "1, 0", "-1, 1", "1, -1"})
  void refusesBoundsBelowOne(long most, long separation) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ContributionBound(most, separation))
        .withMessageContaining(most + " and " + separation);
  }
}
