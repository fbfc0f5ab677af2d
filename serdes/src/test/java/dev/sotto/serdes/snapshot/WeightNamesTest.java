package dev.sotto.serdes.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.example.NormRule;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.serdes.event.JsonEventDecoder;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.FeatureNames;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.feature.NumberCurve;
import dev.sotto.serdes.feature.Transform;
import dev.sotto.testing.Seed;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WeightNamesTest {
  private static final FeatureMap MAP = FeatureMap.builder()
      .hashBits(3)
      .norm(NormRule.CLIP)
      .numeric("age", "age", 0, 120, Transform.LOG1P, false)
      .categorical("city", "city", true)
      .cross("both", List.of("city", "new"), true)
      .label("y", new LabelRule.Names(List.of("no", "yes", "maybe")))
      .build();

  private static ModelSnapshot manifest(int dimension, String features, String loss) {
    Guarantee guarantee =
        Guarantee.of(PrivacyUnit.RECORD, Adjacency.ZERO_OUT, "blt", 0.3, 0.4, 1e-6);
    return new ModelSnapshot(
        "model",
        new byte[16],
        0,
        1,
        dimension,
        1,
        ModelSnapshot.digest(new double[dimension], guarantee),
        features,
        loss,
        "private-ftrl",
        false,
        guarantee,
        new byte[32],
        List.of(),
        new byte[32]);
  }

  @Test
  void namesFeaturesClassesAndHiddenUnits() {
    WeightNames one = WeightNames.of(manifest(10, MAP.describe() + "events json\n", "logistic"));
    assertThat(List.of(one.of(0), one.of(1), one.of(2), one.of(9)))
        .containsExactly("bias", "age", "hashed 0 of city, both", "hashed 7 of city, both");
    WeightNames several = WeightNames.of(manifest(30, MAP.describe(), "softmax(3)"));
    assertThat(several.of(11)).isEqualTo("yes: age");
    assertThat(several.of(20)).isEqualTo("maybe: bias");
    String network = "network(hidden=2 activation=tanh output=softmax(3) seed=1)";
    WeightNames layers = WeightNames.of(manifest(29, MAP.describe(), network));
    assertThat(List.of(layers.of(11), layers.of(20), layers.of(23), layers.of(26), layers.of(28)))
        .containsExactly(
            "hidden 1: age", "no: hidden 0", "yes: hidden 1", "no: bias", "maybe: bias");
  }

  /** A curve is the score of an event with that number, less that of one without. */
  @Test
  void drawsWhatANumberAddsToAScore() {
    FeatureMap map = FeatureMap.builder()
        .hats(8)
        .numeric("other", "other", -1, 1, Transform.IDENTITY, true)
        .numeric("age", "age", 0, 120, Transform.LOG1P, true)
        .label("y", new LabelRule.AsItIs())
        .build();
    double[] weights = Seed.random(1).doubles(3 * map.dimension(), -1, 1).toArray();
    WeightNames names = WeightNames.of(manifest(weights.length, map.describe(), "softmax(3)"));
    assertThat(List.of(names.of(0), names.of(11), names.of(12), names.of(20)))
        .containsExactly(
            "class 0: bias", "class 0: age", "class 0: age hat 0", "class 0: age hat 8");
    NumberCurve curve = names.curves(weights, 2).get(1);
    assertThat(curve.name()).isEqualTo("age");
    assertThat(curve.points()).hasSize(33);
    assertThat(curve.points().get(0).value()).isZero();
    assertThat(curve.points().get(32).value()).isCloseTo(120, within(1e-9));
    double[] row = Arrays.copyOfRange(weights, 2 * map.dimension(), 3 * map.dimension());
    JsonEventDecoder decoder = new JsonEventDecoder(map);
    for (NumberCurve.Point each : curve.points()) {
      Slot slot = new Slot(map.dimension());
      String event = "{\"age\":" + each.value() + ",\"y\":1}";
      decoder.decode(null, event.getBytes(StandardCharsets.UTF_8), slot);
      double[] bias = new double[map.dimension()];
      bias[0] = 1;
      double scale = slot.example().dot(bias);
      assertThat(each.score()).isCloseTo(slot.example().dot(row) / scale - row[0], within(1e-9));
    }
    assertThat(curve.spread()).isPositive();
    assertThat(WeightNames.of(manifest(10, MAP.describe(), "own(1)")).curves(weights, 0))
        .isEmpty();
    NumberCurve straight = WeightNames.of(manifest(10, MAP.describe(), "logistic"))
        .curves(weights, 0)
        .get(0);
    assertThat(straight.points()).hasSize(33);
    assertThat(straight.spread()).isCloseTo(2 * Math.abs(weights[1]), within(1e-12));
  }

  @Test
  void hasNumbersWhereTheManifestTellsNoNames() {
    assertThat(WeightNames.of(manifest(3, "examples 1\n", "logistic")).of(2)).isEqualTo("input 2");
    assertThat(WeightNames.of(manifest(3, "feature-map 9\n", "own(1)")).of(2)).isEqualTo("input 2");
    // Fewer weights than the map has features: it is not this model's.
    assertThat(WeightNames.of(manifest(3, MAP.describe(), "logistic")).of(0)).isEqualTo("input 0");
  }

  /** Each value is looked up where an event with it puts it. */
  @Test
  void findsTheCoordinateOfAValue() {
    FeatureNames names = MAP.names();
    JsonEventDecoder decoder = new JsonEventDecoder(MAP);
    for (int i = 0; i < 50; i++) {
      String city = "c\u00e4" + i;
      byte[] event = ("{\"age\":3,\"y\":\"no\",\"city\":\"" + city + "\",\"new\":\"x" + i % 3
              + "\"}")
          .getBytes(StandardCharsets.UTF_8);
      Slot slot = new Slot(MAP.dimension());
      assertThat(decoder.decode(null, event, slot)).isEqualTo(RecordStatus.USED);
      double[] expected = new double[MAP.dimension()];
      for (Map.Entry<String, String> each :
          Map.of("city", city, "both", city + ",x" + i % 3).entrySet()) {
        FeatureNames.Place place = names.place(each.getKey(), each.getValue());
        expected[place.coordinate()] += place.sign();
      }
      double[] probe = new double[MAP.dimension()];
      double scale = 0;
      for (int k = 2; k < probe.length; k++) {
        probe[k] = 1;
        double got = slot.example().dot(probe);
        probe[k] = 0;
        scale = Math.max(scale, Math.abs(got));
        assertThat(Math.signum(got)).isEqualTo(Math.signum(expected[k]));
      }
      assertThat(scale > 0).isEqualTo(java.util.Arrays.stream(expected).anyMatch(x -> x != 0));
    }
    assertThatThrownBy(() -> names.place("town", "x")).hasMessageContaining("city, both");
    assertThatThrownBy(() -> names.place("both", "x")).hasMessageContaining("2 values");
  }
}
