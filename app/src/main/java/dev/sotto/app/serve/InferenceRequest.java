package dev.sotto.app.serve;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.client.ScoringModel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The body of an inference request of the Open Inference Protocol, version 2: named tensors as
 * JSON. Inputs are the fields of events, one value for each row, or one input {@code features} of
 * as many coordinates as the model has.
 */
final class InferenceRequest {
  /** The input that holds vectors. */
  static final String VECTORS = "features";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Set<String> INTEGERS =
      Set.of("INT8", "INT16", "INT32", "INT64", "UINT8", "UINT16", "UINT32", "UINT64");
  private static final Set<String> FRACTIONS = Set.of("FP16", "FP32", "FP64", "BF16");

  private final String id;
  private final int rows;
  private final Map<String, List<JsonNode>> fields;
  private final double[] vectors; // null where there are fields
  private final Set<String> outputs;

  private InferenceRequest(
      String id,
      int rows,
      Map<String, List<JsonNode>> fields,
      double[] vectors,
      Set<String> outputs) {
    this.id = id;
    this.rows = rows;
    this.fields = fields;
    this.vectors = vectors;
    this.outputs = outputs;
  }

  /**
   * Reads a request to a model.
   *
   * @throws BadRequestException with the input and the rule that it breaks
   */
  static InferenceRequest parse(byte[] body, ScoringModel model) throws BadRequestException {
    JsonNode request = tree(body);
    JsonNode inputs = request.get("inputs");
    if (inputs == null || !inputs.isArray() || inputs.isEmpty()) {
      throw new BadRequestException("inputs must be a list of at least one tensor");
    }
    List<String> known = model.fields();
    Map<String, List<JsonNode>> fields = new LinkedHashMap<>();
    double[] vectors = null;
    int rows = -1;
    for (JsonNode each : inputs) {
      String name = text(each, "name", "an input");
      boolean vector = name.equals(VECTORS) && !known.contains(name);
      if (!vector && !known.contains(name)) {
        throw new BadRequestException("input " + name + " must be one of " + known
            + ", or features with " + model.inputs() + " coordinates a row, but is none of them");
      }
      int width = vector ? model.inputs() : 1;
      List<JsonNode> values = values(each, name, width);
      int count = values.size() / width;
      if (rows >= 0 && rows != count) {
        throw new BadRequestException(
            "all inputs must have as many rows, but " + name + " has " + count + ", not " + rows);
      }
      rows = count;
      if (vector) {
        vectors = values.stream().mapToDouble(JsonNode::doubleValue).toArray();
      } else if (fields.put(name, values) != null) {
        throw new BadRequestException("input " + name + " is given twice");
      }
    }
    if (vectors != null && !fields.isEmpty()) {
      throw new BadRequestException(
          "features excludes all other inputs: a row is either a vector" + " or fields");
    }
    return new InferenceRequest(
        request.path("id").asText(null), rows, fields, vectors, outputs(request.get("outputs")));
  }

  private static JsonNode tree(byte[] body) throws BadRequestException {
    try {
      JsonNode request = JSON.readTree(body);
      if (request == null || !request.isObject()) {
        throw new BadRequestException("the body must be a JSON object with inputs");
      }
      return request;
    } catch (JsonProcessingException malformed) {
      throw new BadRequestException("the body must be JSON: " + malformed.getOriginalMessage());
    } catch (IOException impossible) {
      throw new IllegalStateException("bytes in memory cannot be read", impossible);
    }
  }

  private static String text(JsonNode in, String field, String what) throws BadRequestException {
    JsonNode value = in.get(field);
    if (value == null || !value.isTextual()) {
      throw new BadRequestException(what + " must have a " + field + ", a text");
    }
    return value.textValue();
  }

  private static List<JsonNode> values(JsonNode input, String name, int width)
      throws BadRequestException {
    String type = text(input, "datatype", "input " + name);
    JsonNode shape = input.get("shape");
    JsonNode data = input.get("data");
    if (shape == null || !shape.isArray() || shape.isEmpty() || data == null || !data.isArray()) {
      throw new BadRequestException("input " + name + " must have a shape and data, both lists");
    }
    long size = 1;
    for (JsonNode each : shape) {
      if (!each.canConvertToInt() || each.intValue() < 0) {
        throw new BadRequestException(
            "the shape of input " + name + " must hold whole numbers, but" + " is " + shape);
      }
      size = Math.min(Integer.MAX_VALUE, size * each.intValue());
    }
    List<JsonNode> flat = new ArrayList<>();
    flatten(data, flat);
    int first = shape.get(0).intValue();
    if (flat.size() != size || size != (long) first * width) {
      throw new BadRequestException("input " + name + " must have the shape [rows"
          + (width == 1 ? "] or [rows, 1]" : ", " + width + "]") + " and as many values, but has"
          + " the shape " + shape + " and " + flat.size() + " values");
    }
    for (JsonNode each : flat) {
      if (!fits(each, type, width > 1)) {
        throw new BadRequestException("data of input " + name + " must be " + words(type)
            + " since its datatype is " + type + ", but has " + each.getNodeType());
      }
    }
    return flat;
  }

  private static void flatten(JsonNode data, List<JsonNode> into) {
    for (JsonNode each : data) {
      if (each.isArray()) {
        flatten(each, into);
      } else {
        into.add(each);
      }
    }
  }

  private static boolean fits(JsonNode value, String type, boolean coordinate) {
    if (value.isNull()) {
      return !coordinate; // a missing value
    }
    if (INTEGERS.contains(type)) {
      return value.isIntegralNumber();
    }
    if (FRACTIONS.contains(type)) {
      return value.isNumber();
    }
    return !coordinate
        && (type.equals("BOOL") && value.isBoolean() || type.equals("BYTES") && value.isTextual());
  }

  private static String words(String type) {
    if (INTEGERS.contains(type)) {
      return "whole numbers";
    }
    if (FRACTIONS.contains(type)) {
      return "numbers";
    }
    return switch (type) {
      case "BOOL" -> "true or false";
      case "BYTES" -> "texts";
      default -> "of a datatype of the protocol (BOOL, INT64, FP64, BYTES, ...)";
    };
  }

  private static Set<String> outputs(JsonNode outputs) throws BadRequestException {
    if (outputs == null || outputs.isNull()) {
      return Set.of();
    }
    List<String> names = new ArrayList<>();
    for (JsonNode each : outputs) {
      names.add(text(each, "name", "an output"));
    }
    return Set.copyOf(names);
  }

  /** What the caller calls the request, or null. */
  String id() {
    return id;
  }

  /** The number of rows. */
  int rows() {
    return rows;
  }

  /** Whether rows are vectors rather than fields. */
  boolean hasVectors() {
    return vectors != null;
  }

  /** The coordinates of a row that is a vector. */
  void vector(int row, double[] into) {
    System.arraycopy(vectors, row * into.length, into, 0, into.length);
  }

  /** A row that is an event: what is null is missing. */
  void event(int row, Map<String, Object> into) {
    into.clear();
    fields.forEach((name, values) -> {
      JsonNode value = values.get(row);
      if (value.isTextual()) {
        into.put(name, value.textValue());
      } else if (value.isBoolean()) {
        into.put(name, value.booleanValue());
      } else if (value.isNumber()) {
        into.put(name, value.numberValue());
      }
    });
  }

  /** Whether an output is asked for. */
  boolean wants(String output) {
    return outputs.isEmpty() || outputs.contains(output);
  }

  /** Refuses outputs that a model does not have. */
  void requireOutputs(Set<String> there) throws BadRequestException {
    for (String each : outputs) {
      if (!there.contains(each)) {
        throw new BadRequestException("output " + each + " must be one of " + there);
      }
    }
  }
}
