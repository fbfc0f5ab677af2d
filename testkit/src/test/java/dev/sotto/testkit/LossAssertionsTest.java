package dev.sotto.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.loss.Hinge;
import dev.sotto.learner.loss.Huber;
import dev.sotto.learner.loss.Logistic;
import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.loss.Squared;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LossAssertionsTest {
  @ParameterizedTest
  @EnumSource
  void findNothingWrongWithWhatIsBuiltIn(Losses each) {
    LossAssertions.assertConvex(each.make(), 0, 1);
  }

  /** One thing wrong at a time. */
  private record Broken(Loss loss, double slopes, double lipschitz, double smoothness)
      implements Loss {
    @Override
    public double value(double score, double label) {
      return loss.value(score, label);
    }

    @Override
    public double slope(double score, double label) {
      return slopes * loss.slope(score, label);
    }

    @Override
    public boolean admits(double label) {
      return loss.admits(label);
    }

    @Override
    public double lipschitz() {
      return lipschitz;
    }

    @Override
    public double smoothness() {
      return smoothness;
    }

    @Override
    public double predict(double score) {
      return loss.predict(score);
    }
  }

  @Test
  void findWhatIsWrong() {
    double none = Double.POSITIVE_INFINITY;
    assertThatThrownBy(
            () -> LossAssertions.assertConvex(new Broken(new Squared(), -1, none, none), 0))
        .hasMessageContaining("not convex, or slope() is not its derivative");
    assertThatThrownBy(
            () -> LossAssertions.assertConvex(new Broken(new Huber(1), 1.01, 1, none), 1))
        .hasMessageContaining("must lie within lipschitz() 1.0");
    assertThatThrownBy(() -> LossAssertions.assertConvex(new Broken(new Logistic(), 1, 1, 0.2), 1))
        .hasMessageContaining("at most smoothness() 0.2");
    assertThatThrownBy(() -> LossAssertions.assertConvex(new Broken(new Hinge(), 1, 1, 2), 1))
        .hasMessageContaining("at most smoothness() 2.0");
    assertThatThrownBy(() -> LossAssertions.assertConvex(new Logistic(), 3))
        .hasMessageContaining("must admit label 3.0");
    assertThatThrownBy(() -> LossAssertions.assertConvex(new Logistic()))
        .hasMessageContaining("name at least one");
  }
}
