package dev.sotto.serdes.feature;

import dev.sotto.learner.description.FigureFormat;
import dev.sotto.learner.settings.NumberText;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Which labels there were, of all records that were mapped in this process: for what somebody must
 * see to notice that a class is written otherwise than the records write it. It depends on what
 * records hold, so it stays inside the trust boundary. Threads share it, and the first of a class
 * is counted without a lock.
 */
public final class LabelTally {
  private static final int LONGEST_SHOWN = 60;

  private final String key;
  private final List<String> classes; // the label of each is its place
  private final boolean hasOther;
  private final boolean ofNumbers; // the loss predicts a number
  private final boolean[] seen;
  private final LongAdder refused = new LongAdder();
  private final LongAdder unlabelled =
      new LongAdder(); // whose label came in another record, or not
  private volatile boolean joined; // whether any label came so
  private volatile String firstRefused;
  private volatile String firstOther;

  private LabelTally(String key, List<String> classes, boolean hasOther, boolean ofNumbers) {
    this.key = key;
    this.ofNumbers = ofNumbers;
    this.classes = classes;
    this.hasOther = hasOther;
    this.seen = new boolean[classes.size()];
  }

  static LabelTally of(LabelRule rule, List<String> listed) {
    if (rule instanceof LabelRule.Classes) {
      return new LabelTally(FeatureKeys.LABEL_CLASSES.name(), listed, true, false);
    }
    if (rule instanceof LabelRule.Names) {
      return new LabelTally("label.names", listed, false, false);
    }
    boolean two = rule instanceof LabelRule.Threshold
        || rule instanceof LabelRule.AsItIs asItIs && asItIs.binary();
    String name = rule instanceof LabelRule.Threshold
        ? FeatureKeys.LABEL_THRESHOLD.name()
        : FeatureKeys.LABEL_FIELD.name();
    boolean numbers = rule instanceof LabelRule.Range || rule instanceof LabelRule.Measured;
    return new LabelTally(name, two ? List.of("0", "1") : List.of(), false, numbers);
  }

  /** A label: one of the classes, or a share of two. */
  void saw(double label) {
    if (seen.length == 0) {
      return;
    }
    int place = (int) label;
    if (place == label) {
      saw(place);
    } else {
      saw(0);
      saw(1);
    }
  }

  private void saw(int place) {
    if (place >= 0 && place < seen.length && !seen[place]) {
      seen[place] = true;
    }
  }

  /** A label that is none of the classes, and counts as 0. */
  void sawOther(FieldValues values, int place) {
    if (firstOther == null) {
      firstOther = shown(values.textOf(place));
    }
  }

  /** A label that came in a record of its own. */
  public void joined() {
    if (!joined) {
      joined = true;
    }
  }

  /**
   * A record to which none came.
   *
   * @param negative whether it counts as one with the label 0
   */
  public void sawNone(boolean negative) {
    unlabelled.increment();
    if (negative && !hasOther) {
      saw(0);
    } else if (negative && firstOther == null) {
      firstOther = "one that did not come";
    }
  }

  /** A label that means nothing, so that its record is set aside. */
  void refuse(FieldValues values, int place) {
    refused.increment();
    if (firstRefused == null) {
      firstRefused = shown(values.textOf(place));
    }
  }

  /** A number that means nothing to the loss. */
  public void refuse(double label) {
    refused.increment();
    if (firstRefused == null) {
      firstRefused =
          label == (long) label ? Long.toString((long) label) : NumberText.shortest(label);
    }
  }

  private static String shown(String label) {
    return CanonicalText.quoted(
        label.length() > LONGEST_SHOWN ? label.substring(0, LONGEST_SHOWN) + "..." : label);
  }

  /** What somebody should look at so far, a sentence each; none before the first label. */
  public List<String> faults() {
    List<String> faults = new ArrayList<>();
    if (unlabelled.sum() > 0 && !joined) {
      faults.add("no label has come to any of " + FigureFormat.counted(unlabelled.sum(), "record")
          + ": compare the ids of the two topics, which are the bytes of their keys unless"
          + " events.labels.id names a field, and events.labels.wait.ms");
      return faults;
    }
    if (refused.sum() > 0) {
      faults.add(FigureFormat.counted(refused.sum(), "record")
          + " could not be used since their label means nothing here, the first "
          + firstRefused + ": " + remedy());
    }
    boolean any = firstOther != null;
    List<String> never = new ArrayList<>();
    for (int i = 0; i < seen.length; i++) {
      any |= seen[i];
      if (!seen[i]) {
        never.add(ListedClass.shown(classes.get(i)));
      }
    }
    if (any && !never.isEmpty()) {
      faults.add("no label was " + String.join(", ", never) + " (" + key + ")"
          + (firstOther == null ? "" : "; the first of the others was " + firstOther)
          + ": compare how the records write it");
    }
    if (any && hasOther && firstOther == null) {
      faults.add(
          "every label was one of " + key + ", so all of them are 1: list those of one side");
    }
    return faults;
  }

  private String remedy() {
    if (ofNumbers) {
      return (firstRefused.matches("\"[0-9.]+,[0-9,.]*\"")
              ? "state events.comma where commas belong to numbers; "
              : "")
          + "the loss predicts a number; name a label.field that holds numbers, or, for classes,"
          + " set loss: logistic with label.classes, or loss: softmax with label.names";
    }
    return switch (key) {
      case "label.names" -> "compare how the records write it, or add it to label.names";
      default ->
        "state label.classes with those that count as 1, label.threshold, or label.names with loss"
            + " softmax";
    };
  }
}
