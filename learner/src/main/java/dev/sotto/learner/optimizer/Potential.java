package dev.sotto.learner.optimizer;

/**
 * A strongly convex function Psi over a convex set W, with its minimisers in closed form
 * (docs/private-ftrl.md, "Potentials and sets"). Immutable, so safe for use by several threads.
 */
public interface Potential {
  /**
   * Writes argmin over w in W of {@code <gradient, w> + Psi(w) / eta}; with a zero gradient that is
   * the minimiser of Psi. The same bits on every machine, and nothing is allocated. Always finite:
   * where the minimiser of an unbounded set overflows, its coordinates stop at {@code
   * Double.MAX_VALUE}. A bounded set may be overstepped by a rounding error, never by more.
   *
   * @param gradient finite numbers
   * @param eta positive and finite
   * @param into as long as the gradient; may be the gradient itself
   */
  void argmin(double[] gradient, double eta, double[] into);

  /**
   * Writes the gradient of Psi at a point of W; at the edge of its domain, where it has none, a
   * finite vector that points there. With it Psi can be taken around that point: a warm start.
   *
   * @param into as long as the point; may be the point itself
   */
  void gradient(double[] point, double[] into);

  /** Its name and the numbers of W, as canonical text. */
  String describe();

  /**
   * D, the square root of the largest difference of Psi between two points of W: infinite where W
   * is unbounded.
   *
   * @param dimension the number of coordinates of a point, at least 1
   */
  double diameter(int dimension);
}
