package dev.sotto.evaluation.plan.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.loss.Losses;
import dev.sotto.testing.Seed;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SyntheticStreamTest {
  @ParameterizedTest
  @EnumSource
  void makesExamplesThatEveryLossAdmits(Losses named) {
    Loss loss = named.make();
    SyntheticStream stream = new SyntheticStream(1, 5, loss, 300);
    Slot slot = new Slot(5);
    for (int i = 0; i < 300; i++) {
      stream.fill(slot, i);
      assertThat(slot.verdict()).isEqualTo(RecordStatus.USED);
      assertThat(loss.admits(slot.example().label())).isTrue();
      assertThat(slot.example().norm()).isCloseTo(1, within(1e-12));
    }
    double[] truth = stream.truth();
    assertThat(stream.loss(loss, truth)).isLessThan(stream.loss(loss, new double[5]));
  }

  @Test
  void followsFromTheSeed() {
    Loss loss = Losses.LOGISTIC.make();
    double[] once = new SyntheticStream(3, 4, loss, 10).truth();
    assertThat(new SyntheticStream(3, 4, loss, 10).truth()).isEqualTo(once);
    assertThat(new SyntheticStream(4, 4, loss, 10).truth()).isNotEqualTo(once);
    assertThat(new SyntheticStream(3, 1, loss, 10).truth()).hasSize(1); // a bias alone
  }

  @Test
  void drawsCountsWithTheMeanThatTheScoreSays() {
    Random random = Seed.random(1);
    double mean = 0;
    for (int i = 0; i < 100_000; i++) {
      mean += LabelModel.COUNT.draw(Math.log(3), random) / 100_000;
    }
    // Fixed by the seed; another one lands outside 5 standard errors once in a million.
    assertThat(mean).isCloseTo(3, within(5 * Math.sqrt(3.0 / 100_000)));
  }

  @Test
  void refusesALossWithoutLabels() {
    Loss none = new Loss() {
      @Override
      public double value(double score, double label) {
        return 0;
      }

      @Override
      public double slope(double score, double label) {
        return 0;
      }

      @Override
      public boolean admits(double label) {
        return false;
      }

      @Override
      public double lipschitz() {
        return 0;
      }

      @Override
      public double smoothness() {
        return 0;
      }

      @Override
      public double predict(double score) {
        return 0;
      }
    };
    assertThatThrownBy(() -> LabelModel.of(none)).isInstanceOf(IllegalArgumentException.class);
  }
}
