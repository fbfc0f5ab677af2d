package dev.sotto.evaluation.audit.noise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.evaluation.audit.statistics.TailProbability;
import dev.sotto.testing.Seed;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class NoiseDistributionTest {
  static Stream<NoiseDistribution> laws() {
    return Stream.of(new NoiseDistribution.Gaussian(3), new NoiseDistribution.Laplace(3));
  }

  @ParameterizedTest
  @MethodSource("laws")
  void drawsWhatItDescribes(NoiseDistribution law) {
    SplittableRandom random = Seed.splittable(1);
    int count = 200_000;
    double size = 0;
    double squares = 0;
    double scores = 0;
    double fourth = 0;
    for (int i = 0; i < count; i++) {
      double draw = law.draw(random);
      double score = law.normalScore(draw);
      size += law.size(draw);
      squares += draw * draw;
      scores += score * score;
      fourth += score * score * score * score;
    }
    // 1e-6 on either side, exactly; and 5 errors of means of squares, whose excess is at most 20.
    assertThat(law.chanceOfSize(size, count)).isGreaterThan(1e-6);
    assertThat(size / count).isCloseTo(law.expected(), within(0.02 * law.expected()));
    double variance = law.deviation() * law.deviation();
    assertThat(squares / count).isCloseTo(variance, within(5 * Math.sqrt(5.0 / count) * variance));
    assertThat(scores / count).isCloseTo(1, within(5 * Math.sqrt(2.0 / count)));
    assertThat(fourth / count).isCloseTo(3, within(5 * Math.sqrt(96.0 / count)));
    assertThat(law.chanceOfSize(1.02 * count * law.expected(), count)).isLessThan(1e-6);
  }

  @Test
  void weighsEvidenceByTheDensity() {
    var gaussian = new NoiseDistribution.Gaussian(2);
    assertThat(gaussian.evidence(3, 1))
        .isCloseTo((9 - 4) / (2 * 4.0), within(1e-12)); // (x^2 - (x-1)^2) / 2 sigma^2
    var laplace = new NoiseDistribution.Laplace(2);
    assertThat(laplace.evidence(3, 1)).isCloseTo(0.5, within(1e-8));
    assertThat(laplace.evidence(-3, 1)).isCloseTo(-0.5, within(1e-8));
    assertThat(laplace.evidence(0.25, 1)).isCloseTo(-0.25, within(1e-8));
    assertThat(laplace.evidence(4, 1)).isGreaterThan(laplace.evidence(3, 1)); // in order
  }

  @Test
  void putsLaplaceTailsWhereNormalOnesAre() {
    var laplace = new NoiseDistribution.Laplace(1);
    double x = 12;
    double tail = 0.5 * StrictMath.exp(-x);
    assertThat(TailProbability.normal(laplace.normalScore(x))).isCloseTo(tail, within(1e-9 * tail));
    assertThat(laplace.normalScore(-x)).isEqualTo(-laplace.normalScore(x));
    assertThat(laplace.normalScore(0)).isZero();
  }
}
