package dev.sotto.serdes.feature;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.RecordStatus;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Reads a record's label by a {@link LabelRule}. */
final class LabelReader {
  private final String field;
  private final LabelRule rule;
  private final int place;
  private final boolean byText;
  private final byte[][] texts;

  LabelReader(String field, LabelRule rule, FieldPaths paths) {
    this.field = field;
    this.rule = rule;
    List<String> listed = listed(rule);
    this.byText = !listed.isEmpty();
    this.place = paths.place(field, byText);
    this.texts =
        listed.stream().map(text -> text.getBytes(StandardCharsets.UTF_8)).toArray(byte[][]::new);
  }

  private static List<String> listed(LabelRule rule) {
    if (rule instanceof LabelRule.Classes classes) {
      return classes.positive();
    }
    return rule instanceof LabelRule.Names names ? names.names() : List.of();
  }

  /** Sets the example's label, or tells what is wrong; {@link RecordStatus#USED} if nothing is. */
  RecordStatus read(FieldValues values, Example example) {
    if (!byText) {
      RecordStatus verdict = values.numberAt(place, takesBooleans());
      if (verdict == RecordStatus.USED) {
        example.label(ofNumber(values.number(place)));
      }
      return verdict;
    }
    RecordStatus verdict = values.textAt(place);
    if (verdict != RecordStatus.USED) {
      return verdict;
    }
    int found = find(values);
    if (rule instanceof LabelRule.Names && found < 0) {
      return RecordStatus.WRONG_TYPE;
    }
    example.label(rule instanceof LabelRule.Names ? found : found < 0 ? 0 : 1);
    return verdict;
  }

  private boolean takesBooleans() {
    return !(rule instanceof LabelRule.Range);
  }

  private double ofNumber(double value) {
    if (rule instanceof LabelRule.Threshold above) {
      return value > above.threshold() ? 1 : 0;
    }
    if (rule instanceof LabelRule.Range range) {
      return Math.max(0, Math.min(1, (value - range.min()) / (range.max() - range.min())));
    }
    return value;
  }

  /** Where the value's text stands in the list, or -1. */
  private int find(FieldValues values) {
    int from = values.start(place);
    int to = from + values.length(place);
    for (int i = 0; i < texts.length; i++) {
      if (Arrays.equals(texts[i], 0, texts[i].length, values.texts(), from, to)) {
        return i;
      }
    }
    return -1;
  }

  String describe() {
    return "label " + CanonicalText.quoted(field) + " " + rule.describe();
  }
}
