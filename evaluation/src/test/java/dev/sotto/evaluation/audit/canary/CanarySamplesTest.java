package dev.sotto.evaluation.audit.canary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.evaluation.audit.Plans;
import dev.sotto.evaluation.audit.statistics.TailProbability;
import dev.sotto.evaluation.audit.subject.AuditSubject;
import dev.sotto.evaluation.audit.subject.LessNoise;
import dev.sotto.evaluation.audit.subject.ProductLearner;
import dev.sotto.evaluation.text.NumpyFile;
import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.PrefixMechanism;
import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.training.Plan;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files of samples, read back and put to a simple tester. */
class CanarySamplesTest {
  private static final int COUNT = 300;
  private static final long SEED = 11;
  private static final double ERROR = 1e-6;

  /** Noise so small that nothing hides. */
  private static final AuditSubject BARE = new LessNoise("without noise", 0x1p-12);

  @TempDir
  private Path folder;

  static Stream<Plan> plans() {
    return Stream.<Consumer<Plans>>of(
            each -> {
              each.unit = PrivacyUnit.KEY;
              each.mechanism = Mechanisms.BLT.make();
              each.participation = new Participation.Scheduled(new ContributionBound(4, 3));
            },
            each -> each.adjacency = Adjacency.REPLACE_ONE)
        .map(change -> Plans.plan(change.andThen(each -> each.sigma = 100)));
  }

  private static CanarySamples samples(Plan plan) {
    return new CanarySamples(plan, 100, SEED);
  }

  /** Draws, writes, and reads again. */
  private double[][] samples(CanarySamples samples, AuditSubject subject, boolean in)
      throws IOException {
    Path file = folder.resolve("drawn.npy");
    double[][] drawn = samples.draw(subject, in, COUNT, run -> {});
    NumpyFile.write(file, drawn);
    double[][] read = read(file);
    assertThat(Arrays.deepEquals(read, drawn)).isTrue();
    return read;
  }

  /** As the format is documented: magic, version, length of the header, header, numbers. */
  private static double[][] read(Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    byte[] magic = new byte[8];
    bytes.get(magic);
    assertThat(magic).containsExactly(0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0);
    byte[] header = new byte[bytes.getShort()];
    bytes.get(header);
    assertThat(bytes.position() % 64).isZero();
    String text = new String(header, StandardCharsets.US_ASCII);
    assertThat(text).startsWith("{'descr': '<f8', 'fortran_order': False, 'shape': (");
    assertThat(text).endsWith("\n");
    String[] shape = text.substring(text.indexOf('(') + 1, text.indexOf(')')).split(", ");
    double[][] rows = new double[Integer.parseInt(shape[0])][Integer.parseInt(shape[1])];
    for (double[] row : rows) {
      for (int i = 0; i < row.length; i++) {
        row[i] = bytes.getDouble();
      }
    }
    assertThat(bytes.hasRemaining()).isFalse();
    return rows;
  }

  /**
   * A lower bound on delta at an epsilon, false at most once in a million: a direction and a
   * threshold are chosen by the first half, and judged by the second one (Hoeffding's inequality).
   */
  private static double delta(double[][] with, double[][] without, double epsilon) {
    int half = with.length / 2;
    double[] direction = new double[with[0].length];
    for (int i = 0; i < direction.length; i++) {
      for (int run = 0; run < half; run++) {
        direction[i] += with[run][i] - without[run][i];
      }
    }
    double[] in =
        Arrays.stream(with).mapToDouble(each -> along(direction, each)).toArray();
    double[] out =
        Arrays.stream(without).mapToDouble(each -> along(direction, each)).toArray();
    double threshold = 0;
    double best = Double.NEGATIVE_INFINITY;
    for (int run = 0; run < half; run++) {
      double found = excess(in, out, 0, half, in[run], epsilon);
      if (found > best) {
        best = found;
        threshold = in[run];
      }
    }
    double margin = (1 + Math.exp(epsilon)) * Math.sqrt(-Math.log(ERROR / 2) / (2.0 * half));
    return excess(in, out, half, with.length, threshold, epsilon) - margin;
  }

  private static double along(double[] direction, double[] each) {
    double sum = 0;
    for (int i = 0; i < direction.length; i++) {
      sum += direction[i] * each[i];
    }
    return sum;
  }

  private static double excess(
      double[] in, double[] out, int from, int to, double threshold, double epsilon) {
    double rightly = 0;
    double wrongly = 0;
    for (int run = from; run < to; run++) {
      rightly += in[run] >= threshold ? 1 : 0;
      wrongly += out[run] >= threshold ? 1 : 0;
    }
    return (rightly - Math.exp(epsilon) * wrongly) / (to - from);
  }

  /**
   * A learner without noise is refuted, and no other. The variance of each prefix is the ledger's,
   * and the canary moves what it may; with half of the noise that does not hold.
   */
  @ParameterizedTest
  @MethodSource("plans")
  void showWhetherTheNoiseIsThere(Plan plan) throws IOException {
    CanarySamples samples = samples(plan);
    double[][] with = samples(samples, ProductLearner.AS_IT_IS, true);
    double[][] without = samples(samples, ProductLearner.AS_IT_IS, false);
    double epsilon = samples.claimed().epsilon();
    double delta = samples.claimed().delta();
    assertThat(delta(with, without, epsilon)).isLessThanOrEqualTo(delta);
    assertThat(delta(samples(samples, BARE, true), samples(samples, BARE, false), epsilon))
        .isGreaterThan(delta);
    double[] moved = new double[samples.rounds()];
    int so = 0;
    for (int t = 1; t <= moved.length; t++) {
      so += samples.canaryRounds().contains(t) ? 1 : 0;
      moved[t - 1] = so * plan.clip();
    }
    double out = plan.adjacency() == Adjacency.REPLACE_ONE ? -1 : 0;
    double chance = ERROR / (2 * moved.length);
    for (int t = 1; t <= moved.length; t++) {
      assertThat(chance(plan, with, t, moved[t - 1])).isGreaterThan(chance);
      assertThat(chance(plan, without, t, out * moved[t - 1])).isGreaterThan(chance);
    }
    double[][] less = samples(samples, LessNoise.HALF, false);
    assertThat(chance(plan, less, 1, out * moved[0])).isLessThan(ERROR);
    assertThat(chance(plan, without, 1, out * moved[0] - 100)).isLessThan(ERROR);
  }

  /** How likely the squares around a mean are so large or small: chi-square under the claim. */
  private static double chance(Plan plan, double[][] rows, int t, double mean) {
    double variance =
        plan.sigma() * plan.sigma() * ((PrefixMechanism) plan.mechanism()).prefixVariance(t);
    double squares = 0;
    for (double[] row : rows) {
      squares += (row[t - 1] - mean) * (row[t - 1] - mean);
    }
    return TailProbability.chiSquareTwoSided(squares / variance, rows.length);
  }

  @Test
  void areFreshInEachRunAndFollowFromTheSeed() {
    CanarySamples samples = samples(Plans.plan(each -> {}));
    double[][] drawn = samples.draw(ProductLearner.AS_IT_IS, false, 100, run -> {});
    assertThat(Arrays.stream(drawn).mapToDouble(each -> each[0]).distinct()).hasSize(100);
    assertThat(samples.draw(ProductLearner.AS_IT_IS, false, 100, run -> {})).isDeepEqualTo(drawn);
    assertThat(samples.rounds()).isEqualTo(CanarySamples.ROUNDS);
    assertThat(new CanarySamples(Plans.plan(each -> {}), 3, SEED).rounds()).isEqualTo(3);
  }

  @Test
  void sayWhatATesterNeedsAndWhatItCanProve() {
    CanarySamples samples = samples(Plans.plan(each -> {}));
    assertThat(samples.describe(COUNT).value("epsilon"))
        .contains(samples.claimed().epsilon());
    assertThat(samples.describe(COUNT).value("canaryRounds")).isPresent();
    double one = samples.refutable(10_000, 0.05);
    assertThat(samples.refutable(40_000, 0.05) - samples.claimed().delta())
        .isBetween(0.49 * one, 0.51 * one);
  }

  @Test
  void refuseBlocks() {
    Plan plan = Plans.plan(each -> each.treeOfBlocks(5, 3, 0.9));
    assertThatThrownBy(() -> samples(plan))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("samples must be of rounds, but algorithm");
  }
}
