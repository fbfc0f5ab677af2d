package dev.sotto.serdes.feature;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the coordinates of a feature map are called. A number has some of its own, one for itself
 * and one for each of its hats; all values of all categories and crosses share the hashed
 * coordinates, and several may share one of them.
 */
public final class FeatureNames {
  private final List<String> own = new ArrayList<>();
  private final List<HashedFeature> hashed = new ArrayList<>();

  FeatureNames(Feature[] features, boolean bias) {
    if (bias) {
      own.add("bias");
    }
    for (Feature each : features) {
      if (each instanceof NumericFeature numeric) {
        own.add(numeric.spec().name());
        for (int knot = 0; knot < numeric.hats().knots(); knot++) {
          own.add(numeric.spec().name() + " hat " + knot);
        }
      } else if (each instanceof UnboundedFeature number) {
        own.addAll(number.names());
      } else if (each instanceof HashedFeature category) {
        hashed.add(category);
      }
    }
  }

  /**
   * Where a value of a category goes.
   *
   * @param coordinate of its weight
   * @param sign of the feature, 1 or -1
   */
  public record Place(int coordinate, int sign) {}

  /** The name of a coordinate; of a hashed one its number in the block, and whose block it is. */
  public String of(int coordinate) {
    return coordinate < own.size()
        ? own.get(coordinate)
        : "hashed " + (coordinate - own.size()) + " of " + String.join(", ", hashedFeatures());
  }

  /** The names of the categories and crosses. */
  public List<String> hashedFeatures() {
    return hashed.stream().map(HashedFeature::name).toList();
  }

  /**
   * Where a value goes.
   *
   * @param feature the name of a category or cross
   * @param value its text; of a cross, the texts with commas between
   * @throws IllegalArgumentException where there is no such feature, or it has another number of
   *     values
   */
  public Place place(String feature, String value) {
    HashedFeature found = find(feature);
    return found.placeOf(values(found, value));
  }

  /**
   * Where a value goes that is a number of JSON or Avro, and no text; empty where it is none, or
   * goes where its text goes.
   */
  public Optional<Place> placeOfNumber(String feature, String value) {
    HashedFeature found = find(feature);
    return found.placeOfNumbers(values(found, value));
  }

  private HashedFeature find(String feature) {
    return hashed.stream()
        .filter(each -> each.name().equals(feature))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no category is called " + feature
            + (hashed.isEmpty()
                ? ": the model has none"
                : "; there are: " + String.join(", ", hashedFeatures()))));
  }

  private static List<String> values(HashedFeature found, String value) {
    List<String> values = found.arity() == 1 ? List.of(value) : List.of(value.split(",", -1));
    if (values.size() != found.arity()) {
      throw new IllegalArgumentException("cross " + found.name() + " has " + found.arity()
          + " values with commas between, but was given " + values.size() + ": " + value);
    }
    return values;
  }
}
