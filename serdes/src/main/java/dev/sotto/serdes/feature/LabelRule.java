package dev.sotto.serdes.feature;

import static dev.sotto.learner.loss.ObjectiveSettings.LABEL_NAMES;

import dev.sotto.learner.settings.ConfigError;
import java.util.ArrayList;
import java.util.List;

/** How a field becomes a label. */
public sealed interface LabelRule {
  /**
   * What is wrong with the rule, each fault with its key below {@code label.}; empty if nothing is.
   */
  List<ConfigError> problems();

  /**
   * The number itself; a boolean is 0 or 1.
   *
   * @param binary whether labels are of two classes: then -1 is 0, and {@code yes}, {@code y},
   *     {@code t} and {@code on} are 1, {@code no}, {@code n}, {@code f} and {@code off} 0, in
   *     letters of any case
   */
  record AsItIs(boolean binary) implements LabelRule {
    /** Of any number. */
    public AsItIs() {
      this(false);
    }

    @Override
    public List<ConfigError> problems() {
      return List.of();
    }
  }

  /** 1 where the number is above the threshold, 0 elsewhere; a boolean is 0 or 1. */
  record Threshold(double threshold) implements LabelRule {
    @Override
    public List<ConfigError> problems() {
      var problems = new ArrayList<ConfigError>();
      FeatureChecks.finite(problems, FeatureKeys.LABEL_THRESHOLD.name(), threshold);
      return problems;
    }
  }

  /**
   * 1 where the value is in the list, 0 elsewhere: a text that is written so there, or else a
   * number with a number and a boolean with a boolean, however they are written. An item in quotes
   * is a text only ({@link ListedClass}).
   */
  record Classes(List<String> positive) implements LabelRule {
    /** Copies the list. */
    public Classes {
      positive = positive == null ? List.of() : List.copyOf(positive);
    }

    @Override
    public List<ConfigError> problems() {
      return positive.isEmpty()
          ? List.of(new ConfigError(
              FeatureKeys.LABEL_CLASSES.name(), "must name at least one class, but was empty"))
          : List.of();
    }
  }

  /** The place of the value in a list, from 0, found as by {@link Classes}; others are no label. */
  record Names(List<String> names) implements LabelRule {
    /** Copies the list. */
    public Names {
      names = names == null ? List.of() : List.copyOf(names);
    }

    /** The names without the quotes of those that are texts only. */
    public List<String> texts() {
      return names.stream().map(ListedClass::textOf).toList();
    }

    @Override
    public List<ConfigError> problems() {
      if (names.size() < 2) {
        return List.of(new ConfigError(
            LABEL_NAMES.name(), "must name at least two classes, but named " + names.size()));
      }
      return texts().stream().distinct().count() < names.size()
          ? List.of(
              new ConfigError(LABEL_NAMES.name(), "must name each class once, but were " + names))
          : List.of();
    }
  }

  /** clip((v - min) / (max - min), 0, 1). */
  record Range(double min, double max) implements LabelRule {
    @Override
    public List<ConfigError> problems() {
      var problems = new ArrayList<ConfigError>();
      FeatureChecks.bounds(problems, "label", min, max, Transform.IDENTITY);
      return problems;
    }
  }

  /** The number itself; what learns brings it to units of its range, once that is measured. */
  record Measured() implements LabelRule {
    @Override
    public List<ConfigError> problems() {
      return List.of();
    }
  }
}
