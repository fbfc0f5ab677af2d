package dev.sotto.learner.loss;

/** A loss of one score. For one thread. */
final class SingleScoreGradient implements OutputLayer.Scored {
  private final Loss loss;
  private final double[] scores = new double[1];

  SingleScoreGradient(Loss loss) {
    this.loss = loss;
  }

  @Override
  public double[] scores() {
    return scores;
  }

  @Override
  public void scored() {}

  @Override
  public double value(double label) {
    // A loss may be finite where the score is not: such a score stands for nothing.
    return Math.abs(scores[0]) < Double.POSITIVE_INFINITY
        ? loss.value(scores[0], label)
        : Double.NaN;
  }

  @Override
  public void slopes(double label, double[] into) {
    into[0] = loss.slope(scores[0], label);
  }

  @Override
  public double predicted() {
    return loss.predict(scores[0]);
  }

  @Override
  public double target(double label) {
    return label;
  }

  @Override
  public boolean isRight(double label) {
    return SingleScore.side(predicted()) == SingleScore.side(label);
  }
}
