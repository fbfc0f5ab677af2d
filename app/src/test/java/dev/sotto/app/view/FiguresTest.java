package dev.sotto.app.view;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FiguresTest {
  @Test
  void roundsCostsUpAndWhatIsLeftDown() {
    assertThat(Figures.up(0.12345601, 6)).isEqualTo("0.123457");
    assertThat(Figures.up(1e-12, 8)).isEqualTo("0.00000001");
    assertThat(Figures.down(0.12345699, 6)).isEqualTo("0.123456");
    assertThat(Figures.down(1e-12, 6)).isEqualTo("0.000000");
    assertThat(Figures.upShort(12.345601, 6)).isEqualTo("12.3457");
    assertThat(Figures.downShort(0.99999999, 6)).isEqualTo("0.999999");
  }

  @Test
  void leavesRoundFiguresAlone() {
    assertThat(Figures.up(0.1, 6)).isEqualTo("0.100000");
    assertThat(Figures.down(0.3, 6)).isEqualTo("0.300000");
    assertThat(Figures.upShort(2.3, 6)).isEqualTo("2.3");
  }

  @Test
  void namesWhatIsNotFinite() {
    assertThat(Figures.up(Double.POSITIVE_INFINITY, 6)).isEqualTo("inf");
    assertThat(Figures.down(Double.NaN, 6)).isEqualTo("NaN");
  }
}
