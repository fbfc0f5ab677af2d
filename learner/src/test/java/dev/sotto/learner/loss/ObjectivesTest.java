package dev.sotto.learner.loss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.example.Example;
import dev.sotto.testing.Seed;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of {@link Objective}: gradients against differences of values. */
class ObjectivesTest {
  private static final int INPUTS = 5;

  static Stream<Objective> objectives() {
    Stream<Objective> networks = Arrays.stream(Activations.values())
        .flatMap(each -> Stream.of(
            new Network(3, each, new OutputLayer.Score(new Logistic()), 1),
            new Network(4, each, new OutputLayer.Score(new Squared()), -2),
            new Network(2, each, new OutputLayer.Classes(3), 7)));
    Stream<Objective> others = Stream.of(
        new Softmax(2),
        new Softmax(4),
        Objective.of(new Logistic()),
        Objective.of(new Poisson()),
        Objective.of(new SmoothedHinge(0.5)));
    return Stream.concat(networks, others);
  }

  private static Example example(Random random, boolean sparse) {
    Example example = new Example(INPUTS);
    if (sparse) {
      example.clear();
      for (int i : new int[] {3, 0}) {
        example.add(i, random.nextGaussian());
      }
      return example;
    }
    double[] values = example.dense();
    for (int i = 0; i < INPUTS; i++) {
      values[i] = random.nextGaussian() / 2;
    }
    return example;
  }

  private static double label(Objective objective, Random random) {
    double label;
    do {
      label = random.nextInt(4);
    } while (!objective.admits(label));
    return label;
  }

  private static double[] gradient(
      Objective objective, Example example, double[] weights, double label) {
    double[] outer = new double[objective.rows()];
    double[] tail = new double[objective.tail()];
    Objective.Pass pass = objective.pass();
    pass.forward(example, weights);
    pass.backward(label, 1, outer, tail);
    double[] gradient = new double[weights.length];
    for (int row = 0; row < outer.length; row++) {
      for (int i = 0; i < example.size(); i++) {
        gradient[row * INPUTS + example.index(i)] += outer[row] * example.value(i);
      }
    }
    System.arraycopy(tail, 0, gradient, outer.length * INPUTS, tail.length);
    return gradient;
  }

  /** The largest fault against a fourth-order central difference, over some places. */
  private static double fault(Objective objective, double bend) {
    Random random = Seed.random(3);
    double worst = 0;
    for (int trial = 0; trial < 20; trial++) {
      Example example = example(random, trial % 2 == 0);
      double label = label(objective, random);
      double[] weights = new double[objective.dimension(INPUTS)];
      objective.start(weights);
      for (int i = 0; i < weights.length; i++) {
        weights[i] += random.nextGaussian() / 2;
      }
      double[] gradient = gradient(objective, example, weights, label);
      Objective.Pass pass = objective.pass();
      for (int i = 0; i < weights.length; i++) {
        double at = weights[i];
        double step = 1e-3;
        double difference = 0;
        double[] factors = {8, -8, -1, 1};
        double[] places = {step, -step, 2 * step, -2 * step};
        for (int k = 0; k < 4; k++) {
          weights[i] = at + places[k];
          pass.forward(example, weights);
          difference += factors[k] * pass.value(label);
        }
        weights[i] = at;
        worst = Math.max(worst, Math.abs(difference / (12 * step) - gradient[i] * (1 + bend)));
      }
    }
    return worst;
  }

  @ParameterizedTest
  @MethodSource("objectives")
  void givesTheGradientOfItsValue(Objective objective) {
    boolean kinked =
        objective instanceof SingleScore single && single.loss() instanceof SmoothedHinge;
    assertThat(fault(objective, 0)).isLessThan(kinked ? 2e-3 : 1e-8);
    assertThat(fault(objective, 0.1)).isGreaterThan(2e-3); // the check can fail
  }

  @ParameterizedTest
  @MethodSource("objectives")
  void scalesAndAddsUpGradients(Objective objective) {
    Random random = Seed.random(5);
    Example example = example(random, false);
    double label = label(objective, random);
    double[] weights = new double[objective.dimension(INPUTS)];
    objective.start(weights);
    Objective.Pass pass = objective.pass();
    double[] once = new double[objective.rows()];
    double[] onceTail = new double[objective.tail()];
    pass.forward(example, weights);
    pass.backward(label, 1, once, onceTail);
    double[] both = new double[objective.rows()];
    double[] bothTail = new double[objective.tail()];
    pass.backward(label, 2, both, bothTail);
    pass.backward(label, -0.5, both, bothTail);
    for (int i = 0; i < once.length; i++) {
      assertThat(both[i]).isEqualTo(1.5 * once[i], within(1e-15 * (1 + Math.abs(once[i]))));
    }
    for (int i = 0; i < onceTail.length; i++) {
      assertThat(bothTail[i])
          .isEqualTo(1.5 * onceTail[i], within(1e-15 * (1 + Math.abs(onceTail[i]))));
    }
  }

  @ParameterizedTest
  @MethodSource("objectives")
  void countsItsWeights(Objective objective) {
    assertThat(objective.inputs(objective.dimension(INPUTS))).isEqualTo(INPUTS);
    assertThat(objective.dimension(INPUTS)).isEqualTo(objective.rows() * INPUTS + objective.tail());
  }

  @Test
  void knowsTheSoftmaxOfThreeScores() {
    Objective softmax = new Softmax(3);
    Example one = new Example(1);
    one.dense()[0] = 1;
    Objective.Pass pass = softmax.pass();
    pass.forward(one, new double[] {Math.log(1), Math.log(2), Math.log(5)});
    assertThat(pass.value(1)).isEqualTo(Math.log(4), within(1e-15));
    assertThat(pass.predicted()).isEqualTo(0.625, within(1e-15));
    assertThat(pass.isRight(2)).isTrue();
    assertThat(pass.target(2)).isEqualTo(1);
    assertThat(pass.isRight(1)).isFalse();
    assertThat(pass.target(0)).isZero();
    double[] outer = new double[3];
    pass.backward(1, 1, outer, new double[0]);
    assertThat(outer).containsExactly(new double[] {0.125, -0.75, 0.625}, within(1e-15));
    assertThat(softmax.admits(2)).isTrue();
    for (double no : new double[] {-1, 3, 0.5, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThat(softmax.admits(no)).isFalse();
    }
  }

  /** Two classes are the logistic loss of the difference of their scores. */
  @Test
  void agreesWithTheLogisticLoss() {
    Random random = Seed.random(8);
    Logistic logistic = new Logistic();
    Objective.Pass pass = new Softmax(2).pass();
    for (int i = 0; i < 1000; i++) {
      Example one = new Example(1);
      one.dense()[0] = 1;
      double low = 30 * random.nextGaussian();
      double high = 30 * random.nextGaussian();
      pass.forward(one, new double[] {low, high});
      double[] outer = new double[2];
      pass.backward(1, 1, outer, new double[0]);
      double slope = logistic.slope(high - low, 1);
      assertThat(outer[1]).isEqualTo(slope, within(1e-14 * Math.abs(slope) + 1e-300));
      assertThat(outer[0]).isEqualTo(-outer[1]);
      double value = logistic.value(high - low, 1);
      assertThat(pass.value(1))
          .isEqualTo(value, within(1e-13 * (1 + Math.abs(high) + Math.abs(low))));
    }
  }

  @Test
  void staysFiniteAtHugeScores() {
    Example one = new Example(1);
    one.dense()[0] = 1;
    Objective.Pass pass = new Softmax(3).pass();
    pass.forward(one, new double[] {1e300, -1e300, 9e299});
    assertThat(pass.value(0)).isZero();
    assertThat(pass.value(1)).isEqualTo(2e300);
    pass.forward(one, new double[] {Double.POSITIVE_INFINITY, 0, 1});
    assertThat(pass.value(0)).isNaN();
    assertThat(pass.predicted()).isNaN();
    double[] outer = new double[3];
    pass.backward(1, 1, outer, new double[0]);
    assertThat(outer[1]).isNaN();
  }

  /** Hessians of softmax: no curvature above the smoothness, and one place that reaches it. */
  @Test
  void keepsTheBoundsOfSoftmax() {
    Softmax softmax = new Softmax(3);
    Random random = Seed.random(4);
    double steepest = 0;
    double mostCurved = 0;
    for (int i = 0; i < 3000; i++) {
      double[] at = {4 * random.nextGaussian(), 4 * random.nextGaussian(), 4 * random.nextGaussian()
      };
      double[] along = {random.nextGaussian(), random.nextGaussian(), random.nextGaussian()};
      if (i == 0) {
        at = new double[] {0, 0, -50};
        along = new double[] {1, -1, 0};
      }
      double length = Math.sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
      double[] moved = new double[3];
      for (int k = 0; k < 3; k++) {
        moved[k] = at[k] + 1e-4 * along[k] / length;
      }
      double[] here = slopes(softmax, at);
      double[] there = slopes(softmax, moved);
      double norm = 0;
      double change = 0;
      for (int k = 0; k < 3; k++) {
        norm += here[k] * here[k];
        change += (there[k] - here[k]) * (there[k] - here[k]);
      }
      steepest = Math.max(steepest, Math.sqrt(norm));
      mostCurved = Math.max(mostCurved, Math.sqrt(change) / 1e-4);
    }
    assertThat(steepest).isLessThanOrEqualTo(softmax.lipschitz()).isGreaterThan(1.3);
    assertThat(mostCurved).isLessThan(softmax.smoothness() + 1e-6).isGreaterThan(0.49);
  }

  private static double[] slopes(Softmax softmax, double[] weights) {
    Example one = new Example(1);
    one.dense()[0] = 1;
    Objective.Pass pass = softmax.pass();
    pass.forward(one, weights);
    double[] outer = new double[3];
    pass.backward(0, 1, outer, new double[0]);
    return outer;
  }

  @ParameterizedTest
  @EnumSource
  void derivesActivations(Activations each) {
    for (double a = -6; a <= 6; a += 0.37) {
      double h = 1e-5;
      assertThat(each.slope(a))
          .isEqualTo((each.value(a + h) - each.value(a - h)) / (2 * h), within(1e-8));
    }
    for (double a : new double[] {1e4, 1e200, Double.MAX_VALUE}) {
      assertThat(each.value(a)).isNotNaN();
      assertThat(each.value(-a)).isNotNaN();
      assertThat(each.slope(a)).isBetween(0.0, 1.0);
      assertThat(each.slope(-a)).isBetween(-0.0, 1.0);
    }
    assertThat(Activations.named(each.configName())).contains(each);
  }

  @Test
  void startsAtAPublicPlace() {
    Network network = new Network(50, Activations.TANH, new OutputLayer.Classes(4), 9);
    double[] weights = new double[network.dimension(40)];
    network.start(weights);
    double[] again = new double[weights.length];
    new Network(50, Activations.TANH, new OutputLayer.Classes(4), 9).start(again);
    assertThat(again).isEqualTo(weights);
    new Network(50, Activations.TANH, new OutputLayer.Classes(4), 10).start(again);
    assertThat(again[0]).isNotEqualTo(weights[0]);
    double squares = 0;
    for (int i = 0; i < 2000; i++) {
      squares += weights[i] * weights[i];
      assertThat(Math.abs(weights[i])).isLessThanOrEqualTo(Math.sqrt(3));
    }
    assertThat(squares / 2000).isEqualTo(1, within(0.1));
    for (int i = 2000; i < 2200; i++) {
      assertThat(Math.abs(weights[i])).isLessThanOrEqualTo(Math.sqrt(3.0 / 50));
    }
    assertThat(Arrays.copyOfRange(weights, 2200, 2204)).containsOnly(0);
  }

  /** The reference of Steele, Lea and Flood: splitmix64 from 0. */
  @Test
  void drawsThePublishedNumbers() {
    SplitMix64 random = new SplitMix64(0);
    assertThat(random.symmetric()).isEqualTo((0xe220a8397b1dcdafL >> 11) * 0x1p-52);
    assertThat(random.symmetric()).isEqualTo((0x6e789e6aa1b965f4L >> 11) * 0x1p-52);
    assertThat(random.symmetric()).isEqualTo((0x06c45d188009454fL >> 11) * 0x1p-52);
  }

  @Test
  void refusesWhatIsNoObjective() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Softmax(1))
        .withMessageContaining("1");
    OutputLayer head = new OutputLayer.Classes(3);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Network(0, Activations.TANH, head, 1))
        .withMessageContaining("hidden");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new Network(1 << 20, Activations.TANH, new OutputLayer.Classes(1 << 20), 1))
        .withMessageContaining("2^31");
    assertThatIllegalArgumentException().isThrownBy(() -> new Softmax(3).inputs(7));
  }
}
