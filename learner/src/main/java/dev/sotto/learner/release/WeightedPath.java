package dev.sotto.learner.release;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.Vectors;
import dev.sotto.learner.key.KeyedNoise;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.mechanism.CallNoise;
import dev.sotto.learner.mechanism.ImportanceWeight;

/**
 * The path of one phase of {@link CallNoise}, as offsets y from a public centre. Whatever the slots
 * hold, every step is one that the mechanism's guarantee speaks of:
 *
 * <pre>
 * xi      ~ N(0, rho^2 I), of the key, the query's seed and the slot's place alone
 * slope   c = weight * c(&lt;a, centre + xi>), a kink's own slope, cut to magnitude L / ||a||
 * weight  w = exp((&lt;y, xi> - ||y||^2 / 2) / rho^2), not cut
 * step    eta = min(step, 64 step L / (lipschitz * weight * ||a||)), so that c is exact enough
 * y       Proj((y - eta w c a) / (1 + step lambda))
 * </pre>
 *
 * <p>Gradients are those of one function of slot and xi, whatever y is: two runs share them. xi
 * follows from the noise key, so that nobody who writes records can know it before; published
 * later, it would tell nothing more. A null slot takes the step of a gradient of 0.
 */
public final class WeightedPath extends PathSum {
  private static final String PERTURBATION = "perturbation";

  private final CallNoise mechanism;
  private final double rho;
  private final double farthest;
  private final double lambda;
  private final double[] center;
  private final double[] xi;
  private final double[] point; // center + xi
  private double shrink;
  private byte[] seed;
  private KeyedNoise perturbations;

  /** A path that is yet to be opened; {@link PathSum#of}. */
  WeightedPath(Lattice lattice, CallNoise mechanism, Objective objective) {
    super(lattice, mechanism, objective);
    this.mechanism = mechanism;
    double radius = mechanism.reach() * lattice.clip();
    this.rho = mechanism.shape().ratio() * radius;
    this.farthest = mechanism.shape().domain() * lattice.clip() * (1 + 0x1p-20);
    this.lambda = mechanism.shape().pull() / mechanism.reach();
    if (!(rho <= 0x1p200 && farthest <= 0x1p200)) {
      throw new IllegalArgumentException(
          "rho and the domain must be at most 2^200, but were " + rho + " and " + farthest);
    }
    this.center = new double[dimension];
    this.xi = new double[dimension];
    this.point = new double[dimension];
  }

  /**
   * Begins the path of a query.
   *
   * @param number of the query in its block, from 1
   * @param around the centre, public
   * @param from public, an offset from it; moved into the ball
   * @throws IllegalStateException where slots have been filled already, or the centre lies outside
   *     of the domain
   */
  @Override
  public void open(long number, double[] around, double[] from) {
    if (!(Vectors.norm(around, dimension) <= farthest)) {
      throw new IllegalStateException("a centre must lie within " + farthest
          + " of the origin, but lies at " + Vectors.norm(around, dimension));
    }
    System.arraycopy(around, 0, center, 0, dimension);
    begin(number, from);
    shrink = 1 / (1 + mechanism.step(number) * lambda);
  }

  /**
   * From where the perturbations of the open query follow.
   *
   * @param of the query, whatever its slots hold: {@link Releaser#coinSeed}
   */
  @Override
  public void perturb(NoiseKey key, byte[] of) {
    perturbations = new KeyedNoise(key, rho);
    seed = of.clone();
  }

  @Override
  void step(Example example) {
    double factor = example == null ? 0 : factor(example);
    if (factor != 0) {
      move(example, factor);
    }
    double[] y = numbers;
    for (int i = 0; i < dimension; i++) {
      y[i] *= shrink;
    }
    project();
  }

  /** eta w c. */
  private double factor(Example example) {
    draw(slots());
    double norm = example.norm();
    double weight = example.weight();
    double c = cut(weight * slope.at(example.dot(point), example.label(), 0), norm);
    return step(norm, weight) * c * ImportanceWeight.of(numbers, xi, rho);
  }

  /** The perturbation of the slot of a number, from 1. */
  private void draw(long slot) {
    perturbations.draw(seed, PERTURBATION, slot, dimension, (from, z, length) -> {
      for (int i = 0; i < length; i++) {
        xi[from + i] = z[i];
        point[from + i] = center[from + i] + z[i];
      }
    });
  }
}
