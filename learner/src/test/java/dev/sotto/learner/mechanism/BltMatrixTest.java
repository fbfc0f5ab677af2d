package dev.sotto.learner.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.key.KeyedNoise;
import dev.sotto.learner.key.NoiseKey;
import java.nio.ByteBuffer;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The noiseState and the closed forms against matrices written out (docs/development/figures.md,
 * "BLT").
 */
class BltMatrixTest {
  private static final int ROUNDS = 64;
  private static final int LONG = 1024;

  /** R_1..R_n of a noiseState that is fed these draws, as its state holds them. */
  private static double[] prefixes(BltParameters set, double[] draws) {
    BltNoiseState noiseState = new BltNoiseState(set);
    noiseState.open(1);
    double[] prefixes = new double[draws.length];
    for (int t = 0; t < draws.length; t++) {
      noiseState.step(0, new double[] {draws[t]}, 1, new long[1]);
      ByteBuffer state = ByteBuffer.wrap(noiseState.state());
      prefixes[t] = state.getDouble(state.capacity() - 8);
    }
    return prefixes;
  }

  private static double[] changes(double[] prefixes) {
    double[] changes = new double[prefixes.length];
    for (int t = 0; t < prefixes.length; t++) {
      changes[t] = prefixes[t] - (t == 0 ? 0 : prefixes[t - 1]);
    }
    return changes;
  }

  private static double[] impulse(int rounds) {
    double[] draws = new double[rounds];
    draws[0] = 1;
    return draws;
  }

  @Test
  void walksTheColumnAndTheRowOfThePage() {
    double[] row = prefixes(BltParameterSets.HORIZON_2_10_X3.parameters(), impulse(5));
    double[] column = changes(row);
    double[] b = {1, 0.5236242199093125, 0.3567513358003160, 0.2920307152894220, 0.2615157338919796
    };
    double[] inverse = {
      1, -0.4763757800906875, -0.1668728841089965, -0.0647206205108939, -0.0305149813974424
    };
    for (int k = 0; k < 5; k++) {
      assertThat(row[k]).isCloseTo(b[k], within(1e-15));
      assertThat(column[k]).isCloseTo(inverse[k], within(1e-15));
    }
  }

  @ParameterizedTest
  @EnumSource
  void walksTheInverseOfC(BltParameterSets each) {
    BltParameters set = each.parameters();
    Toeplitz c = Toeplitz.of(set, LONG);
    double[] row = prefixes(set, impulse(LONG));
    double[] column = changes(row);
    double[] substituted = c.inverse();
    BltInverse inverse = set.inverse();
    for (int k = 0; k < LONG; k++) {
      assertThat(column[k]).isCloseTo(substituted[k], within(1e-14));
      assertThat(inverse.coefficient(k)).isCloseTo(substituted[k], within(1e-14));
      assertThat(inverse.prefixCoefficient(k)).isPositive().isCloseTo(row[k], within(1e-14));
      assertThat(set.coefficient(k)).isCloseTo(c.column()[k], within(1e-14));
    }
  }

  @ParameterizedTest
  @EnumSource
  void factorsTheMatrixOfOnes(BltParameterSets each) {
    BltParameters set = each.parameters();
    double[] walked = prefixes(set, impulse(ROUNDS));
    DMatrixRMaj c = new DMatrixRMaj(ROUNDS, ROUNDS);
    DMatrixRMaj b = new DMatrixRMaj(ROUNDS, ROUNDS);
    DMatrixRMaj closed = new DMatrixRMaj(ROUNDS, ROUNDS);
    for (int r = 0; r < ROUNDS; r++) {
      for (int i = 0; i <= r; i++) {
        c.set(r, i, set.coefficient(r - i));
        b.set(r, i, walked[r - i]);
        closed.set(r, i, set.inverse().prefixCoefficient(r - i));
      }
    }
    for (DMatrixRMaj left : new DMatrixRMaj[] {b, closed}) {
      DMatrixRMaj ones = CommonOps_DDRM.mult(left, c, null);
      for (int r = 0; r < ROUNDS; r++) {
        for (int i = 0; i < ROUNDS; i++) {
          assertThat(ones.get(r, i)).isCloseTo(i <= r ? 1 : 0, within(1e-14));
        }
      }
    }
  }

  /** C zhat = z, of what the noiseState gives out: whole units, so up to one unit a round is missing. */
  @ParameterizedTest
  @EnumSource
  void takesBackWhatCSays(BltParameterSets each) {
    BltParameters set = each.parameters();
    double sigma = 0x1p40;
    KeyedNoise noise = new KeyedNoise(NoiseKey.of(new byte[32]), sigma);
    BltNoiseState noiseState = new BltNoiseState(set);
    double[][] draws = new double[ROUNDS][2];
    double[][] given = new double[2][ROUNDS];
    for (int t = 0; t < ROUNDS; t++) {
      byte[] digest = ByteBuffer.allocate(32).putInt(t).array();
      double[] draw = draws[t];
      noise.draw(digest, "blt", t + 1, 2, (from, z, length) -> System.arraycopy(z, 0, draw, 0, 2));
      long[] step = new long[2];
      noiseState.advance(t + 1, digest, noise, step);
      given[0][t] = step[0];
      given[1][t] = step[1];
    }
    for (int i = 0; i < 2; i++) {
      double[] product = Toeplitz.of(set, ROUNDS).times(given[i]);
      for (int t = 0; t < ROUNDS; t++) {
        assertThat(product[t] / sigma).isCloseTo(draws[t][i] / sigma, within(1e-10));
      }
    }
  }
}
