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
import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.loss.Objectives;
import dev.sotto.learner.range.NumberRange;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.onnx.OnnxModel;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.FeatureMapBuilder;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.feature.Transform;
import dev.sotto.serdes.snapshot.PublishedModel;
import dev.sotto.testing.Seed;
import dev.sotto.testing.Tier;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What ONNX Runtime computes from an exported model is what the client predicts. (Version 1.29 of
 * the runtime ends a process whose command line is longer than some 4 KB; test processes have their
 * class path in a manifest.)
 */
class OnnxModelTest {
  private static final int EXAMPLES = Tier.choose(400, 10_000);
  private static final int INPUTS = 12;
  private static final double CLOSE = 1e-12; // of a prediction of about 1: rounding of some sums

  static ScoringModel model(String loss, int inputs, long seed) {
    Objective objective = Objectives.named(loss).orElseThrow();
    double[] weights = Seed.random(seed)
        .doubles(inputs * (long) objective.rows() + objective.tail(), -2, 2)
        .toArray();
    return model(loss, inputs, weights);
  }

  private static ScoringModel model(String loss, int inputs, double[] weights) {
    return model(loss, "examples 1\ndimension " + inputs + "\n", weights);
  }

  static ScoringModel model(String loss, String features, double[] weights) {
    Guarantee guarantee =
        Guarantee.of(PrivacyUnit.RECORD, Adjacency.ZERO_OUT, "any", 0.25, 0.5, 1e-6);
    return ScoringModel.of(new PublishedModel(
        new ModelSnapshot(
            "m",
            new byte[16],
            0,
            7,
            weights.length,
            1,
            ModelSnapshot.digest(weights, guarantee),
            features,
            loss,
            "private-ftrl",
            false,
            guarantee,
            new byte[32],
            List.of(),
            new byte[32]),
        weights));
  }

  private static double[] features(Random random, int inputs) {
    double[] all = new double[inputs];
    for (int i = 0; i < inputs; i++) {
      all[i] = random.nextInt(3) == 0 ? 0 : random.nextDouble(-1, 1) / Math.sqrt(inputs);
    }
    return all;
  }

  private static double[] dense(OrtSession session, double[][] features) throws OrtException {
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    try (OnnxTensor in = OnnxTensor.createTensor(environment, features);
        OrtSession.Result result = session.run(Map.of("features", in))) {
      return flat((double[][]) result.get("prediction").orElseThrow().getValue());
    }
  }

  private static double[] sparse(OrtSession session, double[] features) throws OrtException {
    TreeMap<Integer, Double> given = new TreeMap<>();
    for (int i = 0; i < features.length; i++) {
      if (features[i] != 0) {
        given.put(i, features[i]);
      }
    }
    long[] indices = given.keySet().stream().mapToLong(Integer::longValue).toArray();
    double[] values = given.values().stream().mapToDouble(Double::doubleValue).toArray();
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    try (OnnxTensor at = OnnxTensor.createTensor(environment, indices);
        OnnxTensor of = OnnxTensor.createTensor(environment, values);
        OrtSession.Result result = session.run(Map.of("indices", at, "values", of))) {
      return flat((double[][]) result.get("prediction").orElseThrow().getValue());
    }
  }

  private static double[] flat(double[][] rows) {
    double[] all = new double[rows.length * rows[0].length];
    for (int i = 0; i < rows.length; i++) {
      System.arraycopy(rows[i], 0, all, i * rows[0].length, rows[0].length);
    }
    return all;
  }

  static OrtSession session(byte[] file) throws OrtException {
    try (OrtSession.SessionOptions alone = new OrtSession.SessionOptions()) {
      alone.setIntraOpNumThreads(1); // others would wait for work by turning
      alone.setInterOpNumThreads(1);
      return OrtEnvironment.getEnvironment().createSession(file, alone);
    }
  }

  private static double[] expected(Scorer scorer, double[] features) {
    scorer.score(features);
    double[] all = new double[scorer.outputs()];
    for (int k = 0; k < all.length; k++) {
      all[k] = scorer.output(k);
    }
    return all;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "logistic",
        "squared",
        "hinge",
        "smoothed-hinge(1)",
        "absolute",
        "quantile(0.9)",
        "huber(1)",
        "poisson",
        "softmax(5)",
        "network(hidden=6 activation=tanh output=logistic seed=1)",
        "network(hidden=6 activation=sigmoid output=squared seed=1)",
        "network(hidden=6 activation=softplus output=softmax(3) seed=1)",
        "network(hidden=6 activation=swish output=softmax(3) seed=1)",
        "network(hidden=6 activation=gelu output=logistic seed=1)"
      })
  void predictsWhatTheClientDoes(String loss) throws OrtException {
    ScoringModel model = model(loss, INPUTS, 3);
    Scorer scorer = model.scorer();
    Random random = Seed.random(5);
    double[][] examples = new double[EXAMPLES][];
    for (int i = 0; i < EXAMPLES; i++) {
      examples[i] = features(random, INPUTS);
    }
    try (OrtSession together = session(OnnxModel.of(model, OnnxModel.Form.DENSE));
        OrtSession single = session(OnnxModel.of(model, OnnxModel.Form.SPARSE))) {
      double[] predicted = dense(together, examples);
      assertThat(predicted).hasSize(EXAMPLES * scorer.outputs());
      for (int i = 0; i < EXAMPLES; i++) {
        double[] due = expected(scorer, examples[i]);
        double[] bySparse = sparse(single, examples[i]);
        for (int k = 0; k < due.length; k++) {
          double near = CLOSE * Math.max(1, Math.abs(due[k]));
          assertThat(predicted[i * due.length + k]).isCloseTo(due[k], within(near));
          assertThat(bySparse[k]).isCloseTo(due[k], within(near));
        }
      }
    }
  }

  /** The broken twin: one weight moved by 1e-9. */
  @Test
  void wouldNoticeAnotherWeight() throws OrtException {
    ScoringModel model = model("logistic", INPUTS, 3);
    double[] moved = model.published().weights().clone();
    moved[4] += 1e-9;
    double[] features = features(Seed.random(5), INPUTS);
    features[4] = 0.5;
    try (OrtSession session =
        session(OnnxModel.of(model("logistic", INPUTS, moved), OnnxModel.Form.DENSE))) {
      double due = expected(model.scorer(), features)[0];
      assertThat(Math.abs(dense(session, new double[][] {features})[0] - due))
          .isGreaterThan(10 * CLOSE);
    }
  }

  @Test
  void predictsFromManyWeightsOfWhichFewCount() throws OrtException {
    int inputs = 1 << 20;
    ScoringModel model = model("logistic", inputs, 9);
    assertThat(OnnxModel.formOf(inputs)).isEqualTo(OnnxModel.Form.SPARSE);
    double[] features = new double[inputs];
    Random random = Seed.random(2);
    for (int i = 0; i < 40; i++) {
      features[random.nextInt(inputs)] = random.nextDouble(-0.1, 0.1);
    }
    try (OrtSession session = session(OnnxModel.of(model, OnnxModel.Form.SPARSE))) {
      assertThat(sparse(session, features)[0])
          .isCloseTo(expected(model.scorer(), features)[0], within(CLOSE));
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "FIELDS")
  void givesLabelsInTheirUnit(OnnxModel.Form form) throws OrtException {
    FeatureMapBuilder map =
        FeatureMap.builder().bias(false).numeric("x", "x", -1, 1, Transform.IDENTITY, false);
    givesInItsUnit(form, map.label("y", new LabelRule.Range(10, 30)), 12.5);
    givesInItsUnit(
        form,
        map.label("y", new LabelRule.Measured()).labelRange(NumberRange.of(10, 30)),
        22.5); // from the middle of the range
  }

  private static void givesInItsUnit(OnnxModel.Form form, FeatureMapBuilder map, double value)
      throws OrtException {
    ScoringModel model = model("squared", map.build().describe(), new double[] {0.25});
    Scorer scorer = model.scorer();
    scorer.score(new double[] {0.5});
    assertThat(scorer.value()).isEqualTo(value);
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    try (OrtSession session = session(OnnxModel.of(model, form));
        OnnxTensor all = OnnxTensor.createTensor(environment, new double[][] {{0.5}});
        OnnxTensor at = OnnxTensor.createTensor(environment, new long[] {0});
        OnnxTensor of = OnnxTensor.createTensor(environment, new double[] {0.5});
        OrtSession.Result result = session.run(
            form == OnnxModel.Form.DENSE
                ? Map.of("features", all)
                : Map.of("indices", at, "values", of))) {
      assertThat((double[][]) result.get("value").orElseThrow().getValue())
          .isDeepEqualTo(new double[][] {{value}});
      assertThat((double[][]) result.get("prediction").orElseThrow().getValue())
          .isDeepEqualTo(new double[][] {{scorer.prediction()}});
    }
  }

  /** What the page says of indices that are no coordinates. */
  @Test
  void refusesAnIndexBehindTheLastButNotOneFromTheEnd() throws OrtException {
    ScoringModel model = model("squared", INPUTS, 3);
    double[] weights = model.published().weights();
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    try (OrtSession session = session(OnnxModel.of(model, OnnxModel.Form.SPARSE));
        OnnxTensor behind = OnnxTensor.createTensor(environment, new long[] {INPUTS});
        OnnxTensor last = OnnxTensor.createTensor(environment, new long[] {-1});
        OnnxTensor of = OnnxTensor.createTensor(environment, new double[] {1})) {
      assertThatThrownBy(
              () -> session.run(Map.of("indices", behind, "values", of)).close())
          .isInstanceOf(OrtException.class)
          .hasMessageContaining("indices element out of data bounds");
      try (OrtSession.Result result = session.run(Map.of("indices", last, "values", of))) {
        assertThat(flat((double[][]) result.get("prediction").orElseThrow().getValue()))
            .containsExactly(weights[INPUTS - 1]);
      }
    }
  }

  @Test
  void saysWhereItComesFromAndWhatItPromises() throws OrtException {
    ScoringModel model = model("softmax(5)", INPUTS, 3);
    try (OrtSession session = session(OnnxModel.of(model, OnnxModel.Form.DENSE))) {
      Map<String, String> metadata = session.getMetadata().getCustomMetadata();
      assertThat(session.getMetadata().getProducerName()).isEqualTo("sotto");
      assertThat(session.getMetadata().getVersion()).isEqualTo(7);
      assertThat(metadata)
          .containsEntry("sotto.model", "m")
          .containsEntry("sotto.version", "7")
          .containsEntry(
              "sotto.guarantee.epsilon", Double.toString(model.guarantee().epsilon()))
          .containsEntry("sotto.guarantee.unit", "record")
          .containsEntry("sotto.guarantee.adjacency", "zero-out")
          .containsEntry("sotto.guarantee.mu", "0.25")
          .containsEntry("sotto.guarantee.delta", "1.0E-6")
          .containsEntry("sotto.guarantee.muLimit", "0.5")
          .containsEntry("sotto.features", model.manifest().features())
          .containsKeys("sotto.digest", "sotto.ledgerHash", "sotto.run", "sotto.loss");
    }
  }
}
