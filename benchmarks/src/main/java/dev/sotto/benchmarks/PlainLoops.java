package dev.sotto.benchmarks;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.Recording;
import dev.sotto.serdes.event.EventDecoder;

/** Loops over a recording without privacy, rounds or ledger: the limit of a replay. */
final class PlainLoops {
  private static final double RATE = 0.1;

  private PlainLoops() {}

  /** Touches every record. */
  static long read(Recording recording) {
    long records = 0;
    long bytes = 0;
    try (RecordCursor cursor = recording.open(0)) {
      while (cursor.next()) {
        records++;
        bytes += cursor.value().length;
      }
    }
    return bytes > 0 ? records : 0;
  }

  /** Decodes, scores, and takes one step of SGD for every example, under logistic loss. */
  static long learn(Recording recording, EventDecoder decoder) {
    double[] weights = new double[decoder.dimension()];
    Slot slot = new Slot(decoder.dimension());
    double loss = 0;
    long examples = 0;
    try (RecordCursor cursor = recording.open(0)) {
      while (cursor.next()) {
        if (decoder.decode(cursor.key(), cursor.value(), slot) == RecordStatus.USED) {
          Example example = slot.example();
          double[] x = example.values();
          double score = score(example, weights);
          double label = example.label();
          double probability = 1 / (1 + Math.exp(-score));
          loss -= Math.log(label == 1 ? probability : 1 - probability);
          double step = RATE * (probability - label);
          for (int i = 0; i < example.size(); i++) {
            weights[example.index(i)] -= step * x[i];
          }
          examples++;
        }
      }
    }
    return loss > 0 ? examples : 0;
  }

  private static double score(Example example, double[] weights) {
    if (example.isSparse()) {
      return example.dot(weights);
    }
    double score = 0;
    for (int i = 0; i < weights.length; i++) {
      score += weights[i] * example.values()[i];
    }
    return score;
  }
}
