package dev.sotto.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.loss.Objectives;
import dev.sotto.learner.range.NumberRange;
import dev.sotto.serdes.event.AvroFraming;
import dev.sotto.serdes.event.JsonEventDecoder;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.FeatureMapBuilder;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.feature.Transform;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.testing.Seed;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScoringModelTest {
  private static final LabelRule NAMES = new LabelRule.Names(List.of("no", "\"1\"", "yes"));

  private static FeatureMapBuilder features() {
    return FeatureMap.builder()
        .hashBits(4)
        .numeric("age", "age", 0, 120, Transform.LOG1P, false)
        .numeric("speed", "car.speed", -5, 5, Transform.IDENTITY, true)
        .categorical("city", "city", true)
        .cross("both", List.of("city", "car.new"), true);
  }

  private static FeatureMapBuilder labelled(String loss) {
    LabelRule rule = loss.contains("softmax")
        ? NAMES
        : loss.startsWith("squared") ? new LabelRule.Range(10, 30) : new LabelRule.AsItIs();
    return features().label("y", rule);
  }

  private static double[] weights(Objective objective, int inputs) {
    return Seed.random(5).doubles(objective.dimension(inputs), -2, 2).toArray();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static final String EVENT =
      "{\"age\":%d,\"car\":{\"speed\":%s,\"new\":%b},\"city\":\"%s\"";

  /** A label whose range was measured is given back in its own unit; without a range, nothing. */
  @Test
  void predictsMeasuredLabelsInTheirUnit() {
    FeatureMapBuilder map =
        features().label("y", new LabelRule.Measured()).labelRange(NumberRange.of(-10, 30));
    double[] weights = weights(Objective.of(Losses.SQUARED.make()), map.build().dimension());
    Scorer scorer = scorer(map, weights);
    scorer.score(utf8(String.format(Locale.ROOT, EVENT, 30, "1.5", true, "c1") + "}"));
    assertThat(scorer.prediction()).isNotZero();
    assertThat(scorer.value()).isEqualTo(10 + 40 * scorer.prediction());
    map.labelRange(NumberRange.UNKNOWN);
    assertThatThrownBy(() -> scorer(map, weights))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("(unknown): give label.min and label.max");
  }

  private static Scorer scorer(FeatureMapBuilder map, double[] weights) {
    String text = map.build().describe() + "events json\nmax-bytes 1048576\n";
    return ScoringModel.of(Published.version(3, weights, text, "squared")).scorer();
  }

  /** Every objective: events without a label give what the learner predicts with one. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "logistic;0",
        "squared;12",
        "hinge;1",
        "smoothed-hinge(0.5);1",
        "absolute;3",
        "quantile(0.9);3",
        "huber(0.5);-2",
        "poisson;4",
        "softmax(3);\"1\"",
        "network(hidden=3 activation=tanh output=logistic seed=1);1",
        "network(hidden=3 activation=softplus output=softmax(3) seed=1);\"yes\""
      })
  void predictsBitForBitWhatTheLearnerPredicts(String loss, String label) {
    FeatureMap map = labelled(loss).build();
    Objective objective = Objectives.named(loss).orElseThrow();
    double[] weights = weights(objective, map.dimension());
    ScoringModel model = ScoringModel.of(
        Published.version(3, weights, map.describe() + "events json\nmax-bytes 1048576\n", loss));
    Scorer scorer = model.scorer();
    JsonEventDecoder learner = new JsonEventDecoder(map);
    Objective.Pass pass = objective.pass();
    Slot slot = new Slot(map.dimension());
    double[] outputs = new double[objective.outputs()];
    Random random = Seed.random(7);
    for (int i = 0; i < 200; i++) {
      String open = String.format(
          Locale.ROOT,
          EVENT,
          random.nextInt(130),
          random.nextGaussian(),
          random.nextBoolean(),
          "c" + random.nextInt(5));
      learner.decode(null, utf8(open + ",\"y\":" + label + "}"), slot);
      assertThat(slot.status()).isEqualTo(RecordStatus.USED);
      pass.forward(slot.example(), weights);
      pass.predictions(outputs);
      assertThat(scorer.score(utf8(open + "}"))).isEqualTo(RecordStatus.USED);
      assertThat(scorer.prediction()).isEqualTo(pass.predicted());
      int likeliest = 0;
      for (int k = 0; k < outputs.length; k++) {
        assertThat(scorer.output(k)).isEqualTo(outputs[k]);
        likeliest = outputs[k] > outputs[likeliest] ? k : likeliest;
      }
      assertThat(scorer.likeliest()).isEqualTo(likeliest);
      if (objective.outputs() > 1) {
        assertThat(scorer.output(likeliest)).isEqualTo(scorer.prediction());
      }
    }
    assertThat(model.classNames())
        .isEqualTo(loss.contains("softmax") ? List.of("no", "1", "yes") : List.of());
  }

  @Test
  void readsMapsAndAvroAsItReadsJson() throws IOException {
    FeatureMap map = labelled("logistic").build();
    double[] weights = weights(Objectives.named("logistic").orElseThrow(), map.dimension());
    ScoringModel model = ScoringModel.of(Published.version(3, weights, map.describe(), "logistic"));
    Schema schema = new Schema.Parser()
        .parse("{\"type\":\"record\",\"name\":\"E\",\"fields\":["
            + "{\"name\":\"age\",\"type\":\"int\"},{\"name\":\"city\",\"type\":\"string\"},"
            + "{\"name\":\"car\",\"type\":{\"type\":\"record\",\"name\":\"C\",\"fields\":["
            + "{\"name\":\"speed\",\"type\":[\"null\",\"double\"]},"
            + "{\"name\":\"new\",\"type\":\"boolean\"}]}}]}");
    Scorer json = model.scorer();
    Scorer avro = model.scorer(AvroFraming.RAW, List.of(schema));
    Random random = Seed.random(8);
    for (int i = 0; i < 100; i++) {
      int age = random.nextInt(130);
      Double speed = i % 3 == 0 ? null : Double.valueOf(Math.rint(random.nextGaussian() * 4) / 2);
      boolean fresh = random.nextBoolean();
      json.score(
          utf8(String.format(Locale.ROOT, EVENT, age, speed, fresh, "\u00e4" + i % 4) + "}"));
      GenericRecord car = new GenericData.Record(schema.getField("car").schema());
      car.put("speed", speed);
      car.put("new", fresh);
      GenericRecord event = new GenericData.Record(schema);
      event.put("age", age);
      event.put("city", "\u00e4" + i % 4);
      event.put("car", car);
      assertThat(avro.score(bytes(schema, event))).isEqualTo(RecordStatus.USED);
      assertThat(avro.prediction()).isEqualTo(json.prediction());
      Map<String, Object> carMap = new java.util.HashMap<>(Map.of("new", fresh));
      carMap.put("speed", speed);
      double before = json.prediction();
      assertThat(json.score(Map.of("age", (long) age, "city", "\u00e4" + i % 4, "car", carMap)))
          .isEqualTo(RecordStatus.USED);
      assertThat(json.prediction()).isEqualTo(before);
    }
    assertThat(json.score(Map.of("city", "x"))).isEqualTo(RecordStatus.MISSING_FIELD);
    assertThat(json.score(Map.of("age", "33"))).isEqualTo(RecordStatus.USED);
    assertThat(json.score(Map.of("age", "old"))).isEqualTo(RecordStatus.WRONG_TYPE);
    assertThat(json.score(utf8("{"))).isEqualTo(RecordStatus.UNREADABLE);
  }

  private static byte[] bytes(Schema schema, GenericRecord record) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
    new GenericDatumWriter<GenericRecord>(schema).write(record, encoder);
    encoder.flush();
    return out.toByteArray();
  }

  @Test
  void scoresVectorsOfModelsThatLearnFromExamples() {
    double[] weights = {0.5, -1, 2};
    ScoringModel model = ScoringModel.of(Published.version(
        3, weights, "examples 1\ndimension 3\nunit none\nmax-bytes 100\n", "logistic"));
    Scorer scorer = model.scorer();
    double[] x = {0.1, 0.2, -0.3};
    double expected = 1 / (1 + Math.exp(-(0.05 - 0.2 - 0.6)));
    assertThat(scorer.score(x)).isCloseTo(expected, within(1e-15));
    assertThat(scorer.score(new int[] {2, 0, 1}, new double[] {-0.3, 0.1, 0.2}))
        .isCloseTo(expected, within(1e-15));
    assertThat(scorer.score(ExampleCodec.encodeDense(null, null, x, 0, 1)))
        .isEqualTo(RecordStatus.USED);
    assertThat(scorer.prediction()).isEqualTo(scorer.score(x));
    assertThatThrownBy(() -> scorer.score(Map.of("a", 1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("examples 1");
    assertThatThrownBy(() -> scorer.score(new double[2])).hasMessageContaining("3 coordinates");
    assertThatThrownBy(() -> scorer.score(new int[] {3}, new double[] {1}))
        .hasMessageContaining("below 3");
  }

  @Test
  void givesValuesInTheUnitOfTheirField() {
    FeatureMap map = labelled("squared").build();
    double[] weights = new double[map.dimension()];
    weights[0] = 0.25;
    Scorer scorer = ScoringModel.of(Published.version(1, weights, map.describe(), "squared"))
        .scorer();
    assertThat(scorer.score(utf8("{\"age\":0}"))).isEqualTo(RecordStatus.USED);
    assertThat(scorer.value()).isEqualTo(10 + 20 * scorer.prediction());
  }

  @Test
  void refusesWhatItDoesNotUnderstand() {
    double[] weights = new double[21];
    assertThatThrownBy(
            () -> ScoringModel.of(Published.version(9, weights, "examples 1\n", "tweedie(3)")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("tweedie(3)", "newer");
    assertThatThrownBy(
            () -> ScoringModel.of(Published.version(9, weights, "feature-map 2\n", "logistic")))
        .hasMessageContainingAll("feature-map 2", "newer version");
    String other = labelled("logistic").build().describe();
    assertThatThrownBy(() -> ScoringModel.of(Published.version(9, weights, other, "logistic")))
        .hasMessageContaining("19 features");
  }
}
