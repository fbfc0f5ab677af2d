package dev.sotto.serdes.feature;

import dev.sotto.learner.example.Hats;
import dev.sotto.learner.range.NumberForm;
import dev.sotto.serdes.feature.FeatureMapBuilder.Hashed;
import dev.sotto.serdes.feature.FeatureMapBuilder.Numeric;
import dev.sotto.serdes.feature.FeatureMapBuilder.Unbounded;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the coordinates of a model mean, by the names of its features.
 *
 * @param numbers in the order of their coordinates
 * @param unbounded the numbers without bounds, likewise
 * @param hashed the categories and crosses
 */
record MappedFeatures(
    FeatureMapText map,
    Map<String, Number> numbers,
    Map<String, Free> unbounded,
    Map<String, Hashed> hashed) {

  /**
   * A number between public bounds.
   *
   * @param coordinate of its weight; those of its hats follow
   * @param low the transformed least value
   * @param width the transformed range
   */
  /**
   * A number without bounds.
   *
   * @param coordinate of its first weight
   * @param form which weights it has
   */
  record Free(int coordinate, Unbounded spec, NumberForm form) {
    /** Whether another is read from the same field. */
    boolean isSame(Free other) {
      return spec.field().equals(other.spec.field());
    }
  }

  record Number(int coordinate, Numeric spec, double low, double width) {
    /** Whether another is read from the same field and transformed likewise. */
    boolean isSame(Number other) {
      return spec.field().equals(other.spec.field()) && spec.transform() == other.spec.transform();
    }

    boolean hasBoundsOf(Number other) {
      return low == other.low && width == other.width;
    }

    /** Where a place between the bounds of another lies between the bounds of this one. */
    double place(double z, Number other) {
      double value = other.low + (z + 1) / 2 * other.width;
      return Math.max(-1, Math.min(1, 2 * (value - low) / width - 1));
    }
  }

  /** Empty where the text is not that of a feature map. */
  static Optional<MappedFeatures> parse(String text) {
    try {
      return Optional.of(of(FeatureMapText.parse(text)));
    } catch (IllegalArgumentException unreadable) {
      return Optional.empty();
    }
  }

  private static MappedFeatures of(FeatureMapText map) {
    Map<String, Number> numbers = new LinkedHashMap<>();
    List<Numeric> specs = map.numbers();
    for (int i = 0; i < specs.size(); i++) {
      Numeric spec = specs.get(i);
      double low = spec.transform().of(spec.min());
      double width = spec.transform().of(spec.max()) - low;
      numbers.put(spec.name(), new Number(map.coordinateOfNumber(i), spec, low, width));
    }
    Map<String, Hashed> hashed = new LinkedHashMap<>();
    map.hashed().forEach(each -> hashed.put(each.name(), each));
    Map<String, Free> unbounded = new LinkedHashMap<>();
    for (Unbounded each : map.unbounded()) {
      int at = map.coordinateOfUnbounded(unbounded.size());
      unbounded.put(each.name(), new Free(at, each, map.form()));
    }
    return new MappedFeatures(map, numbers, unbounded, hashed);
  }

  boolean bias() {
    return map.bias();
  }

  Hats hats() {
    return map.hatFunctions();
  }

  int dimension() {
    return map.dimension();
  }

  /** The first coordinate of the hashed block. */
  int block() {
    return map.firstHashed();
  }

  /** How many coordinates it has. */
  int blockSize() {
    return map.hashedCoordinates();
  }

  /** Whether a category or cross is hashed as another map hashes it. */
  boolean hashesAs(MappedFeatures other, String name) {
    Hashed mine = hashed.get(name);
    Hashed others = other.hashed.get(name);
    return mine != null
        && others != null
        && mine.cross() == others.cross()
        && mine.fields().equals(others.fields());
  }

  /** The names of all features. */
  Set<String> names() {
    Set<String> all = new LinkedHashSet<>(numbers.keySet());
    all.addAll(unbounded.keySet());
    all.addAll(hashed.keySet());
    return all;
  }
}
