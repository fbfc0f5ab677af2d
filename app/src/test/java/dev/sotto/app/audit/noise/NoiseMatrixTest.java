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

  private static void goesThereAndBack(Plan plan) {
    NoiseMatrix matrix = NoiseMatrix.of(plan);
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
    goesThereAndBack(plan(mechanism, Generations.NONE));
    goesThereAndBack(plan(mechanism, new Generations(Generations.Kind.DOUBLING, 5)));
  }

  /** privacy.md section 4: the norms of its rows and columns, as the mechanism states them. */
  @ParameterizedTest
  @EnumSource
  void isTheMatrixOfTheLedger(Mechanisms mechanism) {
    Plan plan = plan(mechanism, Generations.NONE);
    NoiseMatrix matrix = NoiseMatrix.of(plan);
    double[][] rows = matrix.prefixRows(ROUNDS);
    double[] column = matrix.moved(new long[] {1}, ROUNDS);
    double squares = 0;
    for (int t = 1; t <= ROUNDS; t++) {
      assertThat(square(rows[t - 1]))
          .isCloseTo(plan.mechanism().prefixVariance(t), within(1e-9 * ROUNDS));
      squares += column[t - 1] * column[t - 1];
      assertThat(Math.sqrt(squares))
          .isCloseTo(plan.mechanism().sensitivity(t), within(1e-9));
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
