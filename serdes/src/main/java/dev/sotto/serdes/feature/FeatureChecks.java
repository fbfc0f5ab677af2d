package dev.sotto.serdes.feature;

import dev.sotto.learner.settings.ConfigError;
import java.util.List;
import java.util.regex.Pattern;

/** The rules of a feature map's settings; each fault names key, rule and value. */
final class FeatureChecks {
  static final int MAX_SEGMENTS = 16;

  /** No '=': it ends the name in what is hashed. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,100}");

  private FeatureChecks() {}

  static void finite(List<ConfigError> problems, String key, double value) {
    if (!Double.isFinite(value)) {
      problems.add(new ConfigError(key, "must be finite, but was " + value));
    }
  }

  static void bounds(
      List<ConfigError> problems, String key, double min, double max, Transform transform) {
    finite(problems, key + ".min", min);
    finite(problems, key + ".max", max);
    if (!Double.isFinite(min) || !Double.isFinite(max)) {
      return;
    }
    if (!(min < max)) {
      problems.add(new ConfigError(
          key + ".min", "must be below " + key + ".max, but was " + min + " and " + max));
      return;
    }
    double width = transform.of(max) - transform.of(min);
    if (!(width > 0) || !Double.isFinite(width)) {
      problems.add(new ConfigError(
          key + ".max",
          "must lie a positive and finite width above " + key + ".min after the transform "
              + transform.word() + ", but the width was " + width));
    }
  }

  static void path(List<ConfigError> problems, String key, String path) {
    if (path == null || path.isEmpty()) {
      problems.add(new ConfigError(
          key, "must name a field, but was " + (path == null ? "missing" : "empty")));
      return;
    }
    String[] segments = path.split("\\.", -1);
    if (segments.length > MAX_SEGMENTS) {
      problems.add(new ConfigError(
          key, "must be at most " + MAX_SEGMENTS + " names deep, but was " + segments.length));
    }
  }

  static void name(List<ConfigError> problems, String key, String name) {
    if (name == null || !NAME.matcher(name).matches()) {
      String value = name == null ? "missing" : CanonicalText.quoted(name);
      problems.add(new ConfigError(
          key, "must have a name of 1 to 100 of A-Z a-z 0-9 _ . -, but was " + value));
    }
  }
}
