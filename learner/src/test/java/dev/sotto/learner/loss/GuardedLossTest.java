package dev.sotto.learner.loss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GuardedLossTest {
  private static final Map<String, String> NONE = Map.of();

  /** The squared loss, but for its slope. */
  private record Sloped(DoubleBinaryOperator slope, double lipschitz, double smoothness)
      implements Loss {
    @Override
    public double value(double score, double label) {
      return 0.5 * (score - label) * (score - label);
    }

    @Override
    public double slope(double score, double label) {
      return slope.applyAsDouble(score, label);
    }

    @Override
    public boolean admits(double label) {
      return label >= 0;
    }

    @Override
    public double predict(double score) {
      return score;
    }
  }

  private static LossProvider provider(Loss loss) {
    return new LossProvider() {
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
    };
  }

  private static Loss sloped(DoubleBinaryOperator slope) {
    return GuardedLoss.of(provider(new Sloped(slope, 1, 1)), NONE);
  }

  @Test
  void passesOnWhatAGoodLossSays() {
    Loss huber = GuardedLoss.of(provider(new Huber(0.5)), NONE);
    Loss plain = new Huber(0.5);
    for (double score : new double[] {-3, -0.2, 0, 0.7, 1e300, Double.NaN}) {
      assertThat(huber.value(score, 0.25)).isEqualTo((Double) plain.value(score, 0.25));
      assertThat(huber.slope(score, 0.25)).isEqualTo((Double) plain.slope(score, 0.25));
      assertThat(huber.predict(score)).isEqualTo((Double) plain.predict(score));
    }
    assertThat(huber.admits(Double.NaN)).isFalse();
    assertThat(huber.lipschitz()).isEqualTo(0.5);
    assertThat(huber.smoothness()).isEqualTo(1);
  }

  @Test
  void answersNotANumberWhereTheLossThrows() {
    Loss loss = GuardedLoss.of(
        provider(new Loss() {
          @Override
          public double value(double score, double label) {
            throw new IllegalStateException("secret " + score);
          }

          @Override
          public double slope(double score, double label) {
            return slope(score, label); // until the stack is full
          }

          @Override
          public boolean admits(double label) {
            throw new AssertionError(label);
          }

          @Override
          public double lipschitz() {
            return Double.POSITIVE_INFINITY;
          }

          @Override
          public double smoothness() {
            return Double.POSITIVE_INFINITY;
          }

          @Override
          public double predict(double score) {
            GuardedLossTest.<RuntimeException>sneak();
            return score;
          }
        }),
        NONE);
    assertThat(loss.value(1, 1)).isNaN();
    assertThat(loss.slope(1, 1)).isNaN();
    assertThat(loss.admits(1)).isFalse();
    assertThat(loss.predict(1)).isNaN();
  }

  @SuppressWarnings("unchecked")
  private static <E extends Exception> void sneak() throws E {
    throw (E) new java.io.IOException("checked, and not declared");
  }

  @Test
  void isNotMadeWhereAClassIsMissing() {
    assertThatThrownBy(() -> sloped((score, label) -> {
          throw new NoClassDefFoundError("org/example/Missing");
        }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the loss mine cannot be run")
        .hasMessageContaining("org/example/Missing");
  }

  /** Otherwise one record would end learning, and the end would tell of it. */
  @Test
  void givesNothingWhereOneRecordNeedsAMissingClass() {
    Loss loss = sloped((score, label) -> {
      if (score == 7) {
        throw new NoClassDefFoundError("org/example/Rare");
      }
      return score;
    });
    assertThat(loss.slope(1, 1)).isEqualTo(1);
    assertThat(loss.slope(7, 1)).isNaN();
  }

  @Test
  void findsOutALossThatRemembers() {
    double[] calls = new double[1];
    assertThatThrownBy(() -> sloped((score, label) -> score - label + 1e-9 * calls[0]++))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must be the same whenever it is asked");
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.NaN})
  void refusesBoundsThatAreNone(double bound) {
    assertThatThrownBy(
            () -> GuardedLoss.of(provider(new Sloped((score, label) -> score, bound, 1)), NONE))
        .hasMessageContaining("lipschitz() must be positive");
    assertThatThrownBy(
            () -> GuardedLoss.of(provider(new Sloped((score, label) -> score, 1, bound)), NONE))
        .hasMessageContaining("smoothness() must be positive");
  }

  @Test
  void tellsWhatAProviderSaysOfItsParameters() {
    LossProvider picky = new LossProvider() {
      @Override
      public String name() {
        return "picky";
      }

      @Override
      public String version() {
        return "1";
      }

      @Override
      public Loss create(Map<String, String> parameters) {
        if (parameters.isEmpty()) {
          return null;
        }
        if (parameters.containsKey("threshold")) {
          throw new IllegalArgumentException("threshold must be a number");
        }
        return new Huber(Double.parseDouble(parameters.get("other")));
      }
    };
    assertThatThrownBy(() -> GuardedLoss.of(picky, NONE)).hasMessageContaining("returned null");
    assertThatThrownBy(() -> GuardedLoss.of(picky, Map.of("threshold", "x")))
        .hasMessage("threshold must be a number");
    assertThatThrownBy(() -> GuardedLoss.of(picky, Map.of("else", "x")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("NullPointerException");
    assertThat(GuardedLoss.of(picky, Map.of("other", "2")).lipschitz()).isEqualTo(2);
  }
}
