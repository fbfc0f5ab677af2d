package dev.sotto.benchmarks.experiments;

import dev.sotto.learner.loss.Logistic;
import dev.sotto.learner.loss.Loss;
import java.util.Arrays;

/** Exact scores of predictions of labels 0 and 1: not private, for public data only. */
final class BinaryScores {
  private static final Loss LOSS = new Logistic();
  private static final double FARTHEST = Math.log(1e15); // probabilities are cut at 1e-15

  private final double[] scores;
  private final boolean[] labels;
  private int count;
  private int right;
  private double loss;

  BinaryScores(int room) {
    scores = new double[room];
    labels = new boolean[room];
  }

  /** Takes in the logit of one prediction. */
  void add(double score, double label) {
    loss += LOSS.value(Math.max(-FARTHEST, Math.min(FARTHEST, score)), label);
    right += score > 0 == label > 0.5 ? 1 : 0;
    labels[count] = label > 0.5;
    scores[count++] = score;
  }

  /** Of fixed weights on every row. */
  static BinaryScores of(RealSet set, double[] weights) {
    BinaryScores scores = new BinaryScores(set.count());
    for (int i = 0; i < set.count(); i++) {
      scores.add(set.dot(i, weights), set.label(i));
    }
    return scores;
  }

  /** Loss, accuracy, AUC. */
  double[] all() {
    return new double[] {logLoss(), accuracy(), auc()};
  }

  /** Mean loss in nats. */
  double logLoss() {
    return loss / count;
  }

  /** The share that was right at a probability of one half. */
  double accuracy() {
    return (double) right / count;
  }

  /** The probability that a positive scores above a negative, ties counted half. */
  double auc() {
    double[] positives = new double[count];
    double[] negatives = new double[count];
    int p = 0;
    int n = 0;
    for (int i = 0; i < count; i++) {
      if (labels[i]) {
        positives[p++] = scores[i];
      } else {
        negatives[n++] = scores[i];
      }
    }
    Arrays.sort(positives, 0, p);
    Arrays.sort(negatives, 0, n);
    double wins = 0;
    int below = 0;
    int upTo = 0;
    for (int i = 0; i < p; i++) {
      while (below < n && negatives[below] < positives[i]) {
        below++;
      }
      while (upTo < n && negatives[upTo] <= positives[i]) {
        upTo++;
      }
      wins += (below + upTo) / 2.0;
    }
    return wins / ((double) p * n);
  }
}
