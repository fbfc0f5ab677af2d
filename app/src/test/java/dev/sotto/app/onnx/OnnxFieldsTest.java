package dev.sotto.app.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.sotto.client.Scorer;
import dev.sotto.client.ScoringModel;
import dev.sotto.learner.example.NormRule;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.loss.Objectives;
import dev.sotto.onnx.OnnxModel;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.FeatureMapBuilder;
import dev.sotto.serdes.feature.HashedFeature;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.feature.Transform;
import dev.sotto.testing.Seed;
import dev.sotto.testing.Tier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.commons.codec.digest.MurmurHash3;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Fields go into ONNX Runtime, and what comes out is what the client predicts of the same events:
 * hashing, crosses, coordinates that several texts share, missing values and the norm rule.
 */
class OnnxFieldsTest {
  private static final int EXAMPLES = Tier.choose(1_000, 10_000);
  private static final double CLOSE = 1e-12; // of a prediction of about 1: rounding of some sums
  private static final String[] TEXTS = {"", "a", "Zürich", "日本", "5", "a,b", "0:", "x".repeat(70)};

  /** Few coordinates: most examples have texts that share one. */
  private static FeatureMapBuilder features(boolean bias, NormRule norm) {
    return FeatureMap.builder()
        .bias(bias)
        .hats(5)
        .norm(norm)
        .hashBits(2)
        .numeric("far", "far", 0, 10, Transform.IDENTITY, false)
        .numeric("paid", "paid", 0, 1000, Transform.LOG1P, true)
        .categorical("city", "city", false)
        .categorical("shop", "shop", true)
        .cross("both", List.of("city", "shop"), true)
        .label("y", new LabelRule.AsItIs());
  }

  /** Octaves are no operators: such a model takes vectors. */
  @Test
  void refusesNumbersWithoutBounds() {
    FeatureMap map = FeatureMap.builder()
        .unbounded("far", "far", false)
        .measured(true)
        .label("y", new LabelRule.AsItIs())
        .build();
    ScoringModel model = model("logistic", map);
    assertThatThrownBy(() -> OnnxModel.of(model, OnnxModel.Form.FIELDS))
        .hasMessageContaining("has numbers without bounds (far)")
        .hasMessageContaining("choose dense or sparse");
    assertThat(OnnxModel.of(model, OnnxModel.Form.DENSE)).isNotEmpty();
  }

  private static ScoringModel model(String loss, FeatureMap map) {
    Objective objective = Objectives.named(loss).orElseThrow();
    double[] weights = Seed.random(4)
        .doubles(map.dimension() * (long) objective.rows() + objective.tail(), -2, 2)
        .toArray();
    return OnnxModelTest.model(loss, map.describe(), weights);
  }

  private static Map<String, Object> event(Random random) {
    Map<String, Object> event = new HashMap<>();
    event.put("far", random.nextDouble(-1, 11));
    event.put("city", TEXTS[random.nextInt(TEXTS.length)]);
    if (random.nextInt(3) > 0) {
      event.put("paid", Math.exp(random.nextDouble(-9, 8)));
    }
    if (random.nextInt(3) > 0) {
      event.put("shop", TEXTS[random.nextInt(TEXTS.length)]);
    }
    return event;
  }

  private static String counted(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length + ":" + text;
  }

  /** What somebody does who has read docs/onnx.md. */
  private static Map<String, OnnxTensor> columns(List<Map<String, Object>> events)
      throws OrtException {
    List<double[]> far = new ArrayList<>();
    List<double[]> paid = new ArrayList<>();
    List<String> city = new ArrayList<>();
    List<String> shop = new ArrayList<>();
    List<String> both = new ArrayList<>();
    boolean[][] given = new boolean[events.size()][1];
    for (int i = 0; i < events.size(); i++) {
      Map<String, Object> event = events.get(i);
      String name = (String) event.getOrDefault("shop", "anything");
      far.add(new double[] {(double) event.get("far")});
      paid.add(new double[] {(double) event.getOrDefault("paid", Double.NaN)});
      city.add((String) event.get("city"));
      shop.add(name);
      both.add(counted((String) event.get("city")) + counted(name));
      given[i][0] = event.containsKey("shop");
    }
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    Map<String, OnnxTensor> all = new HashMap<>();
    all.put("numeric.far", OnnxTensor.createTensor(environment, far.toArray(double[][]::new)));
    all.put("numeric.paid", OnnxTensor.createTensor(environment, paid.toArray(double[][]::new)));
    all.put("categorical.city", texts(city));
    all.put("categorical.shop", texts(shop));
    all.put("cross.both", texts(both));
    all.put("given.shop", OnnxTensor.createTensor(environment, given));
    all.put("given.both", OnnxTensor.createTensor(environment, given));
    return all;
  }

  private static OnnxTensor texts(List<String> column) throws OrtException {
    return OnnxTensor.createTensor(
        OrtEnvironment.getEnvironment(), column.toArray(String[]::new), new long[] {column.size(), 1
        });
  }

  private static double[][] predicted(OrtSession session, List<Map<String, Object>> events)
      throws OrtException {
    Map<String, OnnxTensor> columns = columns(events);
    try (OrtSession.Result result = session.run(columns)) {
      return (double[][]) result.get("prediction").orElseThrow().getValue();
    } finally {
      columns.values().forEach(OnnxTensor::close);
    }
  }

  private static OrtSession session(ScoringModel model) throws OrtException {
    return OnnxModelTest.session(OnnxModel.of(model, OnnxModel.Form.FIELDS));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "logistic | true | SCALE | 8",
        "logistic | false | CLIP | 1",
        "squared | true | CLIP | 0",
        "softmax(3) | false | SCALE | 5",
        "network(hidden=6 activation=tanh output=softmax(3) seed=1) | true | SCALE | 8"
      })
  void predictsFromFieldsWhatTheClientDoes(String loss, boolean bias, NormRule norm, int hats)
      throws OrtException {
    ScoringModel model = model(loss, features(bias, norm).hats(hats).build());
    Scorer scorer = model.scorer();
    Random random = Seed.random(5);
    List<Map<String, Object>> events = new ArrayList<>();
    for (int i = 0; i < EXAMPLES; i++) {
      events.add(event(random));
    }
    try (OrtSession session = session(model)) {
      assertThat(session.getInputNames())
          .containsExactlyInAnyOrderElementsOf(OnnxModel.columns(model));
      double[][] predicted = predicted(session, events);
      assertThat(predicted).hasDimensions(EXAMPLES, scorer.outputs());
      for (int i = 0; i < EXAMPLES; i++) {
        assertThat(scorer.score(events.get(i))).isEqualTo(RecordStatus.USED);
        for (int k = 0; k < scorer.outputs(); k++) {
          assertThat(predicted[i][k])
              .as("event %s", events.get(i))
              .isCloseTo(scorer.output(k), within(CLOSE * Math.max(1, Math.abs(scorer.output(k)))));
        }
      }
    }
  }

  /** The broken twin: a cross without the lengths of its values. */
  @Test
  void wouldNoticeAnotherHash() throws OrtException {
    ScoringModel model =
        model("logistic", features(true, NormRule.SCALE).hashBits(20).build());
    Map<String, Object> event = event(Seed.random(2));
    event.put("shop", "here");
    model.scorer().score(event);
    try (OrtSession session = session(model)) {
      Map<String, OnnxTensor> columns = columns(List.of(event));
      columns.put("cross.both", texts(List.of(event.get("city") + "here"))).close();
      Scorer scorer = model.scorer();
      scorer.score(event);
      try (OrtSession.Result result = session.run(columns)) {
        double[][] wrong = (double[][]) result.get("prediction").orElseThrow().getValue();
        assertThat(Math.abs(wrong[0][0] - scorer.prediction())).isGreaterThan(1e-3);
      } finally {
        columns.values().forEach(OnnxTensor::close);
      }
    }
  }

  /** No number is nothing to a feature that may be missing, and no prediction to one that not. */
  @Test
  void predictsNothingFromANumberThatIsNone() throws OrtException {
    ScoringModel model = model("logistic", features(true, NormRule.SCALE).build());
    try (OrtSession session = session(model)) {
      for (String field : List.of("far", "paid")) {
        for (double value : new double[] {Double.POSITIVE_INFINITY, Double.NaN}) {
          Map<String, Object> event = event(Seed.random(2));
          event.put(field, value);
          boolean missing = field.equals("paid") && Double.isNaN(value);
          assertThat(Double.isNaN(predicted(session, List.of(event))[0][0])).isNotEqualTo(missing);
        }
      }
    }
  }

  /**
   * What the page says of characters beyond U+FFFF: the runtime's Java binding gives them to the
   * graph as two halves of three bytes each, and other bytes have another hash. Where this fails,
   * the binding has been mended, and the page is to say so.
   */
  @Test
  void hashesTheBytesThatTheJavaBindingGives() throws OrtException {
    FeatureMap map = FeatureMap.builder()
        .bias(false)
        .categorical("city", "city", false)
        .label("y", new LabelRule.AsItIs())
        .build();
    ScoringModel model = model("squared", map);
    byte[] given = HexFormat.of()
        .parseHex("63" + "69" + "74" + "79" + "3d" + "eda0bd" + "edb880"); // city= and two halves
    int hash = MurmurHash3.hash32x86(given, 0, given.length, HashedFeature.SEED);
    double weight = model.published().weights()[hash & 0xffff];
    try (OrtSession session = session(model);
        OnnxTensor city = texts(List.of("\ud83d\ude00"));
        OrtSession.Result result = session.run(Map.of("categorical.city", city))) {
      double[][] predicted = (double[][]) result.get("prediction").orElseThrow().getValue();
      assertThat(predicted[0][0]).isCloseTo(hash < 0 ? -weight : weight, within(CLOSE));
    }
  }

  @Test
  void saysThatOnlyTheRuntimeHashes() throws OrtException {
    FeatureMap numbers = FeatureMap.builder()
        .numeric("far", "far", 0, 10, Transform.IDENTITY, false)
        .label("y", new LabelRule.AsItIs())
        .build();
    ScoringModel standard = model("logistic", numbers);
    try (OrtSession hashed =
            session(model("logistic", features(true, NormRule.SCALE).build()));
        OrtSession plain = session(standard);
        OnnxTensor far =
            OnnxTensor.createTensor(OrtEnvironment.getEnvironment(), new double[][] {{5}});
        OrtSession.Result result = plain.run(Map.of("numeric.far", far))) {
      assertThat(hashed.getMetadata().getCustomMetadata())
          .containsEntry("sotto.operators", "com.microsoft");
      assertThat(plain.getMetadata().getCustomMetadata())
          .containsEntry("sotto.operators", "standard");
      Scorer scorer = standard.scorer();
      scorer.score(Map.of("far", 5));
      assertThat(((double[][]) result.get("prediction").orElseThrow().getValue())[0][0])
          .isCloseTo(scorer.prediction(), within(CLOSE));
    }
  }

  @Test
  void refusesAModelWithoutFields() {
    ScoringModel vectors = OnnxModelTest.model("logistic", 4, 1);
    assertThatThrownBy(() -> OnnxModel.of(vectors, OnnxModel.Form.FIELDS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("are not mapped by their fields")
        .hasMessageContaining("choose dense or sparse");
  }
}
