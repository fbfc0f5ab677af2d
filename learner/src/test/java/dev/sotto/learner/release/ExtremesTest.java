package dev.sotto.learner.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sotto.learner.example.Example;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The clip holds where doubles run out of digits: subnormal norms, and factors that would be
 * subnormal.
 */
class ExtremesTest {
  @ParameterizedTest
  @CsvSource({
    "1.4e-15, 1e308, 0, 1",
    "1e-16, 4.9e-324, 4.9e-324, 1e308",
    "1e-12, 1e-320, 1e-320, 1.7e308",
    "1e-10, 1e308, 1e308, 1",
    "1e-300, 1e200, 1, 1e200",
    "1, 1e308, 1e308, -1",
    "1e200, 1e-310, 1e-310, 1.7e308",
  })
  void keepsTheClipWhateverTheSizes(double clip, double x, double y, double slope) {
    ClippedSum sum = new ClippedSum(Lattice.fit(clip, clip, 2, 1));
    Example example = new Example(2);
    example.add(0, x);
    example.add(1, y);
    sum.add(example, slope);
    assertThat(Math.hypot(sum.sum[0] / clip, sum.sum[1] / clip)).isLessThanOrEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1e-20, Double.NaN, Double.POSITIVE_INFINITY})
  void refusesAClipByItsOwnName(double clip) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Lattice.fit(clip, 4, 2, 1))
        .withMessage("clip must be positive and finite, but was " + clip);
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e300, 1e305})
  void refusesALatticeTooCoarseToRoundOn(double clip) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Lattice.fit(clip, clip, 2, 1))
        .withMessageContaining("lattice unit must be below 2^971");
  }
}
