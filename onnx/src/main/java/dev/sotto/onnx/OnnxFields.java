package dev.sotto.onnx;

import ai.onnx.proto.OnnxMl.TensorProto;
import dev.sotto.client.ScoringModel;
import dev.sotto.learner.example.NormRule;
import dev.sotto.serdes.feature.FeatureMapBuilder.Hashed;
import dev.sotto.serdes.feature.FeatureMapBuilder.Numeric;
import dev.sotto.serdes.feature.FeatureMapText;
import dev.sotto.serdes.feature.HashedFeature;
import dev.sotto.serdes.feature.NumberCurve;
import dev.sotto.serdes.feature.Transform;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

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
    List<Numeric> numbers = map.numbers();
    List<String> scaled = new ArrayList<>();
    List<String> present = new ArrayList<>();
    double[] weights = new double[numbers.size() * rows];
    for (int i = 0; i < numbers.size(); i++) {
      Numeric number = numbers.get(i);
      String value = graph.input(name(number), TensorProto.DataType.DOUBLE, -1, 1);
      scaled.add(scaled(number, value));
      if (map.hats() > 0) {
        present.add(present(number, value));
      }
      System.arraycopy(columns, map.coordinateOfNumber(i) * rows, weights, i * rows, rows);
    }
    String all = graph.step("Concat", "axis", 1, scaled.toArray(String[]::new));
    scores.add(
        graph.step("MatMul", all, graph.constant("number_weights", weights, numbers.size(), rows)));
    squares.add(squares("numbers", all));
    if (map.hats() > 0) {
      addHats(all, graph.step("Concat", "axis", 1, present.toArray(String[]::new)));
    }
  }

  /**
   * The hats of all numbers at once. Where a number is none, its score is none already.
   *
   * @param numbers n x numbers, each between -1 and 1
   * @param present 1 where there is one, else 0
   */
  private void addHats(String numbers, String present) {
    int count = map.numbers().size();
    int knots = map.hats() + 1;
    double[] places = IntStream.range(0, knots).asDoubleStream().toArray();
    double[] weights = new double[count * knots * rows];
    for (int i = 0; i < count; i++) {
      int first = (map.coordinateOfNumber(i) + 1) * rows;
      System.arraycopy(columns, first, weights, i * knots * rows, knots * rows);
    }
    String last = graph.integers("hats_last", 2);
    String one = graph.constant("hats_one", 1);
    String positions = graph.step(
        "Mul", graph.step("Add", numbers, one), graph.constant("hats_per_unit", map.hats() / 2.0));
    String distances = graph.step(
        "Abs",
        graph.step(
            "Sub",
            graph.step("Unsqueeze", positions, last),
            graph.constant("hats_knots", places, knots)));
    // 1 - r and r at the two neighbours of a number, 0 at all other knots
    String heights =
        graph.step("Max", graph.step("Sub", one, distances), graph.constant("hats_nothing", 0));
    String norms = graph.step(
        "Sqrt", graph.step("ReduceSum", "keepdims", 1, graph.step("Mul", heights, heights), last));
    String shares = graph.step(
        "Mul",
        graph.step("Div", heights, norms),
        graph.step(
            "Mul",
            graph.step("Unsqueeze", present, last),
            graph.constant("hats_weight", NumberCurve.HAT_NORM)));
    String flat = graph.step("Reshape", shares, graph.integers("hats_shape", -1, count * knots));
    scores.add(
        graph.step("MatMul", flat, graph.constant("hat_weights", weights, count * knots, rows)));
    squares.add(squares("hats", flat));
  }

  private String squares(String name, String values) {
    return graph.step(
        "ReduceSum",
        "keepdims",
        1,
        graph.step("Mul", values, values),
        graph.integers(name + "_columns", 1));
  }

  private String present(Numeric number, String value) {
    return graph.step(
        "Where",
        graph.step("IsNaN", value),
        graph.constant(name(number) + ".absent", 0),
        graph.constant(name(number) + ".present", 1));
  }

  /** A number between -1 and 1; NaN where it is not finite, but 0 where it may be missing. */
  private String scaled(Numeric number, String value) {
    String name = name(number);
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
    int first = map.firstHashed();
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
