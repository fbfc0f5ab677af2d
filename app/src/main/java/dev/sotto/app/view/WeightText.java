package dev.sotto.app.view;

import dev.sotto.serdes.feature.FeatureNames;
import dev.sotto.serdes.snapshot.PublishedModel;
import dev.sotto.serdes.snapshot.WeightNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The weights of a version, with what they belong to. */
public final class WeightText {
  private final PublishedModel model;
  private final WeightNames names;

  public WeightText(PublishedModel model) {
    this.model = model;
    this.names = WeightNames.of(model.manifest());
  }

  /** The names of all weights, in their order. */
  public List<String> names() {
    List<String> all = new ArrayList<>(model.weights().length);
    for (int i = 0; i < model.weights().length; i++) {
      all.add(names.of(i));
    }
    return all;
  }

  /** A line for each of the first weights, and what must be known of hashed ones. */
  public List<String> lines(int most) {
    double[] weights = model.weights();
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < Math.min(most, weights.length); i++) {
      lines.add(String.format(Locale.ROOT, "weight %-6d %-24s %s", i, weights[i], names.of(i)));
    }
    if (most < weights.length) {
      lines.add("... " + (weights.length - most) + " more: --weights");
    }
    names
        .features()
        .map(FeatureNames::hashedFeatures)
        .filter(each -> !each.isEmpty())
        .ifPresent(hashed -> lines.add("hashed weights hold the values of "
            + String.join(", ", hashed)
            + "; values that meet in one cannot be told apart. Where one is: --value "
            + hashed.get(0) + "=TEXT"));
    return lines;
  }

  /** A value of a category: its name, the text, and where it goes. */
  private record Value(String text, FeatureNames.Place place) {}

  /**
   * Where values of categories are, what their weights are, and which of them share one.
   *
   * @param asked each as {@code feature=text}
   * @throws IllegalArgumentException where one names no category
   */
  public List<String> values(List<String> asked) {
    List<Value> values = asked.stream().flatMap(this::meanings).toList();
    List<String> lines = new ArrayList<>();
    for (Value each : values) {
      int coordinate = each.place().coordinate();
      lines.add(String.format(
          Locale.ROOT,
          "%s is %s%s%s",
          each.text(),
          each.place().sign() < 0 ? "minus " : "",
          weights(coordinate),
          meets(each, values).map(others -> "; the same as that of " + others).orElse("")));
    }
    return lines;
  }

  /** The value as a text, and as a number where that is another one. */
  private Stream<Value> meanings(String asked) {
    int at = asked.indexOf('=');
    if (at < 1) {
      throw new IllegalArgumentException(
          "a value is FEATURE=TEXT, such as city=Paris, but was " + asked);
    }
    FeatureNames features = names
        .features()
        .orElseThrow(() -> new IllegalArgumentException(
            "model " + model.manifest().modelId() + " has no categories that its manifest names"));
    String feature = asked.substring(0, at);
    String text = asked.substring(at + 1);
    Optional<FeatureNames.Place> number = features.placeOfNumber(feature, text);
    return Stream.concat(
        Stream.of(new Value(
            asked + (number.isPresent() ? " (a text, as in CSV)" : ""),
            features.place(feature, text))),
        number.map(place -> new Value(asked + " (a number of JSON or Avro)", place)).stream());
  }

  private String weights(int coordinate) {
    List<String> all = new ArrayList<>();
    for (int row = 0; row < names.rows(); row++) {
      int weight = row * names.inputs() + coordinate;
      all.add("weight " + weight + " (" + (names.rows() > 1 ? names.row(row) + ": " : "")
          + model.weights()[weight] + ")");
    }
    return String.join(", ", all);
  }

  private static Optional<String> meets(Value one, List<Value> all) {
    String others = all.stream()
        .filter(each -> each != one && each.place().coordinate() == one.place().coordinate())
        .map(Value::text)
        .collect(Collectors.joining(", "));
    return others.isEmpty() ? Optional.empty() : Optional.of(others);
  }
}
