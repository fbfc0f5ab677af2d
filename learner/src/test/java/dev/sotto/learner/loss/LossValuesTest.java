package dev.sotto.learner.loss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

/** What is particular to one loss. */
class LossValuesTest {
  @Test
  void computesCrossEntropyWithoutOverflowOrCancellation() {
    Logistic loss = new Logistic();
    assertThat(loss.value(0, 1)).isCloseTo(Math.log(2), within(1e-16));
    assertThat(loss.value(2, 0)).isCloseTo(2.1269280110429725, within(1e-15));
    assertThat(loss.value(2, 0.25)).isCloseTo(1.6269280110429725, within(1e-15));
    assertThat(loss.value(-40, 0)).isCloseTo(Math.exp(-40), within(1e-32));
    assertThat(loss.value(1e308, 1)).isZero();
    assertThat(loss.value(-1e308, 1)).isEqualTo(1e308);
    assertThat(loss.value(1e308, 0.5)).isEqualTo(5e307);
  }

  @Test
  void keepsTheDigitsOfASmallLogisticSlope() {
    Logistic loss = new Logistic();
    assertThat(loss.slope(0, 1)).isEqualTo(-0.5);
    assertThat(loss.slope(3, 0.25)).isCloseTo(0.9525741268224334 - 0.25, within(1e-15));
    assertThat(loss.slope(-3, 0.25)).isCloseTo(0.04742587317756678 - 0.25, within(1e-15));
    assertThat(loss.slope(50, 1)).isCloseTo(-Math.exp(-50), within(1e-36));
    assertThat(loss.slope(-50, 0)).isCloseTo(Math.exp(-50), within(1e-36));
    assertThat(loss.slope(1e308, 0)).isEqualTo(1);
    assertThat(loss.slope(-1e308, 1)).isEqualTo(-1);
  }

  @Test
  void predictsAProbability() {
    Logistic loss = new Logistic();
    assertThat(loss.predict(0)).isEqualTo(0.5);
    assertThat(loss.predict(1)).isCloseTo(0.7310585786300049, within(1e-16));
    assertThat(loss.predict(-50)).isCloseTo(Math.exp(-50), within(1e-36));
    assertThat(loss.predict(1e308)).isEqualTo(1);
    assertThat(loss.predict(-1e308)).isZero();
  }

  @Test
  void readsHingeLabelsAsSigns() {
    Hinge loss = new Hinge();
    assertThat(loss.value(0.25, 1)).isEqualTo(0.75);
    assertThat(loss.value(0.25, 0)).isEqualTo(1.25);
    assertThat(loss.slope(0.25, 1)).isEqualTo(-1);
    assertThat(loss.slope(0.25, 0)).isEqualTo(1);
    assertThat(loss.slope(0.25, -0.0)).isEqualTo(1);
    assertThat(loss.slope(1, 1)).isZero();
    assertThat(loss.predict(0.25)).isEqualTo(1);
    assertThat(loss.predict(-0.25)).isZero();
  }

  @Test
  void refusesLabelsThatMeanNothing() {
    assertThat(new Hinge().admits(0.5)).isFalse();
    assertThat(new Hinge().admits(-1)).isFalse();
    assertThat(new Logistic().admits(0.5)).isTrue();
    assertThat(new Logistic().admits(Math.nextUp(1.0))).isFalse();
    assertThat(new Logistic().admits(-Double.MIN_VALUE)).isFalse();
    assertThat(new Squared().admits(-1e308)).isTrue();
    assertThat(new Huber(1).admits(1e308)).isTrue();
  }

  @Test
  void turnsLinearAtTheThreshold() {
    Huber loss = new Huber(2);
    assertThat(loss.value(4, 3)).isEqualTo(0.5);
    assertThat(loss.value(5, 3)).isEqualTo(2);
    assertThat(loss.value(3, 10)).isEqualTo(12);
    assertThat(loss.slope(3, 10)).isEqualTo(-2);
    assertThat(loss.slope(4, 3)).isEqualTo(1);
    assertThat(loss.predict(-4)).isEqualTo(-4);
  }

  @Test
  void overflowsOnlyWhereDocumented() {
    assertThat(new Squared().value(1e160, 0)).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(new Squared().slope(1e308, -1e308)).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(new Squared().predict(-4)).isEqualTo(-4);
    assertThat(new Huber(1).value(1e308, 0)).isEqualTo(1e308);
    assertThat(new Huber(1).value(1e308, -1e308)).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(new Huber(1).slope(1e308, -1e308)).isEqualTo(1);
  }

  /** The slope feeds noise and model: a change of these bits changes every recorded stream. */
  @Test
  void keepsTheBitsOfItsSlopes() {
    CRC32 bits = new CRC32();
    ByteBuffer buffer = ByteBuffer.allocate(8);
    for (Losses losses :
        Arrays.asList(Losses.LOGISTIC, Losses.SQUARED, Losses.HINGE, Losses.HUBER)) {
      Loss loss = losses.make(0.75);
      for (double score = -40; score < 40; score += 0.0173) {
        for (double label : new double[] {0, 1}) {
          bits.update(buffer.clear().putDouble(loss.slope(score, label)).array());
        }
      }
    }
    assertThat(bits.getValue()).isEqualTo(9345613L);
  }
}
