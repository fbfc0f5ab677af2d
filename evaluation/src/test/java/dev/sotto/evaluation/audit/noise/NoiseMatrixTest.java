package dev.sotto.evaluation.audit.noise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.evaluation.audit.Plans;
import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.participation.ColumnDecay;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.training.Plan;
import dev.sotto.testing.Seed;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NoiseMatrixTest {
  private static final int ROUNDS = 70;

  private static Plan plan(Mechanisms mechanism, GenerationSchedule generations) {
    return Plans.plan(each -> {
      each.mechanism = mechanism.make();
      each.generations = generations;
    });
  }

  private static void goesThereAndBack(NoiseMatrix matrix) {
    NoiseColourer colourer = new NoiseColourer(matrix, 3);
    var whitener = matrix.whitener(3);
    SplittableRandom random = Seed.splittable(1);
    double[] noise = new double[3];
    double[] back = new double[3];
    double[] wanted = random.doubles(ROUNDS, -1, 1).toArray();
    double[] matched = matrix.matched(wanted);
    double byRows = 0;
    double bySums = 0;
    double before = 0;
    for (int t = 1; t <= ROUNDS; t++) {
      double[] white = random.doubles(3, -1, 1).toArray();
      colourer.colour(white, noise);
      colourer.colour(white, noise); // looking changes nothing
      whitener.white(noise, back);
      whitener.white(noise, back);
      assertThat(back).containsExactly(white, within(1e-12));
      colourer.advance(white);
      whitener.advance(noise);
      byRows += wanted[t - 1] * white[0];
      bySums += matched[t - 1] * (noise[0] - (matrix.isRestart(t) ? 0 : before));
      before = noise[0];
    }
    assertThat(bySums).isCloseTo(byRows, within(1e-11));
  }

  @ParameterizedTest
  @EnumSource
  void whitensWhatItColours(Mechanisms mechanism) {
    goesThereAndBack(NoiseMatrix.of(plan(mechanism, GenerationSchedule.NONE)));
    goesThereAndBack(NoiseMatrix.of(
        plan(mechanism, new GenerationSchedule(GenerationSchedule.Kind.DOUBLING, 5))));
  }

  /** docs/privacy.md, "Noise mechanisms": norms of rows and columns, as the mechanism states. */
  @ParameterizedTest
  @EnumSource
  void isTheMatrixOfTheLedger(Mechanisms mechanism) {
    Plan plan = plan(mechanism, GenerationSchedule.NONE);
    NoiseMatrix matrix = NoiseMatrix.of(plan);
    double unit = plan.mechanism().isPure() ? 2 : 1; // the variance of Laplace noise of scale 1
    double[][] rows = matrix.prefixRows(ROUNDS);
    double[] column = matrix.moved(new long[] {1}, ROUNDS);
    double squares = 0;
    for (int t = 1; t <= ROUNDS; t++) {
      assertThat(square(rows[t - 1]))
          .isCloseTo(
              plan.mechanism().ofPrefixes().orElseThrow().prefixVariance(t) / unit,
              within(1e-9 * ROUNDS));
      squares += column[t - 1] * column[t - 1];
      assertThat(Math.sqrt(squares)).isCloseTo(plan.mechanism().sensitivity(t), within(1e-9));
    }
  }

  /**
   * B C = A, the matrix of ones: what a participation moves, coloured, is what it adds to every
   * later prefix.
   */
  @ParameterizedTest
  @EnumSource
  void addsUpToPrefixSums(Mechanisms mechanism) {
    NoiseMatrix matrix = NoiseMatrix.of(
        plan(mechanism, new GenerationSchedule(GenerationSchedule.Kind.CONSTANT, 32)));
    double[] moved = matrix.moved(new long[] {3, 10, 40}, ROUNDS);
    var colourer = new NoiseColourer(matrix, 1);
    double[] prefix = new double[1];
    for (int t = 1; t <= ROUNDS; t++) {
      double[] row = {moved[t - 1]};
      colourer.colour(row, prefix);
      colourer.advance(row);
      int expected = t > 64 ? 0 : t >= 40 ? 1 : t > 32 ? 0 : t >= 10 ? 2 : t >= 3 ? 1 : 0;
      assertThat(prefix[0]).isCloseTo(expected, within(1e-9));
    }
  }

  /** Filters that were written from the definition apart from {@link Mechanism#matrix}. */
  private static ReferenceMatrix reference(Mechanisms mechanism) {
    return switch (mechanism) {
      case BINARY_TREE -> new TreeMatrix();
      case INDEPENDENT, LAPLACE -> new ToeplitzMatrix(ColumnDecay.NONE);
      case BLT -> new ToeplitzMatrix(mechanism.make().memory().orElseThrow());
    };
  }

  /** Entry by entry: column s is what a unit prefix from round s on becomes. */
  @ParameterizedTest
  @EnumSource
  void hasTheEntriesOfTheReference(Mechanisms mechanism) {
    double[][] entries = mechanism.make().matrix(ROUNDS);
    for (int s = 1; s <= ROUNDS; s++) {
      ReferenceMatrix.Whitener whitener = reference(mechanism).whitener(1);
      double[] entry = new double[1];
      for (int t = 1; t <= ROUNDS; t++) {
        double[] prefix = {t >= s ? 1 : 0};
        whitener.white(prefix, entry);
        whitener.advance(prefix);
        assertThat(entry[0]).isCloseTo(t >= s ? entries[t - 1][s - 1] : 0, within(1e-12));
      }
    }
  }

  /** The other way: row t of B is what white noise of one round adds to every prefix. */
  @ParameterizedTest
  @EnumSource
  void coloursNoiseAsTheReference(Mechanisms mechanism) {
    NoiseMatrix matrix = NoiseMatrix.of(plan(mechanism, GenerationSchedule.NONE));
    double[][] rows = matrix.prefixRows(ROUNDS);
    for (int s = 1; s <= ROUNDS; s++) {
      ReferenceMatrix.Colourer expected = reference(mechanism).colourer(1);
      NoiseColourer colourer = new NoiseColourer(matrix, 1);
      double[] noise = new double[1];
      double[] same = new double[1];
      for (int t = 1; t <= ROUNDS; t++) {
        double[] white = {t == s ? 1 : 0};
        expected.colour(white, noise);
        expected.advance(white);
        colourer.colour(white, same);
        colourer.advance(white);
        assertThat(same[0]).isCloseTo(noise[0], within(1e-12));
        assertThat(rows[t - 1][s - 1]).isCloseTo(noise[0], within(1e-12));
      }
    }
  }

  /** Rows are computed as they are needed; all the same where they are needed in another order. */
  @Test
  void hasTheSameRowsHoweverManyAreAsked() {
    Plan plan = plan(Mechanisms.BLT, GenerationSchedule.NONE);
    double[] all = NoiseMatrix.of(plan).moved(new long[] {1, 50, 130}, 300);
    NoiseMatrix matrix = NoiseMatrix.of(plan);
    assertThat(matrix.moved(new long[] {1, 50}, 60)).isEqualTo(Arrays.copyOf(all, 60));
    assertThat(matrix.moved(new long[] {1, 50, 130}, 300)).isEqualTo(all);
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
        .withMessageContaining("but the mechanism is none");
  }
}
