package dev.sotto.learner.loss;

/**
 * Cross-entropy of one class of K against the softmax of K scores, in log-sum-exp form. For one
 * thread.
 */
final class SoftmaxGradient implements OutputLayer.Scored {
  private final double[] scores;
  private final double[] shares; // e^(score - largest), before division by their sum
  private double largest;
  private double sum;
  private int likeliest;

  SoftmaxGradient(int classes) {
    scores = new double[classes];
    shares = new double[classes];
  }

  static boolean admits(double label, int classes) {
    return label >= 0 && label < classes && label == Math.rint(label);
  }

  @Override
  public double[] scores() {
    return scores;
  }

  /** A score that is not finite makes every share NaN: such scores stand for nothing. */
  @Override
  public void scored() {
    likeliest = 0;
    double broken = 0;
    for (int k = 0; k < scores.length; k++) {
      broken += scores[k] - scores[k]; // NaN unless finite
      if (scores[k] > scores[likeliest]) {
        likeliest = k;
      }
    }
    largest = scores[likeliest] + broken;
    sum = 0; // at least 1
    for (int k = 0; k < scores.length; k++) {
      shares[k] = StrictMath.exp(scores[k] - largest);
      sum += shares[k];
    }
  }

  @Override
  public double value(double label) {
    return largest - scores[(int) label] + StrictMath.log(sum);
  }

  /**
   * p_k less 1 at the class itself, there as minus the sum of the others, which keeps its digits
   * near 0.
   */
  @Override
  public void slopes(double label, double[] into) {
    int right = (int) label;
    double others = 0;
    for (int k = 0; k < scores.length; k++) {
      if (k != right) {
        into[k] = shares[k] / sum;
        others += into[k];
      }
    }
    into[right] = -others;
  }

  @Override
  public double predicted() {
    return shares[likeliest] / sum;
  }

  @Override
  public void predictions(double[] into) {
    for (int k = 0; k < shares.length; k++) {
      into[k] = shares[k] / sum;
    }
  }

  @Override
  public double target(double label) {
    return likeliest == (int) label ? 1 : 0;
  }

  @Override
  public boolean isRight(double label) {
    return likeliest == (int) label;
  }
}
