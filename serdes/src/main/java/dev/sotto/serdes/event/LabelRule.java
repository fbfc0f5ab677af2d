package dev.sotto.serdes.event;

import java.util.ArrayList;
import java.util.List;

/** How a field becomes a label. */
public sealed interface LabelRule {
  /**
   * What is wrong with the rule, each fault with its key below {@code label.}; empty if nothing is.
   */
  List<String> problems();

  /** The canonical text. */
  String describe();

  /** The number itself; a boolean is 0 or 1. */
  record AsItIs() implements LabelRule {
    @Override
    public List<String> problems() {
      return List.of();
    }

    @Override
    public String describe() {
      return "as-it-is";
    }
  }

  /** 1 where the number is above the threshold, 0 elsewhere; a boolean is 0 or 1. */
  record Threshold(double threshold) implements LabelRule {
    @Override
    public List<String> problems() {
      var problems = new ArrayList<String>();
      Checks.finite(problems, "label.threshold", threshold);
      return problems;
    }

    @Override
    public String describe() {
      return "threshold " + Texts.number(threshold);
    }
  }

  /**
   * 1 where the value's text is in the list, 0 elsewhere; see {@link FeatureMap} for numbers as
   * text.
   */
  record Classes(List<String> positive) implements LabelRule {
    /** Copies the list. */
    public Classes {
      positive = positive == null ? List.of() : List.copyOf(positive);
    }

    @Override
    public List<String> problems() {
      return positive.isEmpty()
          ? List.of("label.classes must name at least one class, but was empty")
          : List.of();
    }

    @Override
    public String describe() {
      var text = new StringBuilder("classes");
      positive.stream().distinct().sorted().forEach(c -> text.append(' ').append(Texts.quoted(c)));
      return text.toString();
    }
  }

  /** The place of the value's text in a list, from 0; any other text is no label. */
  record Names(List<String> names) implements LabelRule {
    /** Copies the list. */
    public Names {
      names = names == null ? List.of() : List.copyOf(names);
    }

    @Override
    public List<String> problems() {
      if (names.size() < 2) {
        return List.of("label.names must name at least two classes, but named " + names.size());
      }
      return names.stream().distinct().count() < names.size()
          ? List.of("label.names must name each class once, but were " + names)
          : List.of();
    }

    @Override
    public String describe() {
      var text = new StringBuilder("names");
      names.forEach(name -> text.append(' ').append(Texts.quoted(name)));
      return text.toString();
    }
  }

  /** clip((v - min) / (max - min), 0, 1). */
  record Range(double min, double max) implements LabelRule {
    @Override
    public List<String> problems() {
      var problems = new ArrayList<String>();
      Checks.bounds(problems, "label", min, max, Transform.IDENTITY);
      return problems;
    }

    @Override
    public String describe() {
      return "range " + Texts.number(min) + " " + Texts.number(max);
    }
  }
}
