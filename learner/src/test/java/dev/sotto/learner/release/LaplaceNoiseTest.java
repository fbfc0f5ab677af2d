package dev.sotto.learner.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.example.Example;
import dev.sotto.learner.key.KeyedNoise;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.mechanism.GradientNorm;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.PrefixMechanism;
import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.TestPlans;
import dev.sotto.testing.Seed;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LaplaceNoiseTest {
  private final PrefixMechanism laplace = Mechanisms.LAPLACE.make();

  @Test
  void countsParticipationsAsTheyAre() {
    assertThat(laplace.isPure()).isTrue();
    assertThat(laplace.norm()).isEqualTo(GradientNorm.L1);
    assertThat(laplace.memory()).isEmpty();
    assertThat(laplace.sensitivity(1)).isEqualTo(1);
    assertThat(laplace.sensitivity(1L << 40)).isEqualTo(1);
    assertThat(laplace.sensitivityLimit()).isEqualTo(1);
    // Nine participations cost nine times as much as one, not three times.
    assertThat(laplace.sensitivity(100, new ContributionBound(9, 7))).isEqualTo(9);
    assertThat(laplace.sensitivity(15, new ContributionBound(9, 7))).isEqualTo(3);
    assertThat(laplace.sensitivity(14, new ContributionBound(9, 7))).isEqualTo(2);
    assertThat(laplace.sensitivityLimit(new ContributionBound(9, 7))).isEqualTo(9);
    assertThat(laplace.sensitivityLimit(ContributionBound.EVERY_ROUND)).isInfinite();
    long odd = (1L << 53) + 1; // no double: never below it
    assertThat(laplace.sensitivity(odd, ContributionBound.EVERY_ROUND)).isGreaterThan(0x1p53);
    assertThat(laplace.prefixVariance(8)).isEqualTo(16);
    assertThat(laplace.incrementVariance()).isEqualTo(2);
    assertThat(Mechanisms.INDEPENDENT.make().norm()).isEqualTo(GradientNorm.L2);
  }

  @Test
  void keepsAPurePromiseInAPlan() {
    Plan plan = TestPlans.plan(b -> {
      b.mechanism = laplace;
      b.clip = 1;
      b.sigma = 4;
      b.adjacency = Adjacency.REPLACE_ONE;
    });
    assertThat(plan.lattice().norm()).isEqualTo(GradientNorm.L1);
    Guarantee guarantee = plan.guarantee(1000);
    assertThat(guarantee.epsilon()).isEqualTo(0.5); // 2 * 1 / 4
    assertThat(guarantee.delta()).isZero();
    assertThat(guarantee.epsilonLimit()).isEqualTo(0.5);
  }

  /**
   * Two participations in each of two generations cost four epsilons, not the root of 2^2 + 2^2.
   */
  @Test
  void addsUpOverGenerations() {
    Plan plan = TestPlans.plan(b -> {
      b.mechanism = laplace;
      b.clip = 1;
      b.sigma = 4;
      b.unit = PrivacyUnit.KEY;
      b.participation = new Participation.Scheduled(new ContributionBound(4, 1));
      b.generations = new GenerationSchedule(GenerationSchedule.Kind.CONSTANT, 2);
    });
    assertThat(plan.guarantee(1).epsilon()).isEqualTo(0.25);
    assertThat(plan.guarantee(3).epsilon()).isEqualTo(0.75);
    assertThat(plan.guarantee(4).epsilon()).isEqualTo(1);
    assertThat(plan.guarantee(400).epsilon()).isEqualTo(1);
    assertThat(plan.guarantee(400).epsilonLimit()).isEqualTo(1);
  }

  @Test
  void refusesSumsThatAreClippedInAnotherNorm() {
    Lattice l2 = Lattice.fit(1, 4, 3, 2);
    assertThatThrownBy(() -> Releaser.start(
            l2, laplace, 4, NoiseKey.of(new byte[32]), new byte[16], new byte[32], new double[3]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("l1")
        .hasMessageContaining("L2");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 17, 64, 1000, 5000})
  void keepsEveryVectorWithinTheClipInL1AfterRounding(int dimension) {
    Random random = Seed.random(dimension);
    Lattice lattice = Lattice.fit(1.0, 3.7, dimension, 10_000, GradientNorm.L1);
    for (int i = 0; i < Math.min(300, 60_000 / dimension); i++) {
      ClippedSum sum = new ClippedSum(lattice);
      double size = Math.pow(10, random.nextInt(-3, 4));
      double[] vector = random.doubles(dimension, -size, size).toArray();
      if (i % 3 == 0) { // all of one size: every coordinate may be rounded up
        double each = 1.0 / dimension + (random.nextInt(3) - 1) * lattice.unit() / 3;
        Arrays.setAll(vector, j -> random.nextBoolean() ? each : -each);
      }
      sum.add(vector);
      BigDecimal norm = BigDecimal.ZERO;
      boolean onLattice = true;
      for (double value : sum.sum) {
        onLattice &= value / lattice.unit() == Math.rint(value / lattice.unit());
        norm = norm.add(new BigDecimal(value).abs());
      }
      assertThat(onLattice).isTrue();
      assertThat(norm).isLessThanOrEqualTo(BigDecimal.ONE);
      double before = Arrays.stream(vector).map(Math::abs).sum();
      // What clipping leaves of a long vector is the clip itself, but for 2^-10 of it.
      assertThat(norm.doubleValue()).isCloseTo(Math.min(1, before), within(0x1p-10));
    }
  }

  @Test
  void clipsDenseAndSparseExamplesByTheirL1Norm() {
    Lattice lattice = Lattice.fit(2.0, 1.0, 4, 10, GradientNorm.L1);
    Example thin = new Example(4);
    thin.add(3, -6);
    thin.add(1, 2);
    Example wide = new Example(4);
    double[] values = wide.dense();
    Arrays.fill(values, 0, 4, 0);
    values[3] = -6;
    values[1] = 2;
    for (Example example : new Example[] {thin, wide}) {
      ClippedSum sum = new ClippedSum(lattice);
      sum.add(example, -0.5); // norm 4, cut to 2; in l2 it would be 3.16, cut to 2
      assertThat(sum.sum[3]).isCloseTo(1.5, within(1e-2));
      assertThat(sum.sum[1]).isCloseTo(-0.5, within(1e-2));
      ClippedSum short1 = new ClippedSum(lattice);
      short1.add(example, 0.125); // norm 1: as it is
      assertThat(short1.sum).containsExactly(0, 0.25, 0, -0.75);
    }
    ClippedSum broken = new ClippedSum(lattice);
    broken.add(new double[] {1e308, 1e308, 1e308, 1e308}); // its norm overflows
    broken.add(new double[] {Double.NaN, 0, 0, 0});
    thin.add(0, Double.NEGATIVE_INFINITY);
    broken.add(thin, 1);
    assertThat(broken.sum).containsOnly(0);
    assertThat(broken.slots()).isEqualTo(3);
  }

  @Test
  void fitsTheLatticeToTheScaleAndShowsTheArithmeticOfARefusal() {
    Lattice lattice = Lattice.fit(1, 5, 1000, 100, GradientNorm.L1);
    assertThat(lattice.unit()).isLessThanOrEqualTo(5 * 0x1p-20);
    assertThat(lattice.unit() * 1000 / 2).isLessThanOrEqualTo(0x1p-10); // what rounding takes
    assertThatThrownBy(() -> Lattice.fit(1, 1e7, 1 << 20, 100, GradientNorm.L1))
        .hasMessageContaining("sigma must be at most 2^40 lattice units");
    assertThatThrownBy(() -> Lattice.fit(1, 1, 1 << 20, 1L << 24, GradientNorm.L1))
        .hasMessageContaining("batch * clip must be below 2^53 lattice units")
        .hasMessageContaining((1L << 24) + " * 1.0 = ");
    assertThatThrownBy(() -> Lattice.fit(1, 1, (1 << 24) + 1, 1, GradientNorm.L1))
        .hasMessageContaining("dimension must be at most 2^24");
    assertThatThrownBy(() -> new Lattice(0.25, 1, 8, 1, GradientNorm.L1))
        .hasMessageContaining("leaves no room");
  }

  @Test
  void drawsLargeVectorsTheSameInAnyNumberOfThreads() {
    KeyedNoise noise = new KeyedNoise(NoiseKey.of(new byte[32]), 0x1p20);
    long[] parallel = new long[4096 * 9 + 17];
    noise.addLaplace(new byte[32], "p", 1, parallel, (from, to) -> {});
    long[] small = new long[4096 + 5];
    noise.addLaplace(new byte[32], "p", 1, small, (from, to) -> {});
    assertThat(Arrays.copyOf(small, 4096)).containsExactly(Arrays.copyOf(parallel, 4096));
    assertThat(Arrays.copyOfRange(small, 4096, 4101))
        .containsExactly(Arrays.copyOfRange(parallel, 4096, 4101));
    noise.addLaplace(new byte[32], "p", 2, small, (from, to) -> {});
    assertThat(small[0]).isNotEqualTo(2 * parallel[0]);
  }
}
