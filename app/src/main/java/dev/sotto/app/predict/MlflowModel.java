package dev.sotto.app.predict;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.sotto.client.ScoringModel;
import dev.sotto.onnx.OnnxModel;
import dev.sotto.serdes.feature.FeatureMapBuilder.Hashed;
import dev.sotto.serdes.feature.FeatureMapBuilder.Numeric;
import dev.sotto.serdes.feature.FeatureMapBuilder.Unbounded;
import dev.sotto.serdes.feature.FeatureMapText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A published version as a model directory of MLflow, in two flavours: {@code onnx}, and {@code
 * python_function} by the project's own reader, which is in the directory; docs/mlflow.md. The
 * signature and the input example follow from the feature map alone: nothing of a record is in
 * them. Equal versions give equal bytes.
 */
public final class MlflowModel {
  private static final String READER = "sotto_models";
  private static final String CODE = "code";
  private static final String DATA = "model.json";
  private static final String ONNX = "model.onnx";
  private static final String EXAMPLE = "input_example.json";
  private static final String ENVIRONMENT = "python_env.yaml";
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  private final ScoringModel model;
  private final List<Column> columns;

  /**
   * A column of the signature.
   *
   * @param example a value that follows from the feature map
   */
  private record Column(String name, boolean number, boolean required, Object example) {}

  private MlflowModel(ScoringModel model) {
    this.model = model;
    this.columns = model.readsFields() ? columns(model) : List.of();
  }

  /**
   * Makes the directory, as a whole or not at all.
   *
   * @param origin the replay that made the version, if one did: then only its owner can read it
   * @param form what goes into the ONNX model
   * @param directory new, or empty
   * @throws IllegalArgumentException where something is in it, or the form does not fit the model
   * @throws IOException where it cannot be written; then nothing is left of it
   */
  public static void write(
      ScoringModel model, Optional<ReplayOrigin> origin, OnnxModel.Form form, Path directory)
      throws IOException {
    Path whole = directory.toAbsolutePath().normalize();
    requireNew(directory, whole);
    List<String> notes = origin.map(ReplayOrigin::notes).orElse(List.of());
    byte[] onnx = OnnxModel.of(model, form, notes);
    Path beside = whole.resolveSibling(whole.getFileName() + ".new");
    if (Files.exists(beside)) {
      throw new IllegalArgumentException(
          "an export that was interrupted has left " + beside + ": delete it, and export again");
    }
    Files.createDirectory(beside, owner(whole, origin.isPresent()));
    try {
      MlflowModel made = new MlflowModel(model);
      Files.write(beside.resolve(ONNX), onnx);
      ExportedModel.write(model.published(), origin, beside.resolve(DATA));
      made.writeReader(Files.createDirectory(beside.resolve(CODE)));
      JSON.writeValue(beside.resolve(EXAMPLE).toFile(), made.example());
      Files.writeString(beside.resolve("requirements.txt"), "mlflow\n");
      YAML.writeValue(beside.resolve(ENVIRONMENT).toFile(), environment());
      YAML.writeValue(beside.resolve("MLmodel").toFile(), made.describe(notes));
      Files.move(beside, whole, StandardCopyOption.ATOMIC_MOVE); // also over an empty directory
    } catch (IOException | RuntimeException failed) {
      try {
        deleteWritten(beside);
      } catch (IOException stays) {
        failed.addSuppressed(stays);
      }
      throw failed;
    }
  }

  private static void requireNew(Path directory, Path whole) throws IOException {
    if (!Files.exists(whole)) {
      return;
    }
    boolean empty = false;
    if (Files.isDirectory(whole)) {
      try (DirectoryStream<Path> inside = Files.newDirectoryStream(whole)) {
        empty = !inside.iterator().hasNext();
      }
    }
    if (!empty) {
      throw new IllegalArgumentException(
          "--mlflow must name a directory that is new or empty, but " + directory + " is not");
    }
  }

  private static FileAttribute<?>[] owner(Path folder, boolean alone) {
    boolean posix = folder.getFileSystem().supportedFileAttributeViews().contains("posix");
    return alone && posix
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
        }
        : new FileAttribute<?>[0];
  }

  private static void deleteWritten(Path beside) throws IOException {
    for (String each : List.of(
        CODE + "/" + READER + ".py",
        CODE,
        ONNX,
        DATA,
        DATA + ".new",
        EXAMPLE,
        ENVIRONMENT,
        "requirements.txt",
        "MLmodel",
        "")) {
      Files.deleteIfExists(beside.resolve(each));
    }
  }

  private void writeReader(Path into) throws IOException {
    try (InputStream reader = MlflowModel.class.getResourceAsStream(READER + ".py")) {
      Files.copy(reader, into.resolve(READER + ".py"));
    }
  }

  private static Map<String, Object> environment() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("python", "3.11");
    all.put("build_dependencies", List.of("pip", "setuptools", "wheel"));
    all.put("dependencies", List.of("-r requirements.txt"));
    return all;
  }

  private Map<String, Object> describe(List<String> notes) throws JsonProcessingException {
    Map<String, Object> onnx = new LinkedHashMap<>();
    onnx.put("code", null);
    onnx.put("data", ONNX);
    onnx.put("providers", List.of("CPUExecutionProvider"));
    Map<String, Object> function = new LinkedHashMap<>();
    function.put(CODE, CODE);
    function.put("data", DATA);
    function.put("env", Map.of("virtualenv", ENVIRONMENT));
    function.put("loader_module", READER);
    Map<String, Object> flavors = new LinkedHashMap<>();
    flavors.put("onnx", onnx);
    flavors.put("python_function", function);
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("flavors", flavors);
    all.put("metadata", OnnxModel.metadata(model, notes));
    all.put("model_uuid", HexFormat.of().formatHex(model.manifest().digest()).substring(0, 32));
    all.put("saved_input_example_info", exampleForm());
    all.put("signature", signature());
    return all;
  }

  private Map<String, Object> exampleForm() {
    Map<String, Object> form = new LinkedHashMap<>();
    form.put("artifact_path", EXAMPLE);
    if (model.readsFields()) {
      form.put("pandas_orient", "split");
      form.put("type", "dataframe");
    } else {
      form.put("format", "tf-serving");
      form.put("type", "ndarray");
    }
    return form;
  }

  private Map<String, Object> example() {
    Map<String, Object> all = new LinkedHashMap<>();
    if (model.readsFields()) {
      all.put("columns", columns.stream().map(Column::name).toList());
      all.put("data", List.of(columns.stream().map(Column::example).toList()));
    } else {
      all.put("inputs", List.of(Collections.nCopies(model.inputs(), 0.0)));
    }
    return all;
  }

  /** Its parts are JSON in texts, as MLflow has it. */
  private Map<String, Object> signature() throws JsonProcessingException {
    List<Object> inputs = new ArrayList<>();
    for (Column each : columns) {
      Map<String, Object> column = new LinkedHashMap<>();
      column.put("type", each.number() ? "double" : "string");
      column.put("name", each.name());
      column.put("required", each.required());
      inputs.add(column);
    }
    if (!model.readsFields()) {
      inputs.add(tensor("float64", List.of(-1, model.inputs())));
    }
    boolean classes = model.outputs() > 1;
    String type = !classes ? "double" : model.classNames().isEmpty() ? "long" : "string";
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("inputs", JSON.writeValueAsString(inputs));
    all.put("outputs", JSON.writeValueAsString(List.of(Map.of("type", type))));
    if (classes) {
      Map<String, Object> probabilities = new LinkedHashMap<>();
      probabilities.put("name", "probabilities");
      probabilities.put("type", "boolean");
      probabilities.put("default", false);
      probabilities.put("shape", null);
      all.put("params", JSON.writeValueAsString(List.of(probabilities)));
    }
    return all;
  }

  private static Map<String, Object> tensor(String type, List<Integer> shape) {
    Map<String, Object> spec = new LinkedHashMap<>();
    spec.put("dtype", type);
    spec.put("shape", shape);
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("type", "tensor");
    all.put("tensor-spec", spec);
    return all;
  }

  private static List<Column> columns(ScoringModel model) {
    FeatureMapText map = FeatureMapText.parse(model.manifest().features());
    Map<String, Object> numbers = new LinkedHashMap<>();
    Set<String> required = new LinkedHashSet<>();
    for (Numeric each : map.numbers()) {
      numbers.put(each.field(), each.min() + (each.max() - each.min()) / 2);
      require(required, each.optional(), List.of(each.field()));
    }
    for (Unbounded each : map.unbounded()) {
      numbers.putIfAbsent(each.field(), 1.0);
      require(required, each.optional(), List.of(each.field()));
    }
    for (Hashed each : map.hashed()) {
      require(required, each.optional(), each.fields());
    }
    return model.fields().stream()
        .map(each -> new Column(
            each, model.isNumber(each), required.contains(each), numbers.getOrDefault(each, "a")))
        .toList();
  }

  private static void require(Set<String> required, boolean optional, List<String> fields) {
    if (!optional) {
      required.addAll(fields);
    }
  }
}
