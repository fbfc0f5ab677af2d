package dev.sotto.benchmarks.experiments;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Rows to vectors, by bounds and categories that were fixed beforehand: a bias of 1, numbers scaled
 * to [-1, 1], one coordinate for each value of a category; the whole divided by its norm, row by
 * row.
 */
final class Encoder {
  /** Writes what one feature of a row adds; the text is null where it is missing. */
  private interface Feature {
    void encode(String text, double[] into);
  }

  private final List<String> names = new ArrayList<>();
  private final List<Feature> features = new ArrayList<>();
  private int dimension = 1;

  /** An encoder for a list of features as schema.json describes them. */
  Encoder(JsonNode list) {
    for (JsonNode feature : list) {
      names.add(feature.get("name").asText());
      features.add(
          switch (feature.get("type").asText()) {
            case "numeric" -> numeric(feature);
            case "categorical" -> categorical(feature);
            default ->
              throw new IllegalArgumentException(
                  "a feature must be numeric or categorical, but was "
                      + feature.get("type").asText());
          });
    }
  }

  private Feature numeric(JsonNode feature) {
    int at = dimension++;
    boolean log = feature.path("transform").asText().equals("log1p");
    double low = transformed(feature.get("lo").asDouble(), log);
    double high = transformed(feature.get("hi").asDouble(), log);
    return (text, into) -> {
      if (text != null) {
        double share = (transformed(Double.parseDouble(text), log) - low) / (high - low);
        into[at] = 2 * Math.max(0, Math.min(1, share)) - 1;
      }
    };
  }

  private static double transformed(double value, boolean log) {
    return log ? Math.log1p(Math.max(value, 0)) : value;
  }

  private Feature categorical(JsonNode feature) {
    Map<String, Integer> places = new HashMap<>();
    for (JsonNode value : feature.get("values")) {
      places.put(value.asText(), dimension++);
    }
    return (text, into) -> {
      Integer at = places.get(text);
      if (at != null) {
        into[at] = 1;
      }
    };
  }

  int dimension() {
    return dimension;
  }

  /**
   * The vector of a row.
   *
   * @param row the text of a feature's name; null or empty where it is missing
   */
  double[] encode(Function<String, String> row) {
    double[] vector = new double[dimension];
    vector[0] = 1;
    for (int i = 0; i < features.size(); i++) {
      String text = row.apply(names.get(i));
      features.get(i).encode(text == null || text.isEmpty() ? null : text, vector);
    }
    return unit(vector);
  }

  /** Divides a vector by its norm, in place. */
  static double[] unit(double[] vector) {
    double squares = 0;
    for (double each : vector) {
      squares += each * each;
    }
    double norm = Math.sqrt(squares);
    for (int j = 0; j < vector.length; j++) {
      vector[j] /= norm;
    }
    return vector;
  }
}
