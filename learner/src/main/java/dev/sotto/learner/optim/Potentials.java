package dev.sotto.learner.optim;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;

/** Every potential that a plan can name. */
public enum Potentials {
  /** {@link EuclideanBall} around the origin: reads the radius. */
  L2("l2", shape -> new EuclideanBall(null, shape.radius())),
  /** {@link LpBall}: reads p and the radius. */
  LP("lp", shape -> new LpBall(shape.p(), shape.radius())),
  /** {@link Box}: reads low and high. */
  BOX("box", shape -> new Box(shape.low(), shape.high())),
  /** {@link Simplex}: reads the radius, which is its size and must be finite. */
  SIMPLEX("simplex", shape -> new Simplex(shape.radius()));

  private final String configName;
  private final Function<Shape, Potential> maker;

  Potentials(String configName, Function<Shape, Potential> maker) {
    this.configName = configName;
    this.maker = maker;
  }

  /**
   * The potential over a set of this shape.
   *
   * @throws IllegalArgumentException where a number that it reads is out of range
   */
  public Potential make(Shape shape) {
    return maker.apply(shape);
  }

  /** The name in configurations and snapshots. */
  public String configName() {
    return configName;
  }

  /** The potential of a configured name, or empty where there is none of that name. */
  public static Optional<Potentials> named(String name) {
    return Arrays.stream(values()).filter(each -> each.configName.equals(name)).findFirst();
  }

  /**
   * The numbers that describe a set; each potential reads its own and checks only those.
   *
   * @param p the exponent of the norm, in (1, 2]
   * @param radius positive; infinite for the whole space
   * @param low the least coordinate
   * @param high the largest coordinate
   */
  public record Shape(double p, double radius, double low, double high) {
    /** The ball or simplex of a radius; p = 1.5 where it is asked for, and [-radius, radius]. */
    public static Shape ofRadius(double radius) {
      return new Shape(1.5, radius, -radius, radius);
    }

    /** The same with another p. */
    public Shape withP(double newP) {
      return new Shape(newP, radius, low, high);
    }

    /** The same with another range of the coordinates. */
    public Shape withRange(double newLow, double newHigh) {
      return new Shape(p, radius, newLow, newHigh);
    }
  }
}
