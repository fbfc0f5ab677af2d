package dev.sotto.serdes.feature;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** What a feature map reads a field as. */
public enum FieldUse {
  /** A feature, a weight, a label with bounds or with a range that is measured. */
  NUMBER("a number"),
  /** A label as it is, or with a threshold. */
  NUMBER_OR_FLAG("a number, or true or false"),
  /** A label as it is, of two classes. */
  NUMBER_OR_WORD("a number, true or false, or yes or no"),
  /** A category, or a label by its classes. */
  VALUE("a text, a number, or true or false"),
  /** The id of a unit. */
  NAME("a text or a whole number");

  private final String words;

  FieldUse(String words) {
    this.words = words;
  }

  /** What may stand there, in words. */
  public String words() {
    return words;
  }

  /** Whether a text that is no number may stand there, at least where there are two classes. */
  public boolean takesWord(String text) {
    return switch (this) {
      case NUMBER -> false;
      case NUMBER_OR_FLAG, NUMBER_OR_WORD -> LabelReader.ofWord(FieldValues.word(text), true) >= 0;
      case VALUE, NAME -> true;
    };
  }

  /**
   * What the fields of a map are read as, by their paths.
   *
   * @param scoring whether only features are read
   */
  static Map<String, Set<FieldUse>> of(FeatureMapBuilder map, boolean scoring) {
    Map<String, Set<FieldUse>> uses = new LinkedHashMap<>();
    if (!scoring) { // in the order in which they are read
      map.unitFields.forEach(field -> add(uses, field, NAME));
      add(uses, map.labelField, ofLabel(map.labelRule));
      add(uses, map.weightField, NUMBER);
    }
    map.numerics.forEach(each -> add(uses, each.field(), NUMBER));
    map.unbounded.forEach(each -> add(uses, each.field(), NUMBER));
    map.hashed.forEach(each -> each.fields().forEach(field -> add(uses, field, VALUE)));
    return uses;
  }

  /** The paths of features that a record may be without. */
  static Set<String> optional(FeatureMapBuilder map) {
    Set<String> paths = new LinkedHashSet<>();
    map.numerics.stream().filter(each -> each.optional()).forEach(each -> paths.add(each.field()));
    map.unbounded.stream().filter(each -> each.optional()).forEach(each -> paths.add(each.field()));
    map.hashed.stream()
        .filter(each -> each.optional())
        .forEach(each -> paths.addAll(each.fields()));
    return paths;
  }

  private static void add(Map<String, Set<FieldUse>> uses, String field, FieldUse use) {
    if (field != null) {
      uses.computeIfAbsent(field, none -> new LinkedHashSet<>()).add(use);
    }
  }

  private static FieldUse ofLabel(LabelRule rule) {
    if (rule instanceof LabelRule.Range || rule instanceof LabelRule.Measured) {
      return NUMBER;
    }
    if (rule instanceof LabelRule.AsItIs asItIs && asItIs.binary()) {
      return NUMBER_OR_WORD;
    }
    return rule instanceof LabelRule.Classes || rule instanceof LabelRule.Names
        ? VALUE
        : NUMBER_OR_FLAG;
  }
}
