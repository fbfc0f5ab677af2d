package dev.sotto.evaluation.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.replay.ProgressiveScores;
import dev.sotto.testing.Seed;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ThinnedCurveTest {
  private static final int EVERY = 50;

  /** Points after every 50 of so many examples with these losses, and at the end. */
  private static List<CurvePoint> curve(double[] losses) {
    ThinnedCurve thinned = new ThinnedCurve();
    double sum = 0;
    for (int i = 1; i <= losses.length; i++) {
      sum += losses[i - 1];
      if (i % EVERY == 0 || i == losses.length) {
        thinned.add(new ProgressiveScores.Point(
            i, i / 64, i, new ProgressiveScores.Losses(sum / i, sum / i, 0.7), 0.5));
      }
    }
    return thinned.curve();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 49, 50, 51, 30_000, 30_050, 30_049, 123_457, 2_000_000})
  void keepsAnEvenCurveOfBoundedLengthToItsEnd(int examples) {
    double[] losses = Seed.random(1).doubles(examples, 0, 2).toArray();
    List<CurvePoint> curve = curve(losses);
    assertThat(curve).hasSizeBetween(Math.min(300, (examples + EVERY - 1) / EVERY), 601);
    assertThat(curve.get(curve.size() - 1).examples()).isEqualTo(examples);
    long step = curve.get(0).examples();
    for (int i = 0; i < curve.size() - 1; i++) {
      assertThat(curve.get(i).examples()).isEqualTo((i + 1) * step);
    }
    double[] sums = new double[examples + 1];
    for (int i = 0; i < examples; i++) {
      sums[i + 1] = sums[i] + losses[i];
    }
    long window = (examples + 19) / 20;
    for (CurvePoint point : curve) {
      int end = (int) point.examples();
      assertThat(point.loss()).isCloseTo(sums[end] / end, within(1e-9));
      // The window ends here and begins at a point: at the last one that lies a whole window back.
      int begin = (int) Math.max(0, (end - window) / step * step);
      assertThat(point.recentLoss())
          .isCloseTo((sums[end] - sums[begin]) / (end - begin), within(1e-6));
    }
  }

  @Test
  void isEmptyWithoutPoints() {
    assertThat(new ThinnedCurve().curve()).isEmpty();
  }
}
