package dev.sotto.learner.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.key.KeyedNoise;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.testing.Seed;
import java.util.Arrays;
import java.util.List;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.ejml.dense.row.NormOps_DDRM;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MechanismsTest {
  private static final int ROUNDS = 70;

  private static byte[] digest(long round) {
    byte[] digest = new byte[32];
    Seed.random(round * 7919).nextBytes(digest);
    return digest;
  }

  private static KeyedNoise noise(double sigma) {
    return new KeyedNoise(NoiseKey.of(new byte[32]), sigma);
  }

  /** The noiseState's positions N_1..N_n in lattice units. */
  private static long[][] positions(
      NoiseState noiseState, int rounds, int dimension, double sigma) {
    long[][] positions = new long[rounds + 1][dimension];
    for (int t = 1; t <= rounds; t++) {
      positions[t] = positions[t - 1].clone();
      noiseState.advance(t, digest(t), noise(sigma), positions[t]);
    }
    return positions;
  }

  @ParameterizedTest
  @EnumSource
  void goesOnWithTheSameBitsAfterARestartAtAnyRound(Mechanisms each) {
    PrefixMechanism mechanism = each.make();
    long[][] undisturbed = positions(mechanism.start(), ROUNDS, 5, 1e6);
    for (int stop = 0; stop < ROUNDS; stop += 3) {
      NoiseState noiseState = mechanism.start();
      long[] now = new long[5];
      for (int t = 1; t <= ROUNDS; t++) {
        if (t == stop + 1) {
          noiseState = mechanism.resume(noiseState.state());
        }
        noiseState.advance(t, digest(t), noise(1e6), now);
        assertThat(now).containsExactly(undisturbed[t]);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void hasTheVarianceThatItStates(Mechanisms each) {
    PrefixMechanism mechanism = each.make();
    int dimension = 40_000;
    double sigma = 0x1p21;
    long[][] positions = positions(mechanism.start(), 13, dimension, sigma);
    for (int t = 1; t <= 13; t++) {
      double variance = Arrays.stream(positions[t])
          .mapToDouble(n -> n / sigma * (n / sigma))
          .average()
          .orElse(0);
      double expected = mechanism.prefixVariance(t);
      // The mean of n squares has standard error sqrt(2 / n) of it, sqrt(5 / n) under Laplace
      // noise; 13 checks at 5.4 fail once in 1e6 runs.
      double error = Math.sqrt((mechanism.isPure() ? 5.0 : 2.0) / dimension);
      assertThat(variance).isCloseTo(expected, within(5.4 * expected * error));
    }
  }

  /** docs/privacy.md, "Noise mechanisms": norms of columns of C, and of rows of A C^-1. */
  @ParameterizedTest
  @EnumSource
  void hasTheClosedFormsOfItsMatrix(Mechanisms each) {
    PrefixMechanism mechanism = each.make();
    double[][] rows = mechanism.matrix(ROUNDS);
    DMatrixRMaj c = new DMatrixRMaj(ROUNDS, ROUNDS);
    DMatrixRMaj ones = new DMatrixRMaj(ROUNDS, ROUNDS);
    for (int t = 0; t < ROUNDS; t++) {
      assertThat(rows[t]).hasSize(t + 1);
      for (int s = 0; s <= t; s++) {
        c.set(t, s, rows[t][s]);
        ones.set(t, s, 1);
      }
    }
    assertThat(mechanism.matrix(9)).isEqualTo(Arrays.copyOf(rows, 9));
    CommonOps_DDRM.invert(c);
    DMatrixRMaj b = new DMatrixRMaj(ROUNDS, ROUNDS);
    CommonOps_DDRM.mult(ones, c, b);
    double unit = mechanism.isPure() ? 2 : 1; // the variance of Laplace noise of scale 1
    for (int t = 1; t <= ROUNDS; t++) {
      double[] row = Arrays.copyOfRange(b.data, (t - 1) * ROUNDS, t * ROUNDS);
      double variance = unit * Arrays.stream(row).map(entry -> entry * entry).sum();
      assertThat(variance).isCloseTo(mechanism.prefixVariance(t), within(1e-9 * ROUNDS));
      double largest = 0;
      for (int s = 0; s < t; s++) {
        double squares = 0;
        for (int r = s; r < t; r++) {
          squares += rows[r][s] * rows[r][s];
        }
        largest = Math.max(largest, Math.sqrt(squares));
      }
      assertThat(largest).isCloseTo(mechanism.sensitivity(t), within(1e-9));
    }
  }

  /** They are in configurations and ledgers for ever. */
  @Test
  void keepsTheNamesThatLedgersHave() {
    assertThat(Mechanisms.values())
        .extracting(Mechanisms::configName)
        .containsExactly("independent", "laplace", "binary-tree", "blt");
    assertThat(Mechanisms.names(each -> each.memory().isPresent()))
        .isEqualTo("independent and blt");
    assertThat(Mechanisms.names(Mechanism::isPure)).isEqualTo("laplace");
    assertThat(Mechanisms.names(each -> true))
        .isEqualTo("independent, laplace, binary-tree and blt");
  }

  /** What an endless stream costs is never less than what any part of it costs. */
  @ParameterizedTest
  @EnumSource
  void costsNoMoreThanItsLimit(Mechanisms each) {
    PrefixMechanism mechanism = each.make();
    ContributionBound bound = new ContributionBound(3, 5);
    for (long rounds : new long[] {1, 2, 100, 1L << 40}) {
      assertThat(mechanism.sensitivity(rounds)).isLessThanOrEqualTo(mechanism.sensitivityLimit());
      assertThat(mechanism.sensitivity(rounds, bound))
          .isLessThanOrEqualTo(mechanism.sensitivityLimit(bound));
    }
  }

  /** Each set by its name, and the name by its parameters. */
  @ParameterizedTest
  @EnumSource
  void makesEveryParameterSetThatItLists(Mechanisms each) {
    for (String set : each.sets()) {
      PrefixMechanism mechanism = each.make(set);
      assertThat(mechanism.set()).isEqualTo(set);
      assertThat(mechanism.name()).isEqualTo(each.configName());
      assertThat(Mechanisms.of(mechanism.name(), mechanism.parameters()).set()).isEqualTo(set);
    }
    assertThat(each.sets()).containsAll(each.sets(1)).containsAll(each.sets(1 << 12));
    if (!each.sets().isEmpty()) {
      assertThat(each.sets(1 << 12).get(0)).isEqualTo(each.make().set());
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> each.make("no such set"))
        .withMessageContaining("no such set");
  }

  @Test
  void sumsTheNodesOfTheBinaryDecomposition() {
    long[][] positions = positions(new BinaryTree().start(), ROUNDS, 3, 1e6);
    for (int t = 1; t <= ROUNDS; t++) {
      long[] expected = new long[3];
      for (int m = t; m > 0; m -= Integer.lowestOneBit(m)) {
        noise(1e6).add(digest(m), "tree-node", m, 1, expected);
      }
      assertThat(positions[t]).containsExactly(expected);
    }
  }

  @Test
  void keepsOneDigestPerLivingNode() {
    NoiseState noiseState = new BinaryTree().start();
    for (int t = 1; t <= 1000; t++) {
      noiseState.advance(t, digest(t), noise(1e6), new long[1]);
      assertThat(noiseState.state()).hasSize(48 * Integer.bitCount(t));
    }
  }

  @Test
  void hasTheTreeSensitivitiesOfThePage() {
    PrefixMechanism tree = new BinaryTree();
    assertThat(tree.sensitivity(1)).isEqualTo(1);
    assertThat(tree.sensitivity(2)).isEqualTo(Math.sqrt(2));
    assertThat(tree.sensitivity(3)).isEqualTo(Math.sqrt(2));
    assertThat(tree.sensitivity(4)).isEqualTo(Math.sqrt(3));
    assertThat(tree.sensitivity(7)).isEqualTo(Math.sqrt(3));
    assertThat(tree.sensitivity(1000)).isEqualTo(Math.sqrt(10));
    assertThat(tree.sensitivity(1_000_000)).isEqualTo(Math.sqrt(20));
    assertThat(tree.sensitivity(Long.MAX_VALUE)).isEqualTo(Math.sqrt(63));
    assertThat(tree.sensitivityLimit()).isInfinite();
  }

  /**
   * The tree's C, row m: 1 where node m covers the round. Its columns' norms are the sensitivity.
   */
  @Test
  void agreesWithTheExplicitTreeMatrix() {
    PrefixMechanism tree = new BinaryTree();
    for (int t = 1; t <= 64; t++) {
      DMatrixRMaj c = new DMatrixRMaj(t, t);
      for (int m = 1; m <= t; m++) {
        for (int i = m - Integer.lowestOneBit(m) + 1; i <= m; i++) {
          c.set(m - 1, i - 1, 1);
        }
      }
      double largest = 0;
      for (int i = 0; i < t; i++) {
        largest = Math.max(largest, NormOps_DDRM.normP2(CommonOps_DDRM.extractColumn(c, i, null)));
      }
      assertThat(tree.sensitivity(t)).isCloseTo(largest, within(1e-12));
      assertThat(tree.prefixVariance(t)).isEqualTo(Integer.bitCount(t));
    }
  }

  @Test
  void averagesTheStatedIncrement() {
    // Changes of the tree: one birth a round and, over 2^k rounds, 2^k - 1 deaths at most.
    int deaths = 0;
    for (int t = 2; t <= 1024; t++) {
      deaths += Long.bitCount(t - 1) + 1 - Long.bitCount(t);
    }
    assertThat((1024 + deaths) / 1024.0)
        .isCloseTo(new BinaryTree().incrementVariance(), within(0.01));
  }

  @Test
  void fillsLargeVectorsTheSameInAnyNumberOfThreads() {
    int dimension = 4096 * 9 + 17;
    long[] parallel = new long[dimension];
    noise(1e6).add(digest(1), "p", 1, 1, parallel);
    long[] again = new long[dimension];
    noise(1e6).add(digest(1), "p", 1, 1, again);
    assertThat(again).containsExactly(parallel);
    long[] small = new long[4096];
    noise(1e6).add(digest(1), "p", 1, 1, small);
    assertThat(small).containsExactly(Arrays.copyOf(parallel, 4096));
  }

  /** docs/privacy.md, "Contribution bounds": squares add up, and under Laplace noise epsilons. */
  @Test
  void chargesEveryParticipationOfItsOwnNoise() {
    ContributionBound bound = new ContributionBound(3, 2);
    PrefixMechanism independent = Mechanisms.INDEPENDENT.make();
    PrefixMechanism laplace = Mechanisms.LAPLACE.make();
    for (long rounds = 1; rounds <= 9; rounds++) {
      long times = Math.min(3, (rounds + 1) / 2);
      assertThat(independent.sensitivity(rounds, bound)).isEqualTo(Math.sqrt(times));
      assertThat(laplace.sensitivity(rounds, bound)).isEqualTo(times);
    }
    assertThat(independent.sensitivityLimit(bound)).isEqualTo(Math.sqrt(3));
    assertThat(laplace.sensitivityLimit(bound)).isEqualTo(3);
    for (PrefixMechanism each : List.of(independent, laplace)) {
      assertThat(each.sensitivityLimit(ContributionBound.EVERY_ROUND)).isInfinite();
    }
    long most = 1L << 53; // from here on doubles leave counts out
    assertThat(laplace.sensitivity(most, ContributionBound.EVERY_ROUND)).isEqualTo(0x1p53);
    assertThat(laplace.sensitivity(most + 1, ContributionBound.EVERY_ROUND)).isGreaterThan(0x1p53);
    assertThat(independent.incrementVariance()).isEqualTo(1);
    assertThat(laplace.incrementVariance()).isEqualTo(2);
    assertThat(laplace.remarks()).isNotEmpty();
    assertThat(independent.remarks()).isEmpty();
  }

  /** Bytes are measured in the first 63 rounds, and grow with binary digits at most. */
  @ParameterizedTest
  @EnumSource
  void foretellsTheBytesOfItsState(Mechanisms each) {
    PrefixMechanism mechanism = each.make();
    int dimension = 13;
    NoiseState noiseState = mechanism.start();
    long most = 0;
    for (int t = 1; t < 1 << 10; t++) {
      noiseState.advance(t, digest(t), noise(1000), new long[dimension]);
      most = Math.max(most, noiseState.state().length);
      if (t == 7 || t == 63 || t == 127 || t == 1023) {
        assertThat(mechanism.stateBytes(dimension, t)).isEqualTo(t < 63 ? atMost63(each) : most);
      }
    }
    assertThat(mechanism.redrawnBytes(dimension, 1023))
        .isEqualTo(mechanism.stateBytes(dimension, 1023));
    assertThat(mechanism.sumBytes(dimension)).isEqualTo(16 * dimension);
  }

  private static long atMost63(Mechanisms each) {
    return each.make().stateBytes(13, 63);
  }

  @ParameterizedTest
  @EnumSource
  void findsItsLargestVariance(Mechanisms each) {
    PrefixMechanism mechanism = each.make();
    assertThat(mechanism.largestPrefixVariance(0)).isZero();
    double largest = 0;
    for (long t = 1; t <= 300; t++) {
      largest = Math.max(largest, mechanism.prefixVariance(t));
      assertThat(mechanism.largestPrefixVariance(t)).isEqualTo(largest);
    }
  }

  /** What is passed is drawn as if it had been asked for. */
  @ParameterizedTest
  @EnumSource
  void passesRounds(Mechanisms each) {
    NoiseState asked = each.make().start();
    NoiseState passed = each.make().start();
    for (int t = 1; t <= 5; t++) {
      asked.advance(t, digest(t), noise(1000), new long[3]);
      passed.pass(t, digest(t), noise(1000), new long[3]);
    }
    assertThat(passed.state()).isEqualTo(asked.state());
  }

  @ParameterizedTest
  @EnumSource
  void addsUpItsCostsUnlessTheyArePure(Mechanisms each) {
    PrefixMechanism mechanism = each.make();
    assertThat(mechanism.composes()).isEqualTo(!mechanism.isPure());
    assertThat(mechanism.audits()).isTrue();
    assertThat(mechanism.auditTerms()).isEqualTo(AuditTerms.SUMS);
    assertThat(mechanism.released()).isEqualTo(Released.PREFIX);
    assertThat(mechanism.rounds(64)).isEqualTo("rounds of 64 slots");
    assertThat(mechanism.noised()).isEqualTo("a round's sum");
    assertThat(mechanism.horizon().isPresent()).isFalse();
    assertThat(mechanism.ofPrefixes()).containsSame(mechanism);
    assertThat(Mechanisms.of(mechanism.name(), mechanism.parameters()).name())
        .isEqualTo(mechanism.name());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Mechanisms.of(mechanism.name(), "x"))
        .withMessageContaining("parameters");
    assertThat(Mechanisms.queries(mechanism.name(), mechanism.parameters())).isEmpty();
  }

  @Test
  void namesMechanismsOfLedgers() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Mechanisms.of("no-such", ""))
        .withMessageContaining("unknown mechanism: no-such");
    QuerySchedule schedule = QuerySchedule.onePass(3, 4);
    assertThat(Mechanisms.queries(QueryNoise.NAME, schedule.describe())).contains(schedule);
  }

  @Test
  void promisesNothingWithoutNoise() {
    PrefixMechanism none = Mechanisms.noneForPublicData();
    assertThat(none.name()).isEqualTo("none");
    for (double each : new double[] {
      none.sensitivity(1),
      none.sensitivityLimit(),
      none.sensitivity(1, ContributionBound.ONE),
      none.sensitivityLimit(ContributionBound.ONE)
    }) {
      assertThat(each).isInfinite();
    }
    assertThat(none.audits()).isFalse();
    assertThat(none.matrix(2)[1]).containsExactly(0, Double.POSITIVE_INFINITY);
    assertThat(none.prefixVariance(3)).isZero();
    NoiseState noiseState = none.resume(none.start().state());
    long[] into = new long[5];
    int[] done = {0};
    noiseState.advance(1, digest(1), noise(9), into, (from, to) -> done[0] += to - from);
    assertThat(done[0]).isEqualTo(5);
    assertThat(into).containsOnly(0);
    assertThat(noiseState.state()).isEmpty();
  }

  @Test
  void measuresGradientsInItsNorm() {
    double[] vector = {3, -4};
    Example example = new Example(2);
    example.reserve(2);
    for (int i = 0; i < 2; i++) {
      example.indices()[i] = i;
      example.values()[i] = vector[i];
    }
    example.ascending(2);
    assertThat(GradientNorm.L2.of(vector)).isEqualTo(5);
    assertThat(GradientNorm.L1.of(vector)).isEqualTo(7);
    assertThat(GradientNorm.L2.of(example)).isEqualTo(5);
    assertThat(GradientNorm.L1.of(example)).isEqualTo(7);
    assertThat(GradientNorm.L2.ofOnes(9)).isEqualTo(3);
    assertThat(GradientNorm.L1.ofOnes(9)).isEqualTo(9);
    assertThat(GradientNorm.L2.widestNoise()).isEqualTo(0x1p32);
    assertThat(GradientNorm.L1.widestNoise()).isEqualTo(0x1p40);
  }
}
