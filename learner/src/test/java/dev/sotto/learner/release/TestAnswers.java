package dev.sotto.learner.release;

import dev.sotto.learner.key.NoiseKey;
import java.util.List;

/** Answers with chosen values, for tests of what is told them. */
public final class TestAnswers {
  private static final double UNIT = 0x1p-44;

  private TestAnswers() {}

  /** Of a query of one slot. */
  public static NoisySum ofQuery(double... mean) {
    long[] units = new long[mean.length];
    for (int i = 0; i < mean.length; i++) {
      units[i] = Math.round(mean[i] / UNIT);
    }
    return NoisySum.ofQuery(1, units, UNIT, 1);
  }

  /** Of a tree with leaves of one slot. */
  public static NoisySum ofTree(double... sum) {
    TreeSum tree = new TreeSum(new Lattice(UNIT, 1, sum.length, 1), 0, 1) {
      @Override
      List<double[]> rows(boolean anew) {
        throw new UnsupportedOperationException();
      }

      @Override
      void add(double[] leaf, byte[] digest, NoiseKey key) {
        throw new UnsupportedOperationException();
      }

      @Override
      void value(double[] into) {
        System.arraycopy(sum, 0, into, 0, sum.length);
      }

      @Override
      void restart() {
        throw new UnsupportedOperationException();
      }
    };
    return NoisySum.ofTree(1, tree, UNIT, 1);
  }
}
