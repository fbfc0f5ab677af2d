package dev.sotto.learner.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.participation.ColumnDecay;
import dev.sotto.learner.participation.ContributionBound;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/development/figures.md, "Momentum". */
class MomentumTreeTest {
  /** Slow and obvious: what each leaf weighs in each node that a prefix of some leaves reads. */
  private static List<double[]> nodes(MomentumTree tree, int leaves) {
    List<double[]> nodes = new ArrayList<>();
    for (int length = 1; length <= leaves && length <= 1 << tree.topLevel(); length *= 2) {
      for (int c = 0; (c + 1) * length <= leaves; c++) {
        if (c % 2 == 0 || length == 1 << tree.topLevel()) {
          double[] node = new double[leaves];
          for (int t = c * length; t < (c + 1) * length; t++) {
            node[t] = Math.pow(tree.beta(), (c + 1) * length - 1 - t) + tree.rounding();
          }
          nodes.add(node);
        }
      }
    }
    return nodes;
  }

  private static double square(List<double[]> nodes, long schedule) {
    double all = 0;
    for (double[] node : nodes) {
      double sum = 0;
      for (int t = 0; t < node.length; t++) {
        sum += (schedule >>> t & 1) * node[t];
      }
      all += sum * sum;
    }
    return all;
  }

  @ParameterizedTest
  @CsvSource({
    "0.5, 1.2656860361",
    "0.25, 1.7584750637",
    "0.1, 2.6140573773",
    "0.01, 5.4319965791",
    "0.0009765625, 8.6854568282"
  })
  void costsTheSumOverLevels(double alpha, double expected) {
    assertThat(MomentumTree.endless(1 - alpha, 0.0).energy()).isCloseTo(expected, within(1e-9));
  }

  @Test
  void costsWhatNodesThatAreReadCost() {
    MomentumTree tree = MomentumTree.endless(0.99, 0.0);
    List<double[]> nodes = nodes(tree, 1024);
    double worst = 0;
    for (int leaf = 0; leaf < 1024; leaf++) {
      int at = leaf;
      worst = Math.max(
          worst, nodes.stream().mapToDouble(node -> node[at] * node[at]).sum());
    }
    assertThat(worst).isCloseTo(5.4319965792, within(1e-9));
    assertThat(worst).isLessThanOrEqualTo(tree.energy() * (1 + 1e-10));
  }

  @ParameterizedTest
  @CsvSource({
    "8, 4, 0.125, 9.7925065416",
    "8, 8, 0.125, 19.5947831698",
    "16, 8, 0.0625, 25.4959237185",
    "1000, 8, 0.001, 56.5004669800",
    "1023, 8, 0, 57.9772285751",
    "1024, 8, 0.0009765625, 69.9645614565",
    "4, 3, 0.25, 5.3518805243"
  })
  void costsExactlyTheWorstBatchOfABlock(long batches, long passes, double alpha, double expected) {
    double beta = alpha == 0 ? 1 - 1.0 / batches : 1 - alpha;
    assertThat(MomentumTree.block(batches, passes, beta, 0.0).energy())
        .isCloseTo(expected, within(1e-9));
  }

  @Test
  void costsInABlockWhatItsNodesCost() {
    for (int batches = 1; batches <= 9; batches++) {
      for (int passes = 1; passes <= 6; passes++) {
        for (double rounding : new double[] {0, 0x1p-9}) {
          MomentumTree tree = MomentumTree.block(batches, passes, 0.7, rounding);
          List<double[]> nodes = nodes(tree, batches * passes);
          double worst = 0;
          for (int batch = 0; batch < batches; batch++) {
            long schedule = 0;
            for (int pass = 0; pass < passes; pass++) {
              schedule |= 1L << pass * batches + batch;
            }
            worst = Math.max(worst, square(nodes, schedule));
          }
          assertThat(tree.energy()).isCloseTo(worst, within(1e-9)).isGreaterThanOrEqualTo(worst);
        }
      }
    }
  }

  /** Every schedule of every bound, in trees with and without a capped level. */
  @ParameterizedTest
  @ValueSource(doubles = {0, 1e-10, 0.004, 0.3, 0.5, 0.9, 0.99})
  void boundsEveryScheduleOfAUnit(double beta) {
    boundsEverySchedule(beta, 12);
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(doubles = {0, 1e-10, 0.004, 0.3, 0.5, 0.9, 0.99})
  void boundsEveryScheduleOfALongerStream(double beta) {
    boundsEverySchedule(beta, 16);
  }

  private static void boundsEverySchedule(double beta, int leaves) {
    for (double rounding : new double[] {0, 0x1p-9, 0x1p-5}) {
      MomentumTree tree = MomentumTree.endless(beta, rounding);
      List<double[]> nodes = nodes(tree, leaves);
      double[][] worst = new double[leaves + 1][leaves + 1]; // by participations and separation
      for (int schedule = 1; schedule < 1 << leaves; schedule++) {
        double square = square(nodes, schedule);
        int least = leaves;
        for (int t = 0, last = -1; t < leaves; t++) {
          if ((schedule >>> t & 1) == 1) {
            least = last < 0 ? least : Math.min(least, t - last);
            last = t;
          }
        }
        int count = Integer.bitCount(schedule);
        worst[count][least] = Math.max(worst[count][least], square);
      }
      for (int count = 1; count <= leaves; count++) {
        for (int apart = leaves; apart >= 1; apart--) {
          double known = apart == leaves ? 0 : worst[count][apart + 1];
          worst[count][apart] = Math.max(worst[count][apart], known);
          double bound = tree.sensitivity(Long.MAX_VALUE, new ContributionBound(count, apart));
          assertThat(bound * bound * tree.energy())
              .as("beta %s, %s participations, %s apart", beta, count, apart)
              .isGreaterThanOrEqualTo(worst[count][apart]);
        }
      }
      if (beta > 0.1) { // the twin: without the pairs it would be too small
        assertThat(2 * tree.energy()).isLessThan(worst[2][1]);
      }
    }
  }

  @Test
  void costsAUnitLittleMoreThanApartWhereItsRoundsAreFarApart() {
    MomentumTree tree = MomentumTree.endless(0.99, 0x1p-20);
    assertThat(tree.sensitivity(1L << 40, new ContributionBound(9, 2000)))
        .isCloseTo(3, within(1e-2));
    assertThat(tree.sensitivity(1L << 40, new ContributionBound(9, 1 << 20)))
        .isCloseTo(3, within(1e-9));
    assertThat(tree.sensitivity(4001, new ContributionBound(9, 2000)))
        .isEqualTo(tree.sensitivity(1L << 40, new ContributionBound(3, 2000)));
    assertThat(tree.sensitivityLimit(ContributionBound.EVERY_ROUND)).isInfinite();
    assertThat(tree.sensitivity(1000)).isEqualTo(1);
  }

  @Test
  void countsBlocksOfAUnit() {
    MomentumTree tree = MomentumTree.block(8, 4, 0.875, 0x1p-20);
    assertThat(tree.sensitivity(7, new ContributionBound(100, 2))).isEqualTo(2);
    assertThat(tree.memory()).contains(ColumnDecay.NONE);
    assertThat(MomentumTree.endless(0.9, 0.0).memory()).isEmpty();
  }

  @Test
  void fitsItsOwnQueriesOnly() {
    MomentumTree tree = MomentumTree.block(8, 4, 0.875, 0x1p-20);
    var queries = new QuerySchedule(List.of(new QuerySchedule.Segment(0, 64, 8, 1, 4, 1)));
    assertThat(tree.fits(Optional.of(queries))).isTrue();
    assertThat(tree.fits(Optional.of(QuerySchedule.onePass(8, 8)))).isFalse();
    assertThat(tree.fits(Optional.empty())).isFalse();
    assertThat(MomentumTree.endless(0.9, 0.0).fits(Optional.empty())).isTrue();
    assertThat(MomentumTree.endless(0.9, 0.0).fits(Optional.of(queries))).isFalse();
  }

  @Test
  void isReadFromALedgerAgain() {
    for (MomentumTree tree : List.of(
        MomentumTree.endless(0.99, 64, 0.25),
        MomentumTree.endless(0, 0.0),
        MomentumTree.block(1000, 8, 0.999, 1 << 20, 0.01))) {
      Mechanism read = Mechanisms.of(tree.name(), tree.parameters());
      assertThat(read.parameters()).isEqualTo(tree.parameters());
      assertThat(((MomentumTree) read).nodeNoise()).isEqualTo(tree.nodeNoise());
    }
    QueryNoise queries = new QueryNoise(QuerySchedule.onePass(4, 16));
    assertThat(Mechanisms.of(queries.name(), queries.parameters()).parameters())
        .isEqualTo(queries.parameters());
    for (String line : List.of(
        "",
        "endless",
        "endless beta=0.5 rounding=0.0",
        "block 4*0 beta=0x1.0p-1 rounding=0x0.0p0",
        "block 4 beta=0x1.0p-1 rounding=0x0.0p0",
        "endless beta=NaN rounding=0x0.0p0")) {
      assertThatThrownBy(() -> Mechanisms.of(MomentumTree.NAME, line))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void capsLevelsWhereNodesAreFaint() {
    assertThat(MomentumTree.endless(0.5, 0.0).topLevel()).isEqualTo(6); // 2^-64
    assertThat(MomentumTree.endless(0, 0.0).topLevel()).isZero();
    assertThat(MomentumTree.block(8, 4, 0.875, 0.0).topLevel()).isEqualTo(5);
    assertThat(MomentumTree.block(8, 4, 0, 0.0).energy()).isCloseTo(4, within(1e-9));
  }

  /** A prefix reads the node that ends with it, then the one that ends before that, and so on. */
  @Test
  void readsTheNodesOfItsPrefixes() {
    MomentumTree tree = MomentumTree.block(64, 1, 0.001, 0.0);
    int top = tree.topLevel();
    assertThat(top).isEqualTo(3); // 0.001^8 is faint, so that longer nodes are not needed
    Set<List<Integer>> read = new HashSet<>();
    for (int t = 1; t <= 64; t++) {
      for (int left = t; left > 0; left -= 1 << tree.levelEndingAt(left)) {
        read.add(List.of(tree.levelEndingAt(left), left >> tree.levelEndingAt(left)));
      }
    }
    for (int level = 0; level <= top; level++) {
      for (int leaf = 1; leaf <= 64; leaf++) {
        assertThat(tree.isRead(level, leaf))
            .isEqualTo(read.contains(List.of(level, (leaf - 1 >> level) + 1)));
      }
    }
    assertThat(tree.isFaint(6)).isFalse(); // 2^-59.8
    assertThat(tree.isFaint(7)).isTrue();
    assertThat(MomentumTree.endless(0.5, 0.0).isFaint(60)).as("2^-60").isFalse();
  }

  @Test
  void hasNodesOfEqualNoiseThatNoneOfItsCostsIsMissing() {
    for (MomentumTree tree :
        List.of(MomentumTree.endless(1 - 0x1p-20, 0.0), MomentumTree.block(1, 1 << 10, 0.5, 0.0))) {
      assertThat(tree.nodeNoise() * tree.nodeNoise()).isGreaterThanOrEqualTo(tree.energy());
      assertThat(tree.leastNoise()).isEqualTo(tree.nodeNoise());
      assertThat(tree.largestNoise()).isEqualTo(tree.nodeNoise());
    }
  }

  @Test
  void isOfOneQueryARoundOrOfThoseOfABlock() {
    MomentumTree endless = MomentumTree.endless(0.75, 0x1p-9);
    MomentumTree block = MomentumTree.block(8, 4, 0.75, 0x1p-20);
    assertThat(endless.queries()).isEqualTo(1);
    assertThat(endless.passes()).isEqualTo(1);
    assertThat(block.queries()).isEqualTo(32);
    assertThat(block.passes()).isEqualTo(4);
    assertThat(endless.runningVariance(7)).hasValue(endless.sumVariance(7));
    assertThat(block.runningVariance(7)).isEmpty();
    assertThat(endless.stateBytes(3, 1023)).isEqualTo(2 * 10 * 8 * 3);
    assertThat(block.stateBytes(3, 1023)).isEqualTo(2 * 6 * 8 * 3);
    assertThat(block.ofAnyLattice().parameters())
        .isEqualTo(MomentumTree.block(8, 4, 0.75, 0x1p-9).parameters());
    assertThat(block.quietest()).isEqualTo(0x1p-9);
    assertThat(block.answerRows()).isEqualTo(new NodeRows(block));
    assertThat(block.describe(null).parts()).isNotEmpty();
  }

  /** 2^-18 sqrt(d V) / mu, V being that of 2^-9, and no more than that. */
  @Test
  void paysForTheRoundingOfTheLatticeThatWillBeFitted() {
    double energy = MomentumTree.endless(0.99, 0x1p-9).energy();
    for (int dimension : new int[] {1, 64, 1 << 20}) {
      for (double mu : new double[] {1e-6, 0.25, 4, 1e9, Double.POSITIVE_INFINITY}) {
        double most = Math.min(0x1p-9, 0x1p-18 * Math.sqrt(dimension * energy) / mu);
        double least = Math.max(most, 0x1p-40);
        double rounding = MomentumTree.endless(0.99, dimension, mu).rounding();
        assertThat(rounding).isGreaterThanOrEqualTo(least).isLessThan(2 * least);
        assertThat(rounding).isEqualTo(Math.scalb(1.0, Math.getExponent(rounding)));
      }
    }
    double mu = Math.nextDown(Math.sqrt(energy)); // so that it is above 2^-18 by a rounding
    assertThat(MomentumTree.endless(0.99, 1, mu).rounding()).isEqualTo(0x1p-17);
  }

  /** |sum v_i|^2 over V, as the sum over neighbours that the code's comment bounds it by. */
  private static double squareOfSchedule(MomentumTree tree, int count, int apart) {
    int top = tree.topLevel();
    double beta = tree.beta();
    double e = tree.rounding();
    double all = 0;
    for (int b = 0; b <= top; b++) {
      all += Math.pow(beta, (1 << b) - 1) + e;
    }
    double sum = tree.energy();
    for (int j = 1; j < count; j++) {
      int gap = (j + 1) / 2 * apart;
      int level = 32 - Integer.numberOfLeadingZeros(gap);
      double shared = 0;
      for (int i = 0; i <= top - level; i++) {
        double weight = Math.pow(beta, (1L << level) * ((1L << i) - 1)) + e;
        shared += weight * weight;
      }
      sum += gap < 1L << top ? Math.pow(beta, gap) * shared + e * all : 0;
    }
    return Math.min(count * count, count * Math.max(1, sum / tree.energy()));
  }

  @Test
  void costsAUnitWhatNeighboursShare() {
    for (double beta : new double[] {0.3, 0.9, 0.99}) {
      for (double rounding : new double[] {0, 0x1p-9, 0x1p-5}) {
        MomentumTree tree = MomentumTree.endless(beta, rounding);
        for (int count = 1; count <= 9; count++) {
          for (int apart : new int[] {1, 2, 3, 7, 50, 1 << 12}) {
            double expected = squareOfSchedule(tree, count, apart);
            double stated = tree.sensitivity(1L << 40, new ContributionBound(count, apart));
            assertThat(stated * stated).isBetween(expected * (1 - 1e-13), expected * (1 + 1e-7));
          }
        }
      }
    }
  }

  /** Check 13 of the page: the noise of a node, and the largest noise of the decayed sum. */
  @ParameterizedTest
  @CsvSource({
    "0.1, 3.2336093625e-3, 5.2281147546e-3",
    "0.01, 4.6613288745e-4, 1.0863993158e-3",
    "0.001, 5.8827238468e-5, 1.7303219929e-4"
  })
  void addsTheNoiseOfThePage(double alpha, double node, double largest) {
    MomentumTree tree = MomentumTree.endless(1 - alpha, 0.0);
    double leaf = alpha / 100 / 0.5; // alpha kappa C / (B mu)
    assertThat(leaf * tree.nodeNoise()).isCloseTo(node, within(1e-6 * node));
    assertThat(leaf * Math.sqrt(largestVariance(tree))).isCloseTo(largest, within(1e-6 * largest));
  }

  /** Every live node weighs no more than the one of the same place in V. */
  private static double largestVariance(MomentumTree tree) {
    double sum = 0;
    for (int b = 0; b <= tree.topLevel(); b++) {
      double weight = tree.factor((1L << b) - 1);
      sum += weight * weight;
    }
    return tree.energy() * sum;
  }

  @Test
  void variesAtEachLeafAsItsLiveNodesDo() {
    MomentumTree tree = MomentumTree.endless(0.75, 0.0);
    assertThat(tree.sumVariance(7) / tree.energy())
        .isCloseTo(1.740478515625, within(1e-9)); // check 2: Q_7
    for (long t = 1; t < 5000; t++) {
      assertThat(tree.sumVariance(t)).isLessThanOrEqualTo(largestVariance(tree));
    }
  }

  @Test
  void refusesWhatItCannotBoundOrStore() {
    assertThatThrownBy(() -> MomentumTree.endless(1, 0.0)).hasMessageContaining("beta must be");
    assertThatThrownBy(() -> MomentumTree.endless(Double.NaN, 0.0))
        .hasMessageContaining("beta must be");
    assertThatThrownBy(() -> MomentumTree.endless(0.5, 1.0)).hasMessageContaining("rounding must");
    assertThatThrownBy(() -> MomentumTree.block(1 << 20, 8, 0.5, 0.0))
        .hasMessageContaining("at most 4194304 leaves");
    assertThat(MomentumTree.block(1 << 21, 2, 0.0, 0.0).leaves()).isEqualTo(1 << 22);
  }

  /** Of decayed sums: the rows of its nodes over their changes move by what a leaf weighs. */
  @Test
  void movesTheRowsOfNodesByDecayedLeaves() {
    for (MomentumTree tree :
        List.of(MomentumTree.block(21, 1, 0.75, 0.0), MomentumTree.block(21, 1, 1e-5, 0.0))) {
      AnswerRows rows = tree.answerRows();
      assertThat(rows.reach()).isEqualTo(1L << tree.topLevel());
      assertThat(rows.isFresh()).isFalse();
      for (int end = 1; end <= 21; end++) {
        double[] row = rows.row(end);
        assertThat(row).hasSize(end);
        for (int leaf = 1; leaf <= end; leaf++) {
          double moved = 0;
          double before = 0;
          for (int t = leaf; t <= end; t++) {
            double now = Math.pow(tree.beta(), t - leaf);
            moved += row[t - 1] * (now - before);
            before = now;
          }
          int length = 1 << tree.levelEndingAt(end);
          double inNode =
              leaf > end - length ? Math.pow(tree.beta(), end - leaf) / tree.nodeNoise() : 0;
          assertThat(rows.moved(end, leaf)).isCloseTo(inNode, within(1e-15));
          assertThat(moved).isCloseTo(inNode, within(1e-15));
        }
      }
    }
  }
}
