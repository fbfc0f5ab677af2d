package dev.sotto.onnx;

import ai.onnx.proto.OnnxMl.TensorProto;
import dev.sotto.client.ScoringModel;
import dev.sotto.learner.example.NormRule;
import dev.sotto.serdes.feature.FeatureMapBuilder.Hashed;
import dev.sotto.serdes.feature.FeatureMapBuilder.Numeric;
import dev.sotto.serdes.feature.FeatureMapText;
import dev.sotto.serdes.feature.HashedFeature;
import dev.sotto.serdes.feature.Transform;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A feature map as steps of a graph ({@code FeatureMap} says what it computes): a column of n rows
 * for each feature goes in, and the scores of n examples come out. Coordinates that are 0 are never
 * built: numbers meet their rows of weights, and texts look theirs up.
 */
final class OnnxFields {
  private final OnnxGraph graph;
  private final FeatureMapText map;
  private final double[] columns;
  private final int rows;
  private final List<String> scores = new ArrayList<>();
  private final List<String> squares = new ArrayList<>();

  private OnnxFields(OnnxGraph graph, FeatureMapText map, double[] columns, int rows) {
    this.graph = graph;
    this.map = map;
    this.columns = columns;
    this.rows = rows;
  }

  /**
   * Inner products of the features with every row of weights: n x rows.
   *
   * @param columns coordinates x rows
   */
  static String scores(OnnxGraph graph, ScoringModel model, double[] columns, int rows) {
    FeatureMapText map = map(model);
    if (map.numbers().isEmpty() && map.hashed().isEmpty()) {
      throw new IllegalArgumentException("model " + model.modelId()
          + " has no feature but the bias, so no fields can go into an ONNX model: choose dense");
    }
    return new OnnxFields(graph, map, columns, rows).scores();
  }

  /** The names of the columns that go in. */
  static List<String> names(ScoringModel model) {
    List<String> names = new ArrayList<>();
    FeatureMapText map = map(model);
    map.numbers().forEach(each -> names.add(name(each)));
    for (Hashed each : map.hashed()) {
      names.add(name(each));
      if (each.optional()) {
        names.add(given(each));
      }
    }
    return names;
  }

  private static String name(Numeric feature) {
    return "numeric." + feature.name();
  }

  private static String name(Hashed feature) {
    return (feature.cross() ? "cross." : "categorical.") + feature.name();
  }

  private static String given(Hashed feature) {
    return "given." + feature.name();
  }

  private static FeatureMapText map(ScoringModel model) {
    if (!model.readsFields()) {
      throw new IllegalArgumentException("the events of model " + model.modelId()
          + " are not mapped by their fields, so no fields can go into an ONNX model: choose"
          + " dense or sparse");
    }
    FeatureMapText map = FeatureMapText.parse(model.manifest().features());
    if (!map.unbounded().isEmpty()) {
      throw new IllegalArgumentException("model " + model.modelId() + " has numbers without bounds"
          + " (" + map.unbounded().get(0).name() + "), whose fields cannot go into an ONNX model:"
          + " choose dense or sparse");
    }
    return map;
  }

  private String scores() {
    if (map.bias()) {
      scores.add(graph.constant("bias", Arrays.copyOf(columns, rows), 1, rows));
      squares.add(graph.constant("bias_square", 1));
    }
    if (!map.numbers().isEmpty()) {
      addNumbers();
    }
    if (!map.hashed().isEmpty()) {
      addTexts();
    }
    String norm = graph.step("Sqrt", sum(squares));
    String one = graph.constant("norm_one", 1);
    String least = map.norm() == NormRule.CLIP ? one : graph.constant("norm_zero", 0);
    String divisor = graph.step("Where", graph.step("Greater", norm, least), norm, one);
    return graph.step("Div", sum(scores), divisor);
  }

  private String sum(List<String> parts) {
    String all = parts.get(0);
    for (String each : parts.subList(1, parts.size())) {
      all = graph.step("Add", all, each);
    }
    return all;
  }

  private void addNumbers() {
    int first = map.bias() ? 1 : 0;
    List<Numeric> numbers = map.numbers();
    String[] scaled = numbers.stream().map(this::scaled).toArray(String[]::new);
    String all = graph.step("Concat", "axis", 1, scaled);
    double[] weights = Arrays.copyOfRange(columns, first * rows, (first + numbers.size()) * rows);
    scores.add(
        graph.step("MatMul", all, graph.constant("number_weights", weights, scaled.length, rows)));
    squares.add(squares("numbers", all));
  }

  private String squares(String name, String values) {
    return graph.step(
        "ReduceSum",
        "keepdims",
        1,
        graph.step("Mul", values, values),
        graph.integers(name + "_columns", 1));
  }

  /** A number between -1 and 1; NaN where it is not finite, but 0 where it may be missing. */
  private String scaled(Numeric number) {
    String name = name(number);
    String value = graph.input(name, TensorProto.DataType.DOUBLE, -1, 1);
    Transform transform = number.transform();
    double low = transform.of(number.min());
    double width = transform.of(number.max()) - low;
    String within = graph.step(
        "Min",
        graph.step("Max", value, graph.constant(name + ".min", number.min())),
        graph.constant(name + ".max", number.max()));
    String moved = switch (transform) {
      case IDENTITY -> within;
      case LOG1P ->
        graph.step(
            "Log",
            graph.step(
                "Add",
                graph.step("Max", within, graph.constant(name + ".zero", 0)),
                graph.constant(name + ".one", 1)));
    };
    String share = graph.step(
        "Div",
        graph.step("Sub", moved, graph.constant(name + ".low", low)),
        graph.constant(name + ".width", width));
    String centred = graph.step(
        "Sub",
        graph.step("Mul", share, graph.constant(name + ".two", 2)),
        graph.constant(name + ".middle", 1));
    String nothing = graph.constant(name + ".nothing", 0);
    String broken = graph.step("Mul", value, nothing); // NaN where the value is NaN or infinite
    String checked = graph.step("Add", centred, broken);
    return number.optional()
        ? graph.step("Where", graph.step("IsNaN", value), nothing, checked)
        : checked;
  }

  private void addTexts() {
    List<String> hashes = new ArrayList<>();
    List<String> shares = new ArrayList<>();
    for (Hashed each : map.hashed()) {
      String text = graph.input(name(each), TensorProto.DataType.STRING, -1, 1);
      String prefix = graph.text(each.name() + ".prefix", each.name() + "=", 1, 1);
      String hash = graph.murmurHash(HashedFeature.SEED, graph.step("StringConcat", prefix, text));
      hashes.add(graph.step("Cast", "to", TensorProto.DataType.INT64.getNumber(), hash));
      shares.add(share(each, hashes.get(hashes.size() - 1)));
    }
    int first = (map.bias() ? 1 : 0) + map.numbers().size();
    String block = graph.integers("hashed_coordinates", map.hashedCoordinates());
    String places =
        graph.step("Mod", graph.step("Concat", "axis", 1, hashes.toArray(String[]::new)), block);
    String signs = graph.step("Concat", "axis", 1, shares.toArray(String[]::new));
    double[] weights = Arrays.copyOfRange(columns, first * rows, columns.length);
    String chosen = graph.step(
        "Gather",
        "axis",
        0,
        graph.constant("hashed_weights", weights, map.hashedCoordinates(), rows),
        places);
    String last = graph.integers("hashed_last", 2);
    String middle = graph.integers("hashed_middle", 1);
    scores.add(graph.step(
        "ReduceSum",
        "keepdims",
        0,
        graph.step("Mul", chosen, graph.step("Unsqueeze", signs, last)),
        middle));
    // Two features may share a coordinate: their sum counts there, not each by itself.
    String same = graph.step(
        "Cast",
        "to",
        TensorProto.DataType.DOUBLE.getNumber(),
        graph.step(
            "Equal",
            graph.step("Unsqueeze", places, last),
            graph.step("Unsqueeze", places, middle)));
    String summed = graph.step(
        "ReduceSum",
        "keepdims",
        0,
        graph.step("Mul", same, graph.step("Unsqueeze", signs, middle)),
        last);
    squares.add(graph.step("ReduceSum", "keepdims", 1, graph.step("Mul", signs, summed), middle));
  }

  /** 1 or -1 by the hash's sign; 0 where nothing is given. */
  private String share(Hashed feature, String hash) {
    String name = feature.name();
    String sign = graph.step(
        "Where",
        graph.step("Less", hash, graph.integers(name + ".border", 0)),
        graph.constant(name + ".negative", -1),
        graph.constant(name + ".positive", 1));
    if (!feature.optional()) {
      return sign;
    }
    String given = graph.input(given(feature), TensorProto.DataType.BOOL, -1, 1);
    return graph.step(
        "Mul", sign, graph.step("Cast", "to", TensorProto.DataType.DOUBLE.getNumber(), given));
  }
}
