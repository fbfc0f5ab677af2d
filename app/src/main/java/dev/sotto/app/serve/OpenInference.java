package dev.sotto.app.serve;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.sotto.client.Scorer;
import dev.sotto.client.ScoringModel;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.example.RecordStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is answered under {@code /v2}: the Open Inference Protocol, version 2, over HTTP and JSON,
 * without its extension for binary tensors.
 */
final class OpenInference {
  private static final JsonFactory JSON = new JsonFactory();
  private static final String PREDICTION = "prediction";
  private static final String PROBABILITIES = "probabilities";

  /** As a number, as text while that grows, and as bytes. */
  private static final long BYTES_OF_A_FIGURE = 128;

  private OpenInference() {}

  /** Writes the fields of an object. */
  interface Fields {
    void write(JsonGenerator json) throws IOException;
  }

  /** An object with these fields. */
  static byte[] object(Fields fields) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      json.writeStartObject();
      fields.write(json);
      json.writeEndObject();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  /** The metadata of the server. */
  static byte[] server(String version) {
    return object(json -> {
      json.writeStringField("name", "sotto");
      json.writeStringField("version", version);
      json.writeArrayFieldStart("extensions");
      json.writeEndArray();
    });
  }

  /** The metadata of the model under the name by which it is served. */
  static byte[] model(String name, ScoringModel model, ServedModel served) {
    return object(json -> {
      json.writeStringField("name", name);
      json.writeArrayFieldStart("versions");
      json.writeString(Long.toString(model.version()));
      json.writeEndArray();
      json.writeStringField("platform", "sotto");
      json.writeArrayFieldStart("inputs");
      if (model.readsFields()) {
        for (String each : model.fields()) {
          tensor(json, each, model.isNumber(each) ? "FP64" : "BYTES", -1);
        }
      } else {
        tensor(json, InferenceRequest.VECTORS, "FP64", -1, model.inputs());
      }
      json.writeEndArray();
      json.writeArrayFieldStart("outputs");
      int outputs = model.outputs();
      tensor(json, PREDICTION, outputs == 1 ? "FP64" : classes(model), -1);
      if (outputs > 1) {
        tensor(json, PROBABILITIES, "FP64", -1, outputs);
      }
      json.writeEndArray();
      json.writeObjectFieldStart("parameters");
      parameters(json, model);
      served.age().ifPresent(age -> write(() -> json.writeNumberField("age_s", age.toSeconds())));
      json.writeStringField("health", served.health().text());
      json.writeEndObject();
    });
  }

  private interface Write {
    void run() throws IOException;
  }

  private static void write(Write field) {
    try {
      field.run();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private static String classes(ScoringModel model) {
    return model.classNames().isEmpty() ? "INT64" : "BYTES";
  }

  private static void tensor(JsonGenerator json, String name, String type, int... shape)
      throws IOException {
    head(json, name, type, shape);
    json.writeEndObject();
  }

  /** A tensor, without its end. */
  private static void head(JsonGenerator json, String name, String type, int... shape)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("name", name);
    json.writeStringField("datatype", type);
    json.writeFieldName("shape");
    json.writeArray(shape, 0, shape.length);
  }

  /** What the version promises, together with all before it. */
  private static void parameters(JsonGenerator json, ScoringModel model) throws IOException {
    Guarantee guarantee = model.guarantee();
    json.writeStringField("model", model.modelId());
    json.writeNumberField("epsilon", guarantee.epsilon());
    json.writeNumberField("delta", guarantee.delta());
    json.writeStringField("unit", guarantee.unit().configName());
  }

  /**
   * Answers a request.
   *
   * @param parsed bytes that the request has already
   * @param memory that it and the answer may take
   * @throws BadRequestException where a row cannot be scored; it is named
   */
  static byte[] infer(
      String name, InferenceRequest request, Scorer scorer, long parsed, RequestMemory.Lease memory)
      throws BadRequestException {
    ScoringModel model = scorer.model();
    int outputs = scorer.outputs();
    request.requireOutputs(outputs == 1 ? Set.of(PREDICTION) : Set.of(PREDICTION, PROBABILITIES));
    memory.cover(parsed + (long) request.rows() * (outputs + 1) * BYTES_OF_A_FIGURE);
    double[] predictions = new double[request.rows()];
    double[] probabilities = new double[outputs == 1 ? 0 : request.rows() * outputs];
    Map<String, Object> event = new HashMap<>();
    double[] vector = request.hasVectors() ? new double[model.inputs()] : null;
    for (int row = 0; row < request.rows(); row++) {
      if (vector != null) {
        request.vector(row, vector);
        scorer.score(vector);
      } else {
        request.event(row, event);
        RecordStatus status = scorer.score(event);
        if (status != RecordStatus.USED) {
          throw new BadRequestException("row " + row + " cannot be scored: " + status.sentence());
        }
      }
      predictions[row] = outputs == 1 ? scorer.value() : scorer.likeliest();
      for (int k = 0; outputs > 1 && k < outputs; k++) {
        probabilities[row * outputs + k] = scorer.output(k);
      }
    }
    return object(json -> {
      json.writeStringField("model_name", name);
      json.writeStringField("model_version", Long.toString(model.version()));
      if (request.id() != null) {
        json.writeStringField("id", request.id());
      }
      json.writeObjectFieldStart("parameters");
      parameters(json, model);
      json.writeEndObject();
      json.writeArrayFieldStart("outputs");
      if (request.wants(PREDICTION)) {
        predictions(json, model, predictions);
      }
      if (outputs > 1 && request.wants(PROBABILITIES)) {
        open(json, PROBABILITIES, "FP64", request.rows(), outputs);
        for (double each : probabilities) {
          number(json, each);
        }
        close(json);
      }
      json.writeEndArray();
    });
  }

  private static void predictions(JsonGenerator json, ScoringModel model, double[] predictions)
      throws IOException {
    boolean classes = model.outputs() > 1;
    List<String> names = model.classNames();
    open(json, PREDICTION, classes ? classes(model) : "FP64", predictions.length);
    for (double each : predictions) {
      if (!classes) {
        number(json, each);
      } else if (names.isEmpty()) {
        json.writeNumber((int) each);
      } else {
        json.writeString(names.get((int) each));
      }
    }
    close(json);
  }

  private static void open(JsonGenerator json, String name, String type, int... shape)
      throws IOException {
    head(json, name, type, shape);
    json.writeArrayFieldStart("data");
  }

  private static void close(JsonGenerator json) throws IOException {
    json.writeEndArray();
    json.writeEndObject();
  }

  /** JSON has no word for what is not finite. */
  private static void number(JsonGenerator json, double value) throws IOException {
    if (Double.isFinite(value)) {
      json.writeNumber(value);
    } else {
      json.writeNull();
    }
  }
}
