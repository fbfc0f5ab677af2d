package dev.sotto.serdes.feature;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.RecordStatus;
import java.util.Arrays;
import java.util.List;

/** Reads a record's label by a {@link LabelRule}. */
final class LabelReader {
  private static final long TRUE = FieldValues.word("true");
  private static final long FALSE = FieldValues.word("false");
  private static final long[] POSITIVE = words("yes", "y", "t", "on");
  private static final long[] NEGATIVE = words("no", "n", "f", "off");
  private static final int NONE = -1;

  private final String field;
  private final LabelRule rule;
  private final int place;
  private final boolean binary;
  private final ListedClass[] classes;
  private final LabelTally tally;

  LabelReader(String field, LabelRule rule, FieldPaths paths) {
    this.field = field;
    this.rule = rule;
    this.binary = rule instanceof LabelRule.AsItIs asItIs && asItIs.binary();
    List<String> listed = listed(rule);
    this.classes = listed.stream().map(ListedClass::of).toArray(ListedClass[]::new);
    this.place = paths.place(field, classes.length > 0);
    this.tally = LabelTally.of(rule, listed);
  }

  private static long[] words(String... words) {
    return Arrays.stream(words).mapToLong(FieldValues::word).toArray();
  }

  private static List<String> listed(LabelRule rule) {
    if (rule instanceof LabelRule.Classes positive) {
      return positive.positive();
    }
    return rule instanceof LabelRule.Names names ? names.names() : List.of();
  }

  String field() {
    return field;
  }

  LabelRule rule() {
    return rule;
  }

  /** Which labels there were. */
  LabelTally tally() {
    return tally;
  }

  /** Sets the example's label, or tells what is wrong; {@link RecordStatus#USED} if nothing is. */
  RecordStatus read(FieldValues values, Example example) {
    return classes.length == 0 ? number(values, example) : listed(values, example);
  }

  private RecordStatus number(FieldValues values, Example example) {
    RecordStatus status = values.numberAt(place, takesBooleans());
    double value = values.number(place);
    if (status == RecordStatus.WRONG_TYPE && takesBooleans() && values.isText(place)) {
      value = ofWord(values.word(place), binary);
      status = value == NONE ? status : RecordStatus.USED;
    }
    if (status == RecordStatus.USED) {
      double label = ofNumber(value);
      tally.saw(label);
      example.label(label);
    } else if (status == RecordStatus.WRONG_TYPE) {
      tally.refuse(values, place);
    }
    return status;
  }

  /** The label of a word, of more words where there are two classes; -1 where it has none. */
  static int ofWord(long word, boolean binary) {
    if (word == TRUE || word == FALSE) {
      return word == TRUE ? 1 : 0;
    }
    for (int i = 0; binary && i < POSITIVE.length; i++) {
      if (word == POSITIVE[i] || word == NEGATIVE[i]) {
        return word == POSITIVE[i] ? 1 : 0;
      }
    }
    return NONE;
  }

  private RecordStatus listed(FieldValues values, Example example) {
    RecordStatus status = values.textAt(place);
    if (status != RecordStatus.USED) {
      return status;
    }
    int found = find(values);
    if (found < 0 && rule instanceof LabelRule.Names) {
      tally.refuse(values, place);
      return RecordStatus.WRONG_TYPE;
    }
    if (found < 0) {
      tally.sawOther(values, place);
    } else {
      tally.saw(found);
    }
    example.label(rule instanceof LabelRule.Names ? found : found < 0 ? 0 : 1);
    return status;
  }

  private boolean takesBooleans() {
    return !(rule instanceof LabelRule.Range || rule instanceof LabelRule.Measured);
  }

  private double ofNumber(double value) {
    if (rule instanceof LabelRule.Threshold above) {
      return value > above.threshold() ? 1 : 0;
    }
    if (rule instanceof LabelRule.Range range) {
      return Math.max(0, Math.min(1, (value - range.min()) / (range.max() - range.min())));
    }
    return binary && value == -1 ? 0 : value;
  }

  /** Where the value stands in the list, or -1: by its text, or else as what it is. */
  private int find(FieldValues values) {
    if (!values.isText(place)) {
      return find(values.isBoolean(place), values.number(place));
    }
    int from = values.start(place);
    int to = from + values.length(place);
    boolean numbers = false;
    boolean booleans = false;
    for (int i = 0; i < classes.length; i++) {
      byte[] text = classes[i].text();
      if (Arrays.equals(text, 0, text.length, values.texts(), from, to)) {
        return i;
      }
      numbers |= classes[i].isNumber();
      booleans |= classes[i].isBoolean();
    }
    if (numbers && values.numberAt(place, false) == RecordStatus.USED) {
      return find(false, values.number(place));
    }
    long word = booleans ? values.word(place) : 0;
    return word == 0 || word != TRUE && word != FALSE ? NONE : find(true, word == TRUE ? 1 : 0);
  }

  private int find(boolean isBoolean, double value) {
    for (int i = 0; i < classes.length; i++) {
      if (classes[i].isBoolean() == isBoolean && classes[i].value() == value) {
        return i;
      }
    }
    return NONE;
  }
}
