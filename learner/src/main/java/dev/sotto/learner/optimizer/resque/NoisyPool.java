package dev.sotto.learner.optimizer.resque;

import dev.sotto.learner.mechanism.ImportanceWeight;

/** The noisy mean gradients of one query. Their perturbations are drawn again, not kept. */
final class NoisyPool implements Pool {
  private final Perturbations perturbations;
  private final double[] drawn;
  private double[] means;
  private long query;

  NoisyPool(Perturbations perturbations) {
    this.perturbations = perturbations;
    this.drawn = new double[perturbations.dimension()];
  }

  /** Takes the answer of a query, one mean behind the other; it is kept. */
  void take(long asked, double[] answer) {
    query = asked;
    means = answer;
  }

  @Override
  public void add(int entry, double[] offset, double factor, double[] into) {
    perturbations.draw(query, entry, drawn);
    double weight = factor * ImportanceWeight.of(offset, drawn, perturbations.rho());
    int start = entry * drawn.length;
    for (int i = 0; i < into.length; i++) {
      into[i] += weight * means[start + i];
    }
  }
}
