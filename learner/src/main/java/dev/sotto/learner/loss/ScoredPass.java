package dev.sotto.learner.loss;

/** A pass that ends in the scores of an output layer. */
abstract class ScoredPass implements Objective.Pass {
  final OutputLayer.Scored scored;

  ScoredPass(OutputLayer.Scored scored) {
    this.scored = scored;
  }

  @Override
  public final double value(double label) {
    return scored.value(label);
  }

  @Override
  public final double predicted() {
    return scored.predicted();
  }

  @Override
  public final void predictions(double[] into) {
    scored.predictions(into);
  }

  @Override
  public final double target(double label) {
    return scored.target(label);
  }

  @Override
  public final boolean isRight(double label) {
    return scored.isRight(label);
  }
}
