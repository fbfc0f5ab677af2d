package dev.sotto.learner.mechanism.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.mechanism.BltParameterSets;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.PrefixMechanism;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class LowerBoundTest {
  @ParameterizedTest
  @CsvSource({"64, 2.0401", "1024, 2.9096", "16384, 3.7909", "1048576, 5.1146"})
  void hasTheBoundsOfThePage(long rounds, double bound) {
    assertThat(LowerBound.error(rounds)).isCloseTo(bound, within(5e-5));
  }

  @Test
  void addsUpTheSingularValuesOfPrefixSums() {
    DMatrixRMaj ones = new DMatrixRMaj(20, 20);
    for (int r = 0; r < 20; r++) {
      for (int i = 0; i <= r; i++) {
        ones.set(r, i, 1);
      }
    }
    var values = DecompositionFactory_DDRM.svd(20, 20, false, false, false);
    assertThat(values.decompose(ones)).isTrue();
    double sum = 0;
    for (double value : values.getSingularValues()) {
      sum += value;
    }
    assertThat(LowerBound.error(20)).isCloseTo(sum / 20, within(1e-12));
  }

  @Test
  void goesOnSmoothlyWhereItStopsSumming() {
    for (long rounds : new long[] {(1 << 16) + 1, 1 << 18, 1 << 20}) {
      double summed = LowerBound.summed(rounds, rounds) / rounds;
      assertThat(LowerBound.error(rounds)).isCloseTo(summed, within(1e-9 * summed));
    }
  }

  @ParameterizedTest
  @EnumSource
  void isBeatenByNoSet(BltParameterSets set) {
    PrefixMechanism blt = Mechanisms.blt(set.parameters());
    for (long rounds = 1; rounds < 1L << 40; rounds *= 2) {
      double error = blt.sensitivity(rounds) * Math.sqrt(blt.prefixVariance(rounds));
      assertThat(error).isGreaterThanOrEqualTo(LowerBound.error(rounds) * (1 - 1e-9));
      assertThat(SquareRoot.error(rounds))
          .isGreaterThanOrEqualTo(LowerBound.error(rounds) * (1 - 1e-9));
    }
  }
}
