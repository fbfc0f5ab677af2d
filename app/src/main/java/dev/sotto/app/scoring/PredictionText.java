package dev.sotto.app.scoring;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.sotto.client.Scorer;
import dev.sotto.learner.example.RecordStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What was predicted, as fields of JSON. */
public final class PredictionText {
  private static final JsonStringEncoder TEXT = JsonStringEncoder.getInstance();

  private PredictionText() {}

  /** The last prediction of a scorer. */
  public static String json(Scorer scorer) {
    StringBuilder json = new StringBuilder("{");
    append(json, fields(scorer));
    return json.append('}').toString();
  }

  /**
   * Why nothing was predicted.
   *
   * @param fault which field is wrong and how, without its value; empty where none alone tells
   */
  public static String json(RecordStatus status, Optional<String> fault) {
    StringBuilder json = new StringBuilder("{");
    append(json, fields(status, fault));
    return json.append('}').toString();
  }

  /**
   * The fields of the last prediction: a number in the unit of the label, or the likeliest class
   * with the probabilities of all.
   */
  public static Map<String, Object> fields(Scorer scorer) {
    Map<String, Object> fields = new LinkedHashMap<>();
    if (scorer.outputs() == 1) {
      fields.put("prediction", scorer.value());
      return fields;
    }
    List<String> names = scorer.model().classNames();
    int likeliest = scorer.likeliest();
    fields.put("prediction", names.isEmpty() ? likeliest : names.get(likeliest));
    fields.put("probability", scorer.output(likeliest));
    List<Double> all = new ArrayList<>();
    for (int k = 0; k < scorer.outputs(); k++) {
      all.add(scorer.output(k));
    }
    fields.put("probabilities", all);
    return fields;
  }

  /** The fields that say why nothing was predicted. */
  public static Map<String, Object> fields(RecordStatus status, Optional<String> fault) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("unusable", status.name());
    fields.put("reason", status.sentence());
    fault.ifPresent(each -> fields.put("field", each));
    return fields;
  }

  /** Adds fields to an object that is open. */
  static void append(StringBuilder json, Map<String, Object> fields) {
    fields.forEach((name, value) -> {
      json.append(json.charAt(json.length() - 1) == '{' ? "" : ",");
      json.append('"').append(name).append("\":");
      value(json, value);
    });
  }

  private static void value(StringBuilder json, Object value) {
    if (value instanceof List<?> list) {
      json.append('[');
      for (int i = 0; i < list.size(); i++) {
        json.append(i == 0 ? "" : ",");
        value(json, list.get(i));
      }
      json.append(']');
    } else if (value instanceof Double number) {
      json.append(Double.isFinite(number) ? number.toString() : "null");
    } else if (value instanceof CharSequence text) {
      json.append('"');
      TEXT.quoteAsString(text, json);
      json.append('"');
    } else {
      json.append(value);
    }
  }
}
