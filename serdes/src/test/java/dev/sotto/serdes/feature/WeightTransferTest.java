package dev.sotto.serdes.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.event.JsonEventDecoder;
import dev.sotto.testing.Seed;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class WeightTransferTest {
  private static FeatureMapBuilder base() {
    return FeatureMap.builder().hashBits(4).label("y", new LabelRule.AsItIs());
  }

  private static FeatureMap map(UnaryOperator<FeatureMapBuilder> changes) {
    return changes.apply(base()).build();
  }

  private static FeatureMap old() {
    return map(each -> each.numeric("size", "s \"quoted\"", 0, 8, Transform.IDENTITY, true)
        .numeric("price", "price", 1, 100, Transform.LOG1P, true)
        .categorical("kind", "kind", true)
        .cross("both", List.of("kind", "place"), true));
  }

  private static double[] weights(FeatureMap map, long seed) {
    return Seed.random(seed).doubles(map.dimension(), -1, 1).toArray();
  }

  private static double[] carried(FeatureMap from, double[] weights, FeatureMap to) {
    double[] into = new double[to.dimension()];
    WeightTransfer.between(from.describe(), to.describe()).orElseThrow().row(weights, 0, into, 0);
    return into;
  }

  /** The score of an event before its vector is brought to norm 1: the bias is 1 there. */
  private static double score(FeatureMap map, double[] weights, String event) {
    EventDecoder decoder = new JsonEventDecoder(map, 1 << 20);
    Slot slot = new Slot(map.dimension());
    assertThat(decoder.decode(null, event.getBytes(StandardCharsets.UTF_8), slot))
        .isEqualTo(RecordStatus.USED);
    double[] bias = new double[map.dimension()];
    bias[0] = 1;
    return slot.example().dot(weights) / slot.example().dot(bias);
  }

  private static String event(Random random) {
    return "{\"s \\\"quoted\\\"\":" + 8 * random.nextDouble() + ",\"price\":"
        + (1 + 99 * random.nextDouble()) + ",\"kind\":\"k" + random.nextInt(9) + "\",\"place\":\"p"
        + random.nextInt(9) + "\",\"y\":1}";
  }

  /** Wider bounds, more bits, another order and new features: the same scores. */
  @Test
  void keepsTheScoreOfEveryEvent() {
    FeatureMap from = old();
    FeatureMap to = map(each -> each.hashBits(7)
        .numeric("fresh", "fresh", 0, 1, Transform.IDENTITY, true)
        .numeric("price", "price", 0, 500, Transform.LOG1P, true)
        .numeric("size", "s \"quoted\"", -2, 10, Transform.IDENTITY, true)
        .cross("both", List.of("kind", "place"), true)
        .categorical("kind", "kind", true));
    double[] weights = weights(from, 1);
    double[] now = carried(from, weights, to);
    Random random = Seed.random(2);
    for (int i = 0; i < 200; i++) {
      String event = event(random);
      assertThat(score(to, now, event)).isCloseTo(score(from, weights, event), within(1e-12));
    }
    assertThat(
            WeightTransfer.between(from.describe(), to.describe()).orElseThrow().notes())
        .containsExactly(
            "start at 0, since they are new: fresh",
            "have other bounds, so their weights are rescaled: price, size");
  }

  /** No hats, then some: the straight line stays, and the curve begins without a bend. */
  @Test
  void beginsHatsAtZero() {
    FeatureMap from = old();
    FeatureMap to = FeatureMapText.parse(
            from.describe().replace("numeric size", "hats 4\nnumeric size"))
        .map();
    double[] weights = weights(from, 1);
    double[] now = carried(from, weights, to);
    assertThat(now[1]).isEqualTo(weights[1]);
    assertThat(now[7]).isEqualTo(weights[2]);
    for (int knot = 0; knot < 5; knot++) {
      assertThat(now[2 + knot]).isZero();
      assertThat(now[8 + knot]).isZero();
    }
    assertThat(notes(from, to))
        .containsExactly("numbers have hats now (features.hats: 4), which start at 0");
    assertThat(carried(to, now, from)).isEqualTo(weights);
    assertThat(notes(to, from)).singleElement().asString().contains("no hats any more");
  }

  /** At the knots a curve stays what it was, under more knots and under other bounds. */
  @Test
  void takesCurvesOverAtTheirKnots() {
    FeatureMap from = map(each -> each.hats(4).numeric("a", "a", 0, 8, Transform.IDENTITY, true));
    FeatureMap finer = map(each -> each.hats(8).numeric("a", "a", 0, 8, Transform.IDENTITY, true));
    FeatureMap wider =
        map(each -> each.hats(8).numeric("a", "a", -4, 12, Transform.IDENTITY, true));
    double[] weights = weights(from, 1);
    for (FeatureMap to : List.of(finer, wider)) {
      double[] now = carried(from, weights, to);
      for (int value = 0; value <= 8; value += 2) {
        String event = "{\"a\":" + value + ",\"y\":1}";
        assertThat(score(to, now, event)).isCloseTo(score(from, weights, event), within(1e-12));
      }
    }
    assertThat(notes(from, finer)).singleElement().asString().contains("8 instead of 4");
    FeatureMap same = map(each -> each.hats(4)
        .numeric("a", "a", 0, 8, Transform.IDENTITY, true)
        .numeric("b", "b", 0, 1, Transform.IDENTITY, true));
    assertThat(carried(from, weights, same)).startsWith(weights);
  }

  private static List<String> notes(FeatureMap from, FeatureMap to) {
    return WeightTransfer.between(from.describe(), to.describe()).orElseThrow().notes();
  }

  /** What means something else now starts at 0, and it is said. */
  @Test
  void startsAtZeroWhatMeansSomethingElse() {
    FeatureMap from = old();
    FeatureMap to = map(each -> each.hashBits(3)
        .numeric("size", "other", 0, 8, Transform.IDENTITY, true)
        .numeric("price", "price", 1, 100, Transform.IDENTITY, true)
        .numeric("both", "both", 0, 1, Transform.IDENTITY, true)
        .categorical("kind", "kind", true));
    double[] weights = weights(from, 1);
    double[] now = carried(from, weights, to);
    assertThat(now[0]).isEqualTo(weights[0]);
    for (int i = 1; i < now.length; i++) {
      assertThat(now[i]).as("weight %d", i).isZero();
    }
    assertThat(
            WeightTransfer.between(from.describe(), to.describe()).orElseThrow().notes())
        .anyMatch(each -> each.contains("they mean something else now: size, price, both"))
        .anyMatch(each -> each.contains("2^4"));
  }

  @Test
  void tellsAnAbsentBiasAndWhatIsGone() {
    FeatureMap from = old();
    FeatureMap to =
        map(each -> each.bias(false).numeric("price", "price", 1, 100, Transform.LOG1P, false));
    double[] weights = weights(from, 1);
    assertThat(carried(from, weights, to)).containsExactly(weights[2]);
    assertThat(
            WeightTransfer.between(from.describe(), to.describe()).orElseThrow().notes())
        .containsExactly("are gone: size, kind, both", "the bias is gone");
  }

  @Test
  void needsNamesUnlessNothingChanged() {
    assertThat(WeightTransfer.between("examples 1\ndimension 4\n", "examples 1\ndimension 4\n"))
        .hasValueSatisfying(each -> assertThat(each.isIdentity()).isTrue());
    assertThat(WeightTransfer.between("examples 1\ndimension 4\n", old().describe()))
        .isEmpty();
    assertThat(WeightTransfer.between(old().describe(), "a decoder of one's own"))
        .isEmpty();
    assertThat(WeightTransfer.between(
            old().describe() + "numeric broken \"b\" x y identity required\n",
            old().describe()))
        .isEmpty();
  }

  @Test
  void refusesWeightsThatAreTooFew() {
    FeatureMap from = old();
    FeatureMap to = map(each -> each.categorical("kind", "kind", true));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> carried(from, new double[from.dimension() - 1], to))
        .withMessageContaining("does not lie in");
  }
}
