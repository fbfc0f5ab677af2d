package dev.sotto.app.demo;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.loss.Loss;
import dev.sotto.serdes.event.EventDecoder;
import java.util.Arrays;
import java.util.List;

/**
 * How well fixed weights do on events that they were not learned from. The figures are exact, hence
 * not private: for public data only.
 *
 * @param events how many were used
 * @param auc probability that a positive scores above a negative, ties counted half
 * @param logLoss mean loss in nats (or in the loss's own unit)
 * @param accuracy share predicted right at a probability of one half
 * @param positives share of positives
 */
record HeldOutScores(long events, double auc, double logLoss, double accuracy, double positives) {
  static HeldOutScores of(
      double[] weights, Loss loss, EventDecoder decoder, List<BaseballStream.Event> events) {
    double[] scores = new double[events.size()];
    boolean[] labels = new boolean[events.size()];
    Slot slot = new Slot(decoder.dimension());
    int used = 0;
    int positive = 0;
    int right = 0;
    double sum = 0;
    for (BaseballStream.Event event : events) {
      if (decoder.decode(event.key(), event.value(), slot) != RecordStatus.USED) {
        continue;
      }
      double label = slot.example().label();
      double score = slot.example().dot(weights);
      sum += loss.value(score, label);
      labels[used] = label > 0.5;
      positive += labels[used] ? 1 : 0;
      right += labels[used] == score > 0 ? 1 : 0;
      scores[used++] = score;
    }
    return new HeldOutScores(
        used,
        auc(scores, labels, used),
        sum / used,
        (double) right / used,
        (double) positive / used);
  }

  /** The rank-sum form, by sorting; tied scores share their mean rank. */
  static double auc(double[] scores, boolean[] labels, int count) {
    Integer[] order = new Integer[count];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, (a, b) -> Double.compare(scores[a], scores[b]));
    double ranks = 0;
    long positives = 0;
    for (int i = 0; i < count; ) {
      int end = i;
      while (end < count && scores[order[end]] == scores[order[i]]) {
        end++;
      }
      double mean = (i + 1 + end) / 2.0;
      for (; i < end; i++) {
        if (labels[order[i]]) {
          ranks += mean;
          positives++;
        }
      }
    }
    long negatives = count - positives;
    return (ranks - positives * (positives + 1) / 2.0) / ((double) positives * negatives);
  }
}
