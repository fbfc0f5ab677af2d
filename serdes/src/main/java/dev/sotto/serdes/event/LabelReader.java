package dev.sotto.serdes.event;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.Verdict;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads a record's label by a {@link LabelRule}. */
final class LabelReader {
  private final String field;
  private final LabelRule rule;
  private final int place;
  private final byte[][] positive;

  LabelReader(String field, LabelRule rule, FieldPaths paths) {
    this.field = field;
    this.rule = rule;
    this.place = paths.place(field, rule instanceof LabelRule.Classes);
    this.positive = rule instanceof LabelRule.Classes classes
        ? classes.positive().stream()
            .map(text -> text.getBytes(StandardCharsets.UTF_8))
            .toArray(byte[][]::new)
        : new byte[0][];
  }

  /** Sets the example's label, or tells what is wrong; {@link Verdict#USED} if nothing is. */
  Verdict read(FieldValues values, Example example) {
    boolean byText = rule instanceof LabelRule.Classes;
    Verdict verdict = byText ? values.textAt(place) : values.numberAt(place, takesBooleans());
    if (verdict == Verdict.USED) {
      example.label(byText ? ofText(values) : ofNumber(values.number(place)));
    }
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

  private double ofText(FieldValues values) {
    int from = values.start(place);
    int to = from + values.length(place);
    for (byte[] text : positive) {
      if (Arrays.equals(text, 0, text.length, values.texts(), from, to)) {
        return 1;
      }
    }
    return 0;
  }

  String describe() {
    return "label " + Texts.quoted(field) + " " + rule.describe();
  }
}
