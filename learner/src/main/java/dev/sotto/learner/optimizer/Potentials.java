package dev.sotto.learner.optimizer;

import dev.sotto.learner.settings.Settings;

/** Every potential that a plan can name. */
public enum Potentials {
  /** {@link EuclideanBall}. */
  L2("l2") {
    @Override
    Potential read(Settings settings, double[] center) {
      double radius = settings.get(PrivateFtrl.RADIUS);
      return settings.make(PrivateFtrl.RADIUS, () -> new EuclideanBall(center, radius));
    }
  },
  /** {@link LpBall}. */
  LP("lp") {
    @Override
    Potential read(Settings settings, double[] center) {
      double p = settings.get(PrivateFtrl.P);
      double radius = settings.get(PrivateFtrl.RADIUS);
      return settings.make(PrivateFtrl.P, () -> new LpBall(p, radius));
    }
  },
  /** {@link Box}. */
  BOX("box") {
    @Override
    Potential read(Settings settings, double[] center) {
      double low = settings.get(PrivateFtrl.MIN);
      double high = settings.get(PrivateFtrl.MAX);
      return settings.make(PrivateFtrl.MIN, () -> new Box(low, high));
    }
  },
  /** {@link Simplex}, whose size is the radius and must be finite. */
  SIMPLEX("simplex") {
    @Override
    Potential read(Settings settings, double[] center) {
      double size = settings.get(PrivateFtrl.RADIUS);
      return settings.make(PrivateFtrl.RADIUS, () -> new Simplex(size));
    }
  };

  private final String configName;

  Potentials(String configName) {
    this.configName = configName;
  }

  /**
   * The potential out of settings.
   *
   * @param center of the set, or null for the origin; only {@link #L2} takes another
   */
  abstract Potential read(Settings settings, double[] center);

  /** The name in configurations and snapshots. */
  public String configName() {
    return configName;
  }
}
