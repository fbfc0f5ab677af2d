package dev.sotto.learner.accounting;

import dev.sotto.learner.accounting.PrivacyLossGrid.Side;

/**
 * Puts a {@link PrivacyLossFunction} on a grid. From above, mass between two points of the grid
 * goes to both so that its probability under P and, e^-loss times that, under Q stay what they are:
 * a mean-preserving spread of e^-loss, and every hockey-stick divergence is convex in e^-loss
 * (Doroshenko, Ghazi, Kamath, Kumar and Manurangsi 2022, "Connect the Dots"). From below, it goes
 * to the point beneath.
 *
 * <p>Rounding: masses carry a relative error far below 2^-40 and are widened by that; losses one
 * below 2^-46 of the largest, which becomes the grid's slack.
 */
final class PrivacyLossBins {
  private static final double WIDER = 0x1p-40;
  private static final double LOSS_ERROR = 0x1p-46;

  private final Side side;
  private final double spacing;
  private final long first;
  private final double[] mass;

  private PrivacyLossBins(Side side, double spacing, long first, int points) {
    this.side = side;
    this.spacing = spacing;
    this.first = first;
    this.mass = new double[points];
  }

  /** The law on a grid of at most the given number of points, and a few. */
  static PrivacyLossGrid of(PrivacyLossFunction law, Side side, int points) {
    double bottom = law.loss().applyAsDouble(law.range().from());
    double top = law.loss().applyAsDouble(law.range().to());
    double spacing = powerAbove((top - bottom) / points);
    long first = (long) Math.floor(bottom / spacing);
    long last = (long) Math.floor(top / spacing) + 1;
    PrivacyLossBins bins =
        new PrivacyLossBins(side, spacing, first, Math.toIntExact(last - first + 1));
    bins.add(bottom, law.ends().atFrom());
    bins.add(top, law.ends().atTo());
    bins.spread(law);
    double cut = side == Side.ABOVE ? law.ends().cut() * (1 + WIDER) : 0;
    bins.mass[1] += cut; // the lowest point that is not below all that was cut off beneath
    for (int i = 0; i < bins.mass.length; i++) {
      bins.mass[i] = side.widen(bins.mass[i], WIDER);
    }
    double slack = LOSS_ERROR * Math.max(Math.abs(bottom), Math.abs(top));
    return new PrivacyLossGrid(side, spacing, first, bins.mass, cut, slack);
  }

  /** The smallest power of two at or above a width, within what keeps indices exact. */
  private static double powerAbove(double width) {
    return Math.max(0x1p-900, StrictMath.scalb(1.0, Math.getExponent(width) + 1));
  }

  /** In pieces that no grid point cuts, five-point Gauss-Legendre each. */
  private void spread(PrivacyLossFunction law) {
    double x = law.range().from();
    long next = first + 1;
    while (x < law.range().to()) {
      double edge = law.place().applyAsDouble(next * spacing);
      double end = Math.min(Math.min(edge, x + law.range().step()), law.range().to());
      if (end > x) {
        piece(law, x, end);
        x = end;
      }
      if (edge <= x) {
        next++;
      }
    }
  }

  private void piece(PrivacyLossFunction law, double from, double to) {
    double half = (to - from) / 2;
    double middle = from + half;
    for (int i = 0; i < GaussianDp.NODES.length; i++) {
      double weight = half * GaussianDp.WEIGHTS[i];
      node(law, middle + half * GaussianDp.NODES[i], weight);
      if (i > 0) {
        node(law, middle - half * GaussianDp.NODES[i], weight);
      }
    }
  }

  private void node(PrivacyLossFunction law, double x, double weight) {
    add(law.loss().applyAsDouble(x), weight * law.density().applyAsDouble(x));
  }

  private void add(double loss, double probability) {
    double index = Math.floor(loss / spacing);
    int at = Math.toIntExact((long) index - first);
    if (side == Side.BELOW) {
      mass[at] += probability;
      return;
    }
    double over = loss - index * spacing;
    double whole = StrictMath.expm1(-spacing);
    mass[at] += probability * StrictMath.exp(-over) * StrictMath.expm1(over - spacing) / whole;
    mass[at + 1] += probability * StrictMath.expm1(-over) / whole;
  }
}
