package dev.sotto.app.view;

import dev.sotto.serdes.feature.FeatureNames;
import dev.sotto.serdes.snapshot.PublishedModel;
import dev.sotto.serdes.snapshot.WeightNames;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which features of a version tell most: numbers in the order of their {@link ScoreCurves}, where
 * they have any, and the others behind them by the norm of their weights, of all classes. It is a
 * function of the version alone, so as private as that. Categories share their weights, and are one
 * entry therefore.
 */
public final class TellingFeatures {
  private static final String BIAS = "bias";

  /** What follows the name of a number in the names of the coordinates of its curve. */
  private static final String CURVE = " (hat \\d+|octave -?\\d+|place( -?[0-9.]+)?)$";

  private TellingFeatures() {}

  /**
   * One of them.
   *
   * @param name of the feature, or of all categories together
   * @param norm of its weights
   * @param weights those of a number, in the order of coordinates; none of categories
   */
  public record Feature(String name, double norm, List<Double> weights) {}

  /** Those that tell most, first; empty where events are not mapped by their fields. */
  public static List<Feature> of(PublishedModel model, int most) {
    WeightNames names = WeightNames.of(model.manifest());
    FeatureNames features = names.features().orElse(null);
    if (features == null) {
      return List.of();
    }
    Map<String, List<Double>> own = new LinkedHashMap<>();
    String categories = String.join(", ", features.hashedFeatures());
    for (int i = 0; i < names.rows() * names.inputs(); i++) {
      String coordinate = features.of(i % names.inputs());
      boolean hashed = coordinate.startsWith("hashed ") && coordinate.endsWith(" of " + categories);
      String name = hashed ? categories : coordinate.replaceFirst(CURVE, "");
      if (!coordinate.equals(BIAS)) {
        own.computeIfAbsent(name, each -> new ArrayList<>()).add(model.weights()[i]);
      }
    }
    List<String> ranked = ScoreCurves.of(model).stream()
        .map(ScoreCurves.Curve::feature)
        .distinct()
        .toList();
    return own.entrySet().stream()
        .map(each -> new Feature(
            each.getKey(),
            Math.sqrt(each.getValue().stream().mapToDouble(w -> w * w).sum()),
            each.getKey().equals(categories) ? List.of() : each.getValue()))
        .sorted(Comparator.comparingInt((Feature each) -> rank(ranked, each.name()))
            .thenComparing(Comparator.comparingDouble(Feature::norm).reversed()))
        .limit(most)
        .toList();
  }

  private static int rank(List<String> ranked, String name) {
    int rank = ranked.indexOf(name);
    return rank < 0 ? ranked.size() : rank;
  }
}
