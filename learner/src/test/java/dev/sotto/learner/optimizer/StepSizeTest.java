package dev.sotto.learner.optimizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class StepSizeTest {
  @Test
  void decreasesAsTheRootOfTheRound() {
    StepSize steps = new StepSize.Decreasing(3);
    assertThat(steps.eta(1)).isEqualTo(3);
    assertThat(steps.eta(4)).isEqualTo(1.5);
    assertThat(steps.eta(1L << 62)).isEqualTo(3 * 0x1p-31);
  }

  @Test
  void staysWhereAHorizonIsDeclared() {
    StepSize steps = new StepSize.Fixed(3, 9);
    assertThat(steps.eta(1)).isEqualTo(1);
    assertThat(steps.eta(9)).isEqualTo(1);
    assertThat(steps.eta(1000)).isEqualTo(1);
  }

  @Test
  void refusesWhatIsNoStep() {
    for (double bad : new double[] {Double.NaN, 0, -1, Double.POSITIVE_INFINITY}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new StepSize.Decreasing(bad))
          .withMessage("scale must be positive and finite, but was " + bad);
      assertThatIllegalArgumentException().isThrownBy(() -> new StepSize.Fixed(bad, 9));
    }
    assertThatIllegalArgumentException().isThrownBy(() -> new StepSize.Fixed(1, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new StepSize.Decreasing(1).eta(0));
    assertThatIllegalArgumentException().isThrownBy(() -> new StepSize.Fixed(1, 9).eta(0));
  }
}
