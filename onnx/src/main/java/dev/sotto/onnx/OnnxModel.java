package dev.sotto.onnx;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.StringStringEntryProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import dev.sotto.client.ScoringModel;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.loss.Activations;
import dev.sotto.learner.loss.Hinge;
import dev.sotto.learner.loss.Logistic;
import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.loss.Network;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.loss.Objectives;
import dev.sotto.learner.loss.OutputLayer;
import dev.sotto.learner.loss.Poisson;
import dev.sotto.learner.loss.SingleScore;
import dev.sotto.learner.loss.SmoothedHinge;
import dev.sotto.learner.loss.Softmax;
import dev.sotto.learner.training.ModelSnapshot;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A published version as an ONNX model of standard operators (opset 13) in double precision, with
 * provenance and guarantee as its metadata; docs/onnx.md. What goes in is the vector behind the
 * feature map, for hashing of raw text is no standard operator; or, if asked, the fields.
 */
public final class OnnxModel {
  /** From this number of coordinates on, only those that are not 0 go in. */
  public static final int SPARSE_FROM = 4096;

  private static final long OPSET = 13;
  private static final long IR = 8;
  private static final long OPSET_OF_TEXTS = 20; // StringConcat
  private static final long IR_OF_TEXTS = 9;
  private static final double ROOT = Math.sqrt(2 / Math.PI);
  private static final double CUBIC = 0.044715;

  private final ScoringModel model;
  private final List<String> notes;
  private final Objective objective;
  private final double[] weights;
  private final int inputs;
  private final OnnxGraph graph;

  /** What goes in. */
  public enum Form {
    /** {@code features}: n x d doubles, of n examples. */
    DENSE,
    /** {@code indices} and {@code values} of the coordinates of one example that are not 0. */
    SPARSE,
    /**
     * A column for each feature: what the feature map does is done inside, with an operator that
     * only ONNX Runtime has where text is hashed.
     */
    FIELDS
  }

  private OnnxModel(ScoringModel model, List<String> notes) {
    this.model = model;
    this.notes = notes;
    this.weights = model.published().weights();
    this.inputs = model.inputs();
    this.objective = Objectives.named(model.manifest().loss()).orElseThrow();
    this.graph = new OnnxGraph(model.modelId());
  }

  /** The form that suits a number of coordinates. */
  public static Form formOf(int inputs) {
    return inputs >= SPARSE_FROM ? Form.SPARSE : Form.DENSE;
  }

  /**
   * The bytes of a model file.
   *
   * @throws IllegalArgumentException where the weights do not fit into one file, or events are
   *     not mapped by their fields and the form is {@link Form#FIELDS}
   */
  public static byte[] of(ScoringModel model, Form form) {
    return of(model, form, List.of());
  }

  /**
   * The same with notes on its guarantee: what that does not cover.
   *
   * @param notes in the metadata, as {@code sotto.guarantee.notes}
   */
  public static byte[] of(ScoringModel model, Form form, List<String> notes) {
    if (8L * model.published().weights().length > Integer.MAX_VALUE - (1 << 20)) {
      throw new IllegalArgumentException("a file of ONNX holds less than 2 GiB, but the model has "
          + model.published().weights().length + " weights");
    }
    return new OnnxModel(model, notes).build(form).toByteArray();
  }

  /**
   * The names of the columns that go into a model of {@link Form#FIELDS}.
   *
   * @throws IllegalArgumentException where events are not mapped by their fields
   */
  public static List<String> columns(ScoringModel model) {
    return OnnxFields.names(model);
  }

  private ModelProto build(Form form) {
    String scores = scores(form);
    if (objective instanceof Network network) {
      scores = behindUnits(network, scores);
    }
    String predictions = predictions(scores);
    long rows = form == Form.SPARSE ? 1 : -1;
    graph.output(predictions, "prediction", rows, objective.outputs());
    model
        .labelScale()
        .ifPresent(label -> graph.output(
            graph.step(
                "Add",
                graph.step("Mul", predictions, graph.constant("range", label.one())),
                graph.constant("least", label.zero())),
            "value",
            rows,
            1));
    boolean fields = form == Form.FIELDS;
    ModelProto.Builder file = ModelProto.newBuilder()
        .setIrVersion(fields ? IR_OF_TEXTS : IR)
        .setProducerName("sotto")
        .setModelVersion(model.version())
        .setDocString(
            fields
                ? "The fields of events go in, a column for each feature (docs/onnx.md)."
                : "The vector behind the feature map of the metadata goes in (docs/onnx.md).")
        .addOpsetImport(OperatorSetIdProto.newBuilder()
            .setDomain("")
            .setVersion(fields ? OPSET_OF_TEXTS : OPSET))
        .setGraph(graph.build());
    if (graph.needsRuntime()) {
      file.addOpsetImport(
          OperatorSetIdProto.newBuilder().setDomain(OnnxGraph.RUNTIME).setVersion(1));
    }
    Map<String, String> metadata = metadata(model, notes);
    metadata.put("sotto.operators", graph.needsRuntime() ? OnnxGraph.RUNTIME : "standard");
    metadata.forEach((key, value) ->
        file.addMetadataProps(StringStringEntryProto.newBuilder().setKey(key).setValue(value)));
    return file.build();
  }

  /** Inner products of the features with every row of weights: n x rows. */
  private String scores(Form form) {
    int rows = objective.rows();
    double[] columns = new double[inputs * rows];
    for (int row = 0; row < rows; row++) {
      for (int i = 0; i < inputs; i++) {
        columns[i * rows + row] = weights[row * inputs + i];
      }
    }
    if (form == Form.FIELDS) {
      return OnnxFields.scores(graph, model, columns, rows);
    }
    if (form == Form.DENSE) {
      String features = graph.input("features", TensorProto.DataType.DOUBLE, -1, inputs);
      return graph.step("MatMul", features, graph.constant("weights", columns, inputs, rows));
    }
    String indices = graph.input("indices", TensorProto.DataType.INT64, -1);
    String values = graph.input("values", TensorProto.DataType.DOUBLE, -1);
    String chosen =
        graph.step("Gather", "axis", 0, graph.constant("weights", columns, inputs, rows), indices);
    String column = graph.step("Unsqueeze", values, graph.integers("as_column", 1));
    return graph.step(
        "ReduceSum",
        "keepdims",
        1,
        graph.step("Mul", chosen, column),
        graph.integers("over_features", 0));
  }

  private String behindUnits(Network network, String into) {
    int outputs = network.outputs();
    int hidden = network.hidden();
    int at = weights.length - network.tail();
    double[] columns = new double[hidden * outputs];
    for (int k = 0; k < outputs; k++) {
      for (int j = 0; j < hidden; j++) {
        columns[j * outputs + k] = weights[at + k * hidden + j];
      }
    }
    double[] biases = Arrays.copyOfRange(weights, weights.length - outputs, weights.length);
    String units = activated(network.activation(), into);
    return graph.step(
        "Add",
        graph.step("MatMul", units, graph.constant("outputs", columns, hidden, outputs)),
        graph.constant("biases", biases, outputs));
  }

  private String activated(Activations activation, String into) {
    return switch (activation) {
      case TANH -> graph.step("Tanh", into);
      case SIGMOID -> graph.step("Sigmoid", into);
      case SOFTPLUS -> { // max(a, 0) + ln(1 + exp(-|a|))
        String small = graph.step("Exp", graph.step("Neg", graph.step("Abs", into)));
        String rest = graph.step("Log", graph.step("Add", small, graph.constant("one", 1)));
        yield graph.step("Add", graph.step("Relu", into), rest);
      }
      case SWISH -> { // as a product with Sigmoid it is fused into a step that knows no doubles
        String power = graph.step("Exp", graph.step("Neg", into));
        yield graph.step("Div", into, graph.step("Add", power, graph.constant("one", 1)));
      }
      case GELU -> {
        String cube = graph.step("Mul", graph.step("Mul", into, into), into);
        String inner =
            graph.step("Add", into, graph.step("Mul", cube, graph.constant("cubic", CUBIC)));
        String share =
            graph.step("Sigmoid", graph.step("Mul", inner, graph.constant("twice_root", 2 * ROOT)));
        yield graph.step("Mul", into, share);
      }
    };
  }

  private String predictions(String scores) {
    if (objective instanceof Softmax
        || objective instanceof Network network && network.head() instanceof OutputLayer.Classes) {
      return graph.step("Softmax", "axis", 1, scores);
    }
    return predicted(
        objective instanceof SingleScore single
            ? single.loss()
            : ((OutputLayer.Score) ((Network) objective).head()).loss(),
        scores);
  }

  private String predicted(Loss loss, String score) {
    if (loss instanceof Logistic) {
      return graph.step("Sigmoid", score);
    }
    if (loss instanceof Hinge || loss instanceof SmoothedHinge) {
      return graph.step(
          "Cast",
          "to",
          TensorProto.DataType.DOUBLE.getNumber(),
          graph.step("GreaterOrEqual", score, graph.constant("zero", 0)));
    }
    if (loss instanceof Poisson) {
      return graph.step(
          "Min", graph.step("Exp", score), graph.constant("largest", Double.MAX_VALUE));
    }
    return score; // the label itself
  }

  /**
   * Provenance and guarantee of a version by their names in the metadata; the caller may add to it.
   *
   * @param notes what the guarantee does not cover, one sentence each
   */
  public static Map<String, String> metadata(ScoringModel model, List<String> notes) {
    ModelSnapshot manifest = model.manifest();
    Guarantee guarantee = manifest.guarantee();
    HexFormat hex = HexFormat.of();
    Map<String, String> all = new LinkedHashMap<>();
    all.put("sotto.model", manifest.modelId());
    all.put("sotto.version", Long.toString(manifest.version()));
    all.put("sotto.run", hex.formatHex(manifest.runId()));
    all.put("sotto.generation", Integer.toString(manifest.generation()));
    all.put("sotto.fingerprint", hex.formatHex(manifest.fingerprint()));
    all.put("sotto.digest", hex.formatHex(manifest.digest()));
    all.put("sotto.ledgerHash", hex.formatHex(manifest.ledgerHash()));
    all.put("sotto.algorithm", manifest.algorithm());
    all.put("sotto.loss", manifest.loss());
    all.put("sotto.features", manifest.features());
    all.put("sotto.guarantee.unit", guarantee.unit().configName());
    all.put("sotto.guarantee.adjacency", guarantee.adjacency().configName());
    all.put("sotto.guarantee.mechanism", guarantee.mechanism());
    all.put("sotto.guarantee.mu", Double.toString(guarantee.mu()));
    all.put("sotto.guarantee.epsilon", Double.toString(guarantee.epsilon()));
    all.put("sotto.guarantee.delta", Double.toString(guarantee.delta()));
    all.put("sotto.guarantee.muLimit", Double.toString(guarantee.muLimit()));
    all.put("sotto.guarantee.epsilonLimit", Double.toString(guarantee.epsilonLimit()));
    if (!notes.isEmpty()) {
      all.put("sotto.guarantee.notes", String.join("\n", notes));
    }
    return all;
  }
}
