package dev.sotto.app.audit.noise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.app.audit.Plans;
import dev.sotto.learner.privacy.Generations;
import dev.sotto.learner.release.Mechanisms;
import dev.sotto.learner.round.Plan;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NoiseMatrixTest {
  private static final int ROUNDS = 70;

  private static Plan plan(Mechanisms mechanism, Generations generations) {
    return Plans.plan(each -> {
      each.mechanism = mechanism.make();
      each.generations = generations;
    });
  }

  private static void goesThereAndBack(NoiseMatrix matrix) {
    var colourer = matrix.colourer(3);
    var whitener = matrix.whitener(3);
    SplittableRandom random = new SplittableRandom(1);
    double[] noise = new double[3];
    double[] back = new double[3];
    for (int t = 1; t <= ROUNDS; t++) {
      double[] white = random.doubles(3, -1, 1).toArray();
      colourer.colour(white, noise);
      colourer.colour(white, noise); // looking changes nothing
      whitener.white(noise, back);
      whitener.white(noise, back);
      assertThat(back).containsExactly(white, within(1e-12));
      colourer.advance(white);
      whitener.advance(noise);
    }
  }

  @ParameterizedTest
  @EnumSource
  void whitensWhatItColours(Mechanisms mechanism) {
    goesThereAndBack(NoiseMatrix.of(plan(mechanism, Generations.NONE)));
    goesThereAndBack(
        NoiseMatrix.of(plan(mechanism, new Generations(Generations.Kind.DOUBLING, 5))));
  }

  /** privacy.md section 4: the norms of its rows and columns, as the mechanism states them. */
  @ParameterizedTest
  @EnumSource
  void isTheMatrixOfTheLedger(Mechanisms mechanism) {
    Plan plan = plan(mechanism, Generations.NONE);
    NoiseMatrix matrix = NoiseMatrix.of(plan);
    double unit = plan.mechanism().isPure() ? 2 : 1; // the variance of Laplace noise of scale 1
    double[][] rows = matrix.prefixRows(ROUNDS);
    double[] column = matrix.moved(new long[] {1}, ROUNDS);
    double squares = 0;
    for (int t = 1; t <= ROUNDS; t++) {
      assertThat(square(rows[t - 1]))
          .isCloseTo(plan.mechanism().prefixVariance(t) / unit, within(1e-9 * ROUNDS));
      squares += column[t - 1] * column[t - 1];
      if (plan.mechanism().name().equals("binary-tree-honaker")) { // charged for more than it shows
        assertThat(Math.sqrt(squares)).isLessThanOrEqualTo(plan.mechanism().sensitivity(t) + 1e-9);
      } else {
        assertThat(Math.sqrt(squares)).isCloseTo(plan.mechanism().sensitivity(t), within(1e-9));
      }
    }
  }

  /** B C = A, the matrix of ones: what a participation moves, coloured, is what it adds to every later prefix. */
  @ParameterizedTest
  @EnumSource
  void addsUpToPrefixSums(Mechanisms mechanism) {
    NoiseMatrix matrix =
        NoiseMatrix.of(plan(mechanism, new Generations(Generations.Kind.CONSTANT, 32)));
    double[] moved = matrix.moved(new long[] {3, 10, 40}, ROUNDS);
    var colourer = matrix.colourer(1);
    double[] prefix = new double[1];
    for (int t = 1; t <= ROUNDS; t++) {
      double[] row = {moved[t - 1]};
      colourer.colour(row, prefix);
      colourer.advance(row);
      int expected = t > 64 ? 0 : t >= 40 ? 1 : t > 32 ? 0 : t >= 10 ? 2 : t >= 3 ? 1 : 0;
      assertThat(prefix[0]).isCloseTo(expected, within(1e-9));
    }
  }

  /** Honaker (2015): a block of 2^h rounds has the variance 1 / (2 - 2^-h); and it colours what it whitens. */
  @Test
  void estimatesBlocksAsHonakerDoes() {
    NoiseMatrix matrix = new HonakerMatrix();
    double[][] rows = matrix.prefixRows(ROUNDS);
    for (int t = 1; t <= ROUNDS; t++) {
      double variance = 0;
      for (int left = t; left > 0; left -= Integer.lowestOneBit(left)) {
        variance += 1 / (2 - 1.0 / Integer.lowestOneBit(left));
      }
      assertThat(square(rows[t - 1])).isCloseTo(variance, within(1e-12));
    }
    // The third prefix is the second, of two leaves and their block, and a leaf of its own.
    assertThat(dot(rows[2], rows[1])).isCloseTo(2 / 3.0, within(1e-12));
    assertThat(dot(rows[1], rows[0])).isCloseTo(1 / 3.0, within(1e-12));
    goesThereAndBack(matrix);
    double[] column = matrix.moved(new long[] {1}, ROUNDS);
    assertThat(square(column)).isBetween(1.0, 7.0); // of 7 sizes of nodes up to 64
  }

  private static double dot(double[] one, double[] other) {
    double sum = 0;
    for (int i = 0; i < one.length; i++) {
      sum += one[i] * other[i];
    }
    return sum;
  }

  private static double square(double[] row) {
    double sum = 0;
    for (double each : row) {
      sum += each * each;
    }
    return sum;
  }

  @Test
  void knowsNoMatrixOfNoNoise() {
    Plan plan = Plans.plan(each -> {
      each.mechanism = Mechanisms.noneForPublicData();
      each.epsilon = Double.POSITIVE_INFINITY;
    });
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NoiseMatrix.of(plan))
        .withMessageContaining("does not know the mechanism none");
  }
}
