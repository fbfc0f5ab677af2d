package dev.sotto.serdes.feature;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.RecordStatus;

/** One contribution to the feature vector. */
interface Feature {
  /** Adds to the example, or tells what is wrong; {@link RecordStatus#USED} if nothing is. */
  RecordStatus addTo(Example example, FieldValues values);

  /** A missing value stops the record, unless the feature is optional. */
  static RecordStatus unless(boolean optional, RecordStatus fault) {
    return optional && fault == RecordStatus.MISSING_FIELD ? RecordStatus.USED : fault;
  }
}
