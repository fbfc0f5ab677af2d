package dev.sotto.learner.description;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GuaranteeFiguresTest {
  @Test
  void roundsCostsUpAndWhatIsLeftDown() {
    assertThat(GuaranteeFigures.up(0.12345601, 6)).isEqualTo("0.123457");
    assertThat(GuaranteeFigures.up(1e-12, 8)).isEqualTo("0.00000001");
    assertThat(GuaranteeFigures.down(0.12345699, 6)).isEqualTo("0.123456");
    assertThat(GuaranteeFigures.down(1e-12, 6)).isEqualTo("0.000000");
    assertThat(GuaranteeFigures.upShort(12.345601, 6)).isEqualTo("12.3457");
    assertThat(GuaranteeFigures.downShort(0.99999999, 6)).isEqualTo("0.999999");
  }

  @Test
  void leavesRoundFiguresAlone() {
    assertThat(GuaranteeFigures.up(0.1, 6)).isEqualTo("0.100000");
    assertThat(GuaranteeFigures.down(0.3, 6)).isEqualTo("0.300000");
    assertThat(GuaranteeFigures.upShort(2.3, 6)).isEqualTo("2.3");
  }

  @Test
  void namesWhatIsNotFinite() {
    assertThat(GuaranteeFigures.up(Double.POSITIVE_INFINITY, 6)).isEqualTo("inf");
    assertThat(GuaranteeFigures.down(Double.NaN, 6)).isEqualTo("NaN");
  }
}
