package dev.sotto.evaluation.audit.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.evaluation.audit.Plans;
import dev.sotto.evaluation.audit.noise.NoiseColourer;
import dev.sotto.evaluation.audit.noise.NoiseMatrix;
import dev.sotto.evaluation.audit.subject.AuditSubject;
import dev.sotto.evaluation.audit.subject.FaultyLearner;
import dev.sotto.evaluation.audit.subject.InjectedFault;
import dev.sotto.evaluation.audit.subject.ProductLearner;
import dev.sotto.evaluation.audit.subject.SeedHash;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.training.Plan;
import dev.sotto.testing.Seed;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every check passes for the real learner, and fails for noise with the one fault that it is there
 * for.
 */
class NoiseChecksTest {
  private static final int ROUNDS = 24;
  private static final int SAMPLES = 1 << 16;

  private enum Twist {
    NONE(""),
    ROOT_WITHOUT_NOISE("noise: variance of prefixes"), // the node over rounds 1 to 16
    HALF_THE_PREFIX("noise: variance of prefixes"),
    TOO_LARGE("noise: size"),
    UNIFORM("noise: shape"),
    CUT_OFF("noise: tails"),
    ROUNDS_TOGETHER("noise: rounds are independent"),
    COORDINATES_TOGETHER("noise: coordinates are independent"),
    SAME_FOR_ALL("noise: keys and models are independent"),
    NO_HISTORY("noise: bound to the history"),
    ANOTHER_TIME("noise: a retry changes nothing"),
    WRONG_MATRIX("noise: change between rounds");

    final String alarm;

    Twist(String alarm) {
      this.alarm = alarm;
    }
  }

  /** Noise with a twist; it looks at nothing of a slot but whether anything is in it. */
  private record Twisted(Twist twist) implements AuditSubject {
    @Override
    public String name() {
      return twist.name();
    }

    @Override
    public Run start(Plan plan, Identity identity, Window window) {
      return new Run() {
        private final NoiseMatrix matrix = NoiseMatrix.of(plan);
        private final NoiseColourer colourer = new NoiseColourer(
            NoiseMatrix.of(
                twist == Twist.WRONG_MATRIX
                    ? Plans.plan(each -> each.mechanism = Mechanisms.INDEPENDENT.make())
                    : plan),
            window.count());
        private byte[] history = new byte[32];
        private byte[] marked;
        private double[] before = new double[window.count()];
        private double[] white;
        private int round;
        private int attempts;
        private long filled; // of the open round

        @Override
        public long nextSlot() {
          return filled;
        }

        @Override
        public void fill(Slot slot) {
          filled++;
          history = SeedHash.of(history, new byte[] {(byte) slot.example().size()});
        }

        @Override
        public void close(double[] into) {
          if (white != null) {
            colourer.advance(white);
            before = white;
          }
          round++;
          filled = 0;
          attempts++;
          byte[] from = twist == Twist.SAME_FOR_ALL
              ? history
              : SeedHash.of(identity.secret(), identity.model().getBytes(StandardCharsets.UTF_8));
          byte[] address = twist == Twist.NO_HISTORY ? SeedHash.of(round) : history;
          long again = twist == Twist.ANOTHER_TIME ? attempts : 0;
          white = white(
              ByteBuffer.wrap(SeedHash.of(from, address, SeedHash.of(again))).getLong());
          if (twist == Twist.ROOT_WITHOUT_NOISE && round == 16) {
            Arrays.fill(white, 0);
          }
          colourer.colour(white, into);
          if (twist == Twist.HALF_THE_PREFIX && round == 11) {
            for (int i = 0; i < into.length; i++) {
              into[i] /= 2;
            }
          }
        }

        private double[] white(long seed) {
          SplittableRandom random = Seed.splittable(seed);
          double[] draws = new double[window.count()];
          for (int i = 0; i < draws.length; i++) {
            double draw = twist == Twist.UNIFORM
                ? (2 * random.nextDouble() - 1) * Math.sqrt(3)
                : random.nextGaussian();
            while (twist == Twist.CUT_OFF && Math.abs(draw) > 3) {
              draw = random.nextGaussian();
            }
            if (twist == Twist.ROUNDS_TOGETHER) {
              draw = 0.99 * draw + 0.14 * before[i] / plan.sigma();
            }
            if (twist == Twist.COORDINATES_TOGETHER && i % 2 == 1) {
              draw = 0.99 * draw + 0.14 * draws[i - 1] / plan.sigma();
            }
            draws[i] = draw * plan.sigma() * (twist == Twist.TOO_LARGE ? 1.05 : 1);
          }
          return draws;
        }

        @Override
        public void mark() {
          marked = history;
        }

        @Override
        public void reset() {
          history = marked;
          white = null;
          filled = 0;
          round--;
        }
      };
    }
  }

  private static List<CheckResult> checks(AuditSubject subject, Plan plan) {
    return new NoiseChecks(subject, plan, ROUNDS, SAMPLES, 11).all();
  }

  @ParameterizedTest
  @EnumSource
  void raisesTheAlarmThatFits(Twist twist) {
    List<CheckResult> checks = checks(new Twisted(twist), Plans.plan(each -> {}));
    if (twist == Twist.NONE) {
      assertThat(checks).allMatch(CheckResult::holds);
    } else {
      assertThat(checks)
          .filteredOn(check -> !check.holds())
          .extracting(CheckResult::name)
          .contains(twist.alarm);
    }
  }

  /** Rounds, and the queries of blocks of 15 and of 16 leaves: the root ends at the last of 16. */
  @Test
  void findsTheNoiseOfTreesOfMomentumAndARootWithoutIt() {
    for (Consumer<Plans> tree : List.<Consumer<Plans>>of(
        each -> each.endlessTree(0.75),
        each -> each.treeOfBlocks(5, 3, 0.9),
        each -> each.treeOfBlocks(16, 1, 0.98))) {
      Plan plan = Plans.plan(tree);
      int rounds = plan.learnsFromBlocks() ? 2 : ROUNDS;
      assertThat(new NoiseChecks(ProductLearner.AS_IT_IS, plan, rounds, SAMPLES, 11).all())
          .allMatch(CheckResult::holds)
          .hasSize(11);
      assertThat(new NoiseChecks(new FaultyLearner(InjectedFault.NONE), plan, rounds, SAMPLES, 11)
              .all())
          .allMatch(CheckResult::holds);
    }
    Plan endless = Plans.plan(each -> each.endlessTree(0.98));
    assertThat(checks(new Twisted(Twist.NONE), endless)).allMatch(CheckResult::holds);
    assertThat(checks(new Twisted(Twist.ROOT_WITHOUT_NOISE), endless))
        .filteredOn(check -> !check.holds())
        .extracting(CheckResult::name)
        .contains("noise: variance of prefixes", "noise: size");
  }

  /** Each check alarms once in 10^6 at most; seeds are fixed. */
  @ParameterizedTest
  @EnumSource
  void findsTheRealNoiseAsClaimed(Mechanisms mechanism) {
    for (GenerationSchedule generations : List.of(
        GenerationSchedule.NONE, new GenerationSchedule(GenerationSchedule.Kind.CONSTANT, 7))) {
      Plan plan = Plans.plan(each -> {
        each.mechanism = mechanism.make();
        each.generations = generations;
      });
      assertThat(checks(ProductLearner.AS_IT_IS, plan))
          .allMatch(CheckResult::holds)
          .hasSize(11);
    }
  }

  /** p-values of noise that is as claimed are spread out: small ones are rare. */
  @Test
  void seldomFindsLikelihoodsSmall() {
    int small = 0;
    int all = 0;
    for (int seed = 0; seed < 40; seed++) {
      for (CheckResult check : new NoiseChecks(
              ProductLearner.AS_IT_IS, Plans.plan(each -> {}), 8, 1 << 12, seed)
          .all()) {
        if (check.name().startsWith("noise:") && !check.name().endsWith("nothing")) {
          small += check.figure() < 0.05 ? 1 : 0;
          all++;
        }
      }
    }
    // 5 % of 360 at most, since the bounds are generous, and 5 errors.
    assertThat(small).isLessThan((int) (0.05 * all + 5 * Math.sqrt(0.05 * all)));
  }

  @Test
  void copesWithASingleRound() {
    assertThat(new NoiseChecks(ProductLearner.AS_IT_IS, Plans.plan(each -> {}), 1, 4096, 5).all())
        .allMatch(CheckResult::holds);
  }
}
