package dev.sotto.serdes.event;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.Verdict;

/** One contribution to the feature vector. */
interface Feature {
  /** Adds to the example, or tells what is wrong; {@link Verdict#USED} if nothing is. */
  Verdict addTo(Example example, FieldValues values);

  /** The canonical text. */
  String describe();

  /** A missing value stops the record, unless the feature is optional. */
  static Verdict unless(boolean optional, Verdict fault) {
    return optional && fault == Verdict.MISSING_FIELD ? Verdict.USED : fault;
  }

  /** How a feature says whether it may be missing. */
  static String need(boolean optional) {
    return optional ? "optional" : "required";
  }
}
