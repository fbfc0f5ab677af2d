package dev.sotto.learner.optimizer;

import java.util.Arrays;

/**
 * Psi(w) = ||w||_p^2 / (2 (p - 1)) over the l_p ball of a radius around the origin, or over the
 * whole space; 1-strongly convex in l_p. For p near 1 it suits sparse weights and dense gradients.
 *
 * @param p above 1, at most 2
 * @param radius positive; infinite for the whole space
 */
public record LpBall(double p, double radius) implements Potential {
  public LpBall {
    if (!(p > 1 && p <= 2)) {
      throw new IllegalArgumentException("p must be above 1 and at most 2, but was " + p);
    }
    PotentialChecks.radius(radius);
  }

  /**
   * With q = p/(p-1) and r = |G| / max |G|: w_i = -sign(G_i) r_i^(q-1) / ||r||_q^(q-1) min(R, eta
   * (p-1) ||G||_q). The division comes first, since |G_i|^(q-1) overflows for p near 1.
   */
  @Override
  public void argmin(double[] gradient, double eta, double[] into) {
    PotentialChecks.arguments(gradient, eta, into);
    double largest = PotentialChecks.largest(gradient);
    if (largest == 0) {
      Arrays.fill(into, 0);
      return;
    }
    double power = 1 / (p - 1); // q - 1
    double sum = 0; // ||r||_q^q, at least 1
    for (int i = 0; i < gradient.length; i++) {
      double ratio = Math.abs(gradient[i]) / largest;
      double raised = power == 1 ? ratio : StrictMath.pow(ratio, power);
      sum += ratio * raised;
      into[i] = Math.copySign(raised, gradient[i]); // gradient[i] is not read again
    }
    double norm = largest * StrictMath.pow(sum, (p - 1) / p);
    double length = Math.min(radius, eta * ((p - 1) * norm)); // ||w||_p
    double below = StrictMath.pow(sum, 1 / p); // ||r||_q^(q-1)
    for (int i = 0; i < into.length; i++) {
      into[i] =
          PotentialChecks.saturated(0 - PotentialChecks.saturated(length) * (into[i] / below));
    }
  }

  /** sign(w_i) ||w||_p r_i^(p-1) / (p - 1) with r = |w| / ||w||_p. */
  @Override
  public void gradient(double[] point, double[] into) {
    double largest = PotentialChecks.largest(point);
    if (largest == 0) {
      Arrays.fill(into, 0);
      return;
    }
    double sum = 0; // of (|w| / max)^p, at least 1
    for (double entry : point) {
      sum += StrictMath.pow(Math.abs(entry) / largest, p);
    }
    double norm = StrictMath.pow(sum, 1 / p); // of w / max
    for (int i = 0; i < point.length; i++) {
      double raised = StrictMath.pow(Math.abs(point[i]) / largest / norm, p - 1);
      into[i] =
          Math.copySign(PotentialChecks.saturated(largest * norm / (p - 1) * raised), point[i]);
    }
  }

  @Override
  public double diameter(int dimension) {
    PotentialChecks.dimension(dimension);
    return radius / Math.sqrt(2 * (p - 1));
  }

  @Override
  public String describe() {
    return "lp p=" + Double.toHexString(p) + " radius=" + Double.toHexString(radius);
  }
}
