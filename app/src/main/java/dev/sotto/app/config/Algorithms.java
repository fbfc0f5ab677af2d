package dev.sotto.app.config;

import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.optim.AcceleratedDpSrgd;
import dev.sotto.learner.optim.AcceleratedDpSrgd.Gradients;
import dev.sotto.learner.optim.Box;
import dev.sotto.learner.optim.EuclideanBall;
import dev.sotto.learner.optim.Optimizer;
import dev.sotto.learner.optim.Optimizers;
import dev.sotto.learner.optim.Potential;
import dev.sotto.learner.optim.Potentials;
import dev.sotto.learner.optim.PrivateFtrl;
import dev.sotto.learner.optim.Projection;
import dev.sotto.learner.optim.StepSize;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Supplier;

/** Builds the way from noisy sums to weights out of settings. */
final class Algorithms {
  static final String BETA = "srgd.beta";
  static final String BETA_MULTIPLIER = "srgd.beta.multiplier";

  /** D of the step sizes where the set is unbounded and none is given. */
  private static final double DIAMETER_OF_ALL = 1;

  private static final String DIAMETER = "ftrl.diameter";
  private static final String POTENTIAL = "ftrl.potential";

  /** An optimizer, and everything that decides where it goes, besides the noise, as canonical text. */
  record Chosen(Optimizer optimizer, String steps) {}

  private final Values values;
  private final Faults faults;

  Algorithms(Values values, Faults faults) {
    this.values = values;
    this.faults = faults;
  }

  /** Whether all settings are sound that can be judged before the features are known; tells what is not. */
  boolean check(Objective objective) {
    if (!values.sound("algorithm")) {
      return false;
    }
    return isFtrl() ? potential(null) != null : set(null) != null & beta(objective) > 0;
  }

  private boolean isFtrl() {
    return values.text("algorithm").equals(Optimizers.PRIVATE_FTRL.configName());
  }

  /** The algorithm after a {@link #check}, or null after a fault. */
  Chosen build(Pledges.Pledge pledge, Objective objective, int dimension) {
    double[] start = new double[dimension];
    objective.start(start);
    double[] center = Arrays.stream(start).allMatch(weight -> weight == 0) ? null : start;
    return isFtrl() ? ftrl(pledge, center, dimension) : srgd(objective, center);
  }

  private Chosen srgd(Objective objective, double[] center) {
    Projection set = set(center);
    double beta = beta(objective);
    if (set == null || !(beta > 0) || !values.sound("srgd.accelerated", "srgd.gradients")) {
      return null;
    }
    boolean accelerated = values.flag("srgd.accelerated");
    String gradients = values.text("srgd.gradients");
    StringBuilder text = new StringBuilder("set=").append(values.text("srgd.set"));
    if (set instanceof Box box) {
      text.append(" min=").append(hex(box.low())).append(" max=").append(hex(box.high()));
    } else if (values.has("srgd.radius")) {
      text.append(" radius=").append(hex(values.number("srgd.radius")));
      text.append(center == null ? "" : " center=start");
    }
    text.append(" beta=").append(hex(beta));
    text.append(" accelerated=").append(accelerated).append(" gradients=").append(gradients);
    return new Chosen(
        new AcceleratedDpSrgd(
            set, beta, accelerated, Gradients.valueOf(gradients.toUpperCase(Locale.ROOT))),
        text.toString());
  }

  /** The set around a center (null for the origin), or null after a fault. */
  private Projection set(double[] center) {
    if (!values.sound("srgd.set")) {
      return null;
    }
    return switch (values.text("srgd.set")) {
      case "l2" ->
        values.sound("srgd.radius")
            ? new EuclideanBall(center, values.number("srgd.radius"))
            : null;
      case "box" ->
        values.sound("srgd.min", "srgd.max")
            ? guarded(
                "srgd.min", () -> new Box(values.number("srgd.min"), values.number("srgd.max")))
            : null;
      default -> new EuclideanBall(null, Double.POSITIVE_INFINITY);
    };
  }

  /** beta, or 0 after a fault. */
  private double beta(Objective objective) {
    boolean own = values.given(BETA);
    boolean multiplier = values.given(BETA_MULTIPLIER);
    if (own && multiplier) {
      if (!faults.touch(BETA_MULTIPLIER)) {
        faults.add(
            BETA_MULTIPLIER,
            "must be absent where " + BETA + " is given, but both are; remove one");
      }
      return 0;
    }
    if (own) {
      return values.has(BETA) ? values.number(BETA) : 0;
    }
    if (multiplier && !values.has(BETA_MULTIPLIER) || faults.touch(BETA)) {
      return 0;
    }
    double smoothness = objective.smoothness();
    if (smoothness == Double.POSITIVE_INFINITY) {
      faults.add(
          multiplier ? BETA_MULTIPLIER : BETA,
          (multiplier ? "cannot work" : "must be given") + " with loss " + values.text("loss")
              + ", which has no smoothness that beta could be a multiple of; give " + BETA);
      return 0;
    }
    if (!multiplier) {
      faults.add(
          BETA,
          "must be given, or " + BETA_MULTIPLIER
              + ": the inverse of the step (the smoothness of loss " + values.text("loss") + " is "
              + Numbers.shortest(smoothness) + ")");
      return 0;
    }
    double beta = values.number(BETA_MULTIPLIER) * smoothness;
    if (!(beta > 0) || beta == Double.POSITIVE_INFINITY) {
      faults.must(
          BETA_MULTIPLIER,
          "give a beta that is positive and finite",
          values.number(BETA_MULTIPLIER));
      return 0;
    }
    return beta;
  }

  private Chosen ftrl(Pledges.Pledge pledge, double[] center, int dimension) {
    Potential potential = potential(center);
    if (potential == null || !values.sound("ftrl.steps", "ftrl.steps.multiplier")) {
      return null;
    }
    StepSize steps = steps(potential, pledge, dimension);
    return steps == null
        ? null
        : new Chosen(new PrivateFtrl(potential, steps), canonical(steps, center != null));
  }

  private Potential potential(double[] center) {
    if (!values.sound(POTENTIAL)) {
      return null;
    }
    Potentials named = Potentials.named(values.text(POTENTIAL)).orElseThrow();
    if (named != Potentials.L2 && values.text("loss").equals(Goals.NETWORK)) {
      faults.must(
          POTENTIAL,
          "be l2 with loss network, which starts at weights of its own",
          values.text(POTENTIAL));
      return null;
    }
    Potentials.Shape shape = Potentials.Shape.ofRadius(radius());
    return switch (named) {
      case BOX ->
        values.sound("ftrl.min", "ftrl.max")
            ? guarded(
                "ftrl.min",
                () -> named.make(
                    shape.withRange(values.number("ftrl.min"), values.number("ftrl.max"))))
            : null;
      case LP ->
        values.sound("ftrl.p", "ftrl.radius")
            ? guarded("ftrl.p", () -> named.make(shape.withP(values.number("ftrl.p"))))
            : null;
      case L2 ->
        values.sound("ftrl.radius")
            ? guarded("ftrl.radius", () -> new EuclideanBall(center, radius()))
            : null;
      case SIMPLEX ->
        values.sound("ftrl.radius") ? guarded("ftrl.radius", () -> named.make(shape)) : null;
    };
  }

  private double radius() {
    return values.has("ftrl.radius") ? values.number("ftrl.radius") : Double.POSITIVE_INFINITY;
  }

  private StepSize steps(Potential potential, Pledges.Pledge pledge, int dimension) {
    if (values.given(DIAMETER) && !values.has(DIAMETER)) {
      return null;
    }
    double own = guardedDiameter(potential, dimension);
    if (Double.isNaN(own)) {
      return null;
    }
    double diameter = values.given(DIAMETER)
        ? values.number(DIAMETER)
        : Double.isFinite(own) ? own : DIAMETER_OF_ALL;
    Double scale = guarded(
        DIAMETER,
        () -> values.number("ftrl.steps.multiplier")
            * PrivateFtrl.stepScale(
                diameter,
                values.number("clip.norm"),
                dimension,
                pledge.mechanism().incrementVariance(),
                pledge.sigma(),
                values.whole("batch.size")));
    if (scale == null) {
      return null;
    }
    if (values.text("ftrl.steps").equals("decreasing")) {
      return guarded("ftrl.steps.multiplier", () -> new StepSize.Decreasing(scale));
    }
    return values.sound("ftrl.steps.horizon")
        ? guarded(
            "ftrl.steps.multiplier",
            () -> new StepSize.Fixed(scale, values.whole("ftrl.steps.horizon")))
        : null;
  }

  private double guardedDiameter(Potential potential, int dimension) {
    Double own = guarded(DIAMETER, () -> potential.diameter(dimension));
    return own == null ? Double.NaN : own;
  }

  private String canonical(StepSize steps, boolean centered) {
    String potential = values.text(POTENTIAL);
    StringBuilder text = new StringBuilder("potential=" + potential);
    switch (Potentials.named(potential).orElseThrow()) {
      case BOX ->
        text.append(" min=")
            .append(hex(values.number("ftrl.min")))
            .append(" max=")
            .append(hex(values.number("ftrl.max")));
      case LP ->
        text.append(" p=")
            .append(hex(values.number("ftrl.p")))
            .append(" radius=")
            .append(hex(radius()));
      default -> text.append(" radius=").append(hex(radius()));
    }
    text.append(centered ? " center=start" : "");
    if (steps instanceof StepSize.Fixed fixed) {
      return text.append(" steps=fixed horizon=")
          .append(fixed.horizon())
          .append(" scale=")
          .append(hex(fixed.scale()))
          .toString();
    }
    return text.append(" steps=decreasing scale=")
        .append(hex(((StepSize.Decreasing) steps).scale()))
        .toString();
  }

  private static String hex(double value) {
    return Double.toHexString(value);
  }

  private <T> T guarded(String key, Supplier<T> maker) {
    try {
      return maker.get();
    } catch (IllegalArgumentException broken) {
      faults.add(key, "does not work: " + broken.getMessage());
      return null;
    }
  }
}
