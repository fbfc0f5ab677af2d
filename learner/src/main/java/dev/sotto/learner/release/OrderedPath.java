package dev.sotto.learner.release;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.mechanism.PathNoise;

/**
 * The path of one phase of {@link PathNoise} through its slots, and the sum of the points before
 * each step. Whatever the slots hold, every step is one that the mechanism's guarantee speaks of:
 *
 * <pre>
 * score   s = &lt;a, y>
 * slope   c = weight * c(s), cut to magnitude L / ||a||           never falls, and ||c a|| &lt;= L
 * step    eta = min(step, 2 / (curvature * weight * ||a||^2),     non-expansive
 *                   64 step L / (lipschitz * weight * ||a||))     so that c is exact enough
 * y       Proj(y - eta c a)
 * </pre>
 *
 * <p>eta and what cuts the slope follow from the slot and public numbers alone, never from y. A
 * slot does not move y, as a null slot would not, where ||a|| is not between 2^-400 and 2^400, the
 * weight not above 0 and at most 2^200, or the label not finite.
 *
 * <p>A step takes time for all weights, of a sparse example too: all of them are averaged and
 * projected.
 */
public final class OrderedPath extends PathSum {
  private final PathNoise mechanism;

  /**
   * A path that is yet to be opened.
   *
   * @param lattice whose clip bounds gradients
   * @throws IllegalArgumentException with the rule, where the guarantee would not hold
   */
  public OrderedPath(Lattice lattice, PathNoise mechanism, Objective objective) {
    super(lattice, mechanism, objective);
    this.mechanism = mechanism;
  }

  /**
   * Begins the path of a query.
   *
   * @param number of the query in its block, from 1
   * @param from public; moved into the ball
   * @throws IllegalStateException where slots have been filled already
   */
  public void open(long number, double[] from) {
    begin(number, from);
  }

  @Override
  public void open(long number, double[] point, double[] offset) {
    open(number, point);
  }

  @Override
  void step(Example example) {
    double factor = example == null ? 0 : factor(example);
    if (factor != 0) {
      move(example, factor);
      project();
    }
  }

  /** eta c. */
  private double factor(Example example) {
    double norm = example.norm();
    double weight = example.weight();
    double width = mechanism.smoothing() * norm;
    double c = weight * slope.at(example.dot(numbers), example.label(), width);
    // A little less than 2 over the smoothness of the slot, for what is rounded here.
    double smoothness = slope.curvature(width) * weight * norm * norm;
    double eta = Math.min(step(norm, weight), 2 * (1 - 0x1p-20) / smoothness);
    return eta * cut(c, norm);
  }
}
