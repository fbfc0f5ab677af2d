package dev.sotto.serdes.feature;

import dev.sotto.learner.settings.NumberText;

/** What fields hold, for tests of readers. */
public final class HeldValues {
  /** Neither number nor text. */
  public static final String OTHER = "other";

  private HeldValues() {}

  /** A number as text. */
  public static String number(double value) {
    return NumberText.shortest(value).replaceFirst("\\.0$", "");
  }

  /** A number as shortest text, a text, true or false, or {@link #OTHER}; null where missing. */
  public static String of(FeatureMap map, FieldValues values, String path) {
    int place = map.paths().placeOf(path);
    return switch (values.words(place)) {
      case "missing" -> null;
      case "an object, a list or bytes" -> OTHER;
      case "a number" -> number(values.number(place));
      default -> values.textOf(place);
    };
  }
}
