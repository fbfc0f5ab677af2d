package dev.sotto.app.config;

import dev.sotto.learner.loss.Huber;
import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.optim.Optimizer;
import dev.sotto.learner.optim.Optimizers;
import dev.sotto.learner.optim.Potential;
import dev.sotto.learner.optim.Potentials;
import dev.sotto.learner.optim.PrivateFtrl;
import dev.sotto.learner.optim.StepSize;
import dev.sotto.learner.release.Lattice;
import dev.sotto.learner.round.Plan;
import java.util.function.Supplier;

/** Builds the mechanism out of settings; what the learner's own checks refuse is told under the key to change. */
final class Plans {
  /** D of the step sizes where the set is unbounded and none is given. */
  private static final double DIAMETER_OF_ALL = 1;

  private static final String DIAMETER = "ftrl.diameter";

  private final Values values;
  private final Faults faults;
  private final Pledges pledges;

  Plans(Values values, Faults faults) {
    this.values = values;
    this.faults = faults;
    this.pledges = new Pledges(values, faults);
  }

  /**
   * The plan, or null after a fault.
   *
   * @param mapping null where it is faulty
   */
  Plan build(Mapping mapping) {
    Pledges.Pledge pledge = pledges.build();
    Potential potential = potential();
    boolean sound = values.sound(
        "loss", "algorithm", "batch.size", "clip.norm", "ftrl.steps", "ftrl.steps.multiplier");
    if (pledge == null || !sound || potential == null) {
      return null;
    }
    double clip = values.number("clip.norm");
    Loss loss = loss();
    if (mapping == null || loss == null) {
      return null;
    }
    long batch = values.whole("batch.size");
    int dimension = mapping.dimension();
    if (!fits(pledge, clip, dimension, batch)) {
      return null;
    }
    StepSize steps = steps(potential, pledge, dimension);
    if (steps == null) {
      return null;
    }
    Optimizer optimizer =
        Optimizers.named(values.text("algorithm")).orElseThrow().make(potential, steps);
    String lossName = loss instanceof Huber huber
        ? "huber(" + Numbers.shortest(huber.threshold()) + ")"
        : values.text("loss");
    return guarded(
        values.given(Pledges.MULTIPLIER) ? "privacy.epsilon" : pledges.noiseKey(),
        () -> new Plan(
            mapping.text(),
            dimension,
            lossName,
            loss,
            values.text("algorithm"),
            canonical(steps),
            optimizer,
            pledge.mechanism(),
            clip,
            batch,
            pledge.sigma(),
            pledge.adjacency(),
            pledge.unit(),
            pledge.budget(),
            pledge.participation(),
            pledge.generations(),
            pledge.metrics()));
  }

  private Loss loss() {
    Losses named = Losses.named(values.text("loss")).orElseThrow();
    if (named != Losses.HUBER) {
      return named.make();
    }
    return values.sound("loss.threshold") ? named.make(values.number("loss.threshold")) : null;
  }

  private Potential potential() {
    if (!values.sound("ftrl.potential")) {
      return null;
    }
    Potentials named = Potentials.named(values.text("ftrl.potential")).orElseThrow();
    Potentials.Shape shape = Potentials.Shape.ofRadius(radius());
    switch (named) {
      case BOX -> {
        if (!values.sound("ftrl.min", "ftrl.max")) {
          return null;
        }
        return guarded(
            "ftrl.min",
            () ->
                named.make(shape.withRange(values.number("ftrl.min"), values.number("ftrl.max"))));
      }
      case LP -> {
        return values.sound("ftrl.p", "ftrl.radius")
            ? guarded("ftrl.p", () -> named.make(shape.withP(values.number("ftrl.p"))))
            : null;
      }
      default -> {
        return values.sound("ftrl.radius") ? guarded("ftrl.radius", () -> named.make(shape)) : null;
      }
    }
  }

  private double radius() {
    return values.has("ftrl.radius") ? values.number("ftrl.radius") : Double.POSITIVE_INFINITY;
  }

  private boolean fits(Pledges.Pledge pledge, double clip, int dimension, long batch) {
    try {
      Lattice.fit(clip, pledge.sigma(), dimension, batch, pledge.mechanism().norm());
      return true;
    } catch (IllegalArgumentException broken) {
      String message = broken.getMessage();
      String noise = pledges.noiseKey();
      String key = message.startsWith("batch")
          ? "batch.size"
          : message.startsWith("rounding") || message.startsWith("dimension")
              ? "features"
              : message.startsWith("sigma") ? noise : "clip.norm";
      faults.add(key, "must leave exact sums possible, but: " + message);
      return false;
    }
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

  /** Everything that decides where the weights go, besides the noise. */
  private String canonical(StepSize steps) {
    String potential = values.text("ftrl.potential");
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
