package dev.sotto.learner.release;

import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.mechanism.PagedBytes;

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
    TreeSum tree = new TreeSum() {
      @Override
      void take(double[] leaf, byte[] digest, NoiseKey key) {
        throw new UnsupportedOperationException();
      }

      @Override
      long leaves() {
        return 1;
      }

      @Override
      void value(double[] into) {
        System.arraycopy(sum, 0, into, 0, sum.length);
      }

      @Override
      void restart() {
        throw new UnsupportedOperationException();
      }

      @Override
      PagedBytes state(int pageBytes) {
        throw new UnsupportedOperationException();
      }
    };
    return NoisySum.ofTree(1, tree, UNIT, 1);
  }
}
