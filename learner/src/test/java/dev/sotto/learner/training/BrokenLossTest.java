package dev.sotto.learner.training;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.loss.GuardedLoss;
import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.loss.LossProvider;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.loss.Squared;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.optimizer.AcceleratedDpSrgd.Gradients;
import dev.sotto.learner.participation.GenerationSchedule;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a user's loss throws or returns costs one record its gradient, and nothing else. */
class BrokenLossTest {
  private static final double BAD = 2;

  /** The squared loss, but for what it says at one label. */
  private record Broken(DoubleUnaryOperator atBad, boolean plain) implements Loss {
    private static final Loss SQUARED = new Squared();

    @Override
    public double value(double score, double label) {
      return label == BAD && !plain ? atBad.applyAsDouble(score) : SQUARED.value(score, label);
    }

    @Override
    public double slope(double score, double label) {
      return label == BAD ? atBad.applyAsDouble(score) : SQUARED.slope(score, label);
    }

    @Override
    public boolean admits(double label) {
      return true;
    }

    @Override
    public double lipschitz() {
      return Double.POSITIVE_INFINITY;
    }

    @Override
    public double smoothness() {
      return 1;
    }

    @Override
    public double predict(double score) {
      return score;
    }
  }

  private static Loss guarded(Loss loss) {
    return GuardedLoss.of(
        new LossProvider() {
          @Override
          public String name() {
            return "mine";
          }

          @Override
          public String version() {
            return "1";
          }

          @Override
          public Loss create(Map<String, String> parameters) {
            return loss;
          }
        },
        Map.of());
  }

  private static double[] learned(Loss loss, boolean srgd, boolean metrics) {
    Plan plan = Rounds.plan(
        Objective.of(loss),
        srgd,
        true,
        Gradients.RECURSIVE,
        GenerationSchedule.NONE,
        0,
        Mechanisms.BLT.make(),
        metrics);
    ModelLearner learner = ModelLearner.start(plan, NoiseKey.of(new byte[32]), "m", "l");
    List<ClosedRound> rounds = Streams.feed(learner, Rounds.stream(plan, 6, 3));
    assertThat(rounds).hasSize(6);
    return rounds.get(5).weights();
  }

  /** Metrics follow from the loss's value too, so with them it must be the plain one. */
  @ParameterizedTest
  @CsvSource({"false, false", "true, false", "false, true", "true, true"})
  void losesTheGradientOfARecordAtMost(boolean srgd, boolean metrics) {
    double[] none = learned(new Broken(score -> 0, true), srgd, metrics);
    List<DoubleUnaryOperator> ways =
        List.of(score -> Double.NaN, score -> Double.POSITIVE_INFINITY, score -> {
          throw new ArithmeticException();
        });
    for (DoubleUnaryOperator way : ways) {
      assertThat(learned(guarded(new Broken(way, true)), srgd, metrics)).isEqualTo(none);
      assertThat(learned(guarded(new Broken(way, false)), srgd, metrics))
          .doesNotContain(Double.NaN);
    }
    assertThat(learned(guarded(new Broken(score -> 1, true)), srgd, metrics)).isNotEqualTo(none);
  }
}
