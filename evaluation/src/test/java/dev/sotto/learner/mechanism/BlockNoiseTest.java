package dev.sotto.learner.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.evaluation.audit.Plans;
import dev.sotto.evaluation.audit.canary.BackgroundExamples;
import dev.sotto.evaluation.audit.canary.CanaryAudit;
import dev.sotto.evaluation.audit.canary.CanaryResult;
import dev.sotto.evaluation.audit.check.CheckResult;
import dev.sotto.evaluation.audit.check.NoiseChecks;
import dev.sotto.evaluation.audit.subject.ProductLearner;
import dev.sotto.learner.key.KeyedNoise;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.training.Plan;
import dev.sotto.testing.Seed;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A mechanism is one class: the learner runs {@link BlockNoise}, and the evaluation audits it,
 * though neither knows its name. A constant of {@link Mechanisms} is all that a configuration
 * needs beside it.
 */
class BlockNoiseTest {
  private static final int ROUNDS = 22;

  private static Plan plan(Mechanism mechanism, GenerationSchedule generations) {
    return Plans.plan(each -> {
      each.mechanism = mechanism;
      each.generations = generations;
    });
  }

  private static List<CheckResult> checks(Mechanism mechanism, GenerationSchedule generations) {
    return new NoiseChecks(
            ProductLearner.AS_IT_IS, plan(mechanism, generations), ROUNDS, 1 << 16, 3)
        .all();
  }

  /** Each check alarms once in 10^6 at most; the seed is fixed. */
  @Test
  void passesEveryCheckOfNoise() {
    for (GenerationSchedule generations : List.of(
        GenerationSchedule.NONE, new GenerationSchedule(GenerationSchedule.Kind.CONSTANT, 7))) {
      assertThat(checks(new BlockNoise(), generations))
          .allMatch(CheckResult::holds)
          .hasSize(11);
    }
  }

  /** Noise that is not that of the matrix, and closed forms that are not: both are found. */
  @Test
  void isCaughtWhereItsMatrixIsNotThatOfItsNoise() {
    PrefixMechanism wrong = new PrefixMechanism() {
      private final PrefixMechanism block = new BlockNoise();

      @Override
      public String name() {
        return block.name();
      }

      @Override
      public double sensitivity(long rounds) {
        return 1; // forgets the row of the block
      }

      @Override
      public double sensitivityLimit() {
        return 1;
      }

      @Override
      public double sensitivity(long rounds, ContributionBound bound) {
        return 1;
      }

      @Override
      public double sensitivityLimit(ContributionBound bound) {
        return 1;
      }

      @Override
      public double prefixVariance(long rounds) {
        return block.prefixVariance(rounds);
      }

      @Override
      public double incrementVariance() {
        return block.incrementVariance();
      }

      @Override
      public double[][] matrix(int rounds) {
        return block.matrix(rounds);
      }

      @Override
      public NoiseState start() {
        return new BinaryTree().start();
      }

      @Override
      public NoiseState resume(PagedBytes state) {
        return new BinaryTree().resume(state);
      }
    };
    assertThat(checks(wrong, GenerationSchedule.NONE))
        .filteredOn(check -> !check.holds())
        .extracting(CheckResult::name)
        .contains(
            "ledger: closed forms", "noise: variance of prefixes", "noise: change between rounds");
  }

  @Test
  void letsNoCanaryShowMoreThanItsLedgerSays() {
    Plan plan = plan(new BlockNoise(), GenerationSchedule.NONE);
    CanaryResult result = new CanaryAudit(
            new CanaryAudit.Settings(
                plan,
                8,
                4096,
                0.999999,
                CanaryAudit.Density.HALF_OF_THE_SLOTS,
                BackgroundExamples.EMPTY),
            3)
        .run(ProductLearner.AS_IT_IS, run -> {});
    assertThat(result.refutes()).isFalse();
    double mu = plan.guarantee(8).mu();
    assertThat(result.separation().claimed()).isCloseTo(mu, within(1e-12 * mu)); // sqrt 2 rows
  }

  @Test
  void goesOnWithTheSameBitsAfterARestartAtAnyRound() {
    KeyedNoise noise = new KeyedNoise(NoiseKey.of(new byte[32]), 1e6);
    long[] undisturbed = new long[5];
    long[] restarted = new long[5];
    NoiseState one = new BlockNoise().start();
    NoiseState other = new BlockNoise().start();
    for (int t = 1; t <= ROUNDS; t++) {
      byte[] digest = new byte[32];
      Seed.random(t * 7919L).nextBytes(digest);
      one.advance(t, digest, noise, undisturbed);
      other = new BlockNoise().resume(other.state());
      other.advance(t, digest, noise, restarted);
      assertThat(restarted).containsExactly(undisturbed);
    }
    assertThat(undisturbed).doesNotContain(0);
  }

  /** Against all patterns of participation in twelve rounds. */
  @Test
  void isNeverChargedLessThanAnyScheduleCosts() {
    PrefixMechanism block = new BlockNoise();
    int rounds = 12;
    double[][] matrix = block.matrix(rounds);
    for (int separation = 1; separation <= 5; separation++) {
      for (int most = 1; most <= 4; most++) {
        ContributionBound bound = new ContributionBound(most, separation);
        double worst = 0;
        for (int pattern = 1; pattern < 1 << rounds; pattern++) {
          if (admits(bound, pattern, rounds)) {
            worst = Math.max(worst, norm(matrix, pattern));
          }
        }
        assertThat(block.sensitivity(rounds, bound)).isGreaterThanOrEqualTo(worst - 1e-12);
      }
    }
  }

  private static boolean admits(ContributionBound bound, int pattern, int rounds) {
    int last = -rounds;
    for (int t = 0; t < rounds; t++) {
      if ((pattern >> t & 1) == 1) {
        if (t - last < bound.separation()) {
          return false;
        }
        last = t;
      }
    }
    return Integer.bitCount(pattern) <= bound.most();
  }

  private static double norm(double[][] matrix, int pattern) {
    double squares = 0;
    for (double[] row : matrix) {
      double moved = 0;
      for (int s = 0; s < row.length; s++) {
        moved += (pattern >> s & 1) * row[s];
      }
      squares += moved * moved;
    }
    return Math.sqrt(squares);
  }
}
