package dev.sotto.app.config;

import dev.sotto.learner.release.Lattice;
import dev.sotto.learner.round.Plan;
import java.util.function.Supplier;

/** Builds the mechanism out of settings; what the learner's own checks refuse is told under the key to change. */
final class Plans {
  private final Values values;
  private final Faults faults;
  private final Pledges pledges;
  private final Protection protection;

  Plans(Values values, Faults faults, Protection protection) {
    this.values = values;
    this.faults = faults;
    this.pledges = new Pledges(values, faults);
    this.protection = protection;
  }

  /**
   * The plan, or null after a fault.
   *
   * @param mapping null where it is faulty
   */
  Plan build(Mapping mapping) {
    Pledges.Pledge kept = pledges.build();
    Goals.Goal goal = new Goals(values, faults).build();
    Algorithms algorithms = new Algorithms(values, faults);
    boolean sound = values.sound("batch.size", "clip.norm");
    if (goal == null || !algorithms.check(goal.objective())) {
      return null;
    }
    if (kept == null || !sound || mapping == null) {
      return null;
    }
    long batch = values.whole("batch.size");
    Pledges.Pledge pledge = guarded("batch.size", () -> Reference.of(kept, protection, batch));
    if (pledge == null) {
      return null;
    }
    double clip = pledge.clip();
    Integer dimension = guarded("features", () -> goal.objective().dimension(mapping.dimension()));
    if (dimension == null || !fits(pledge, clip, dimension, batch)) {
      return null;
    }
    Algorithms.Chosen chosen = algorithms.build(pledge, goal.objective(), dimension);
    if (chosen == null) {
      return null;
    }
    int lag = values.has("rounds.lag") ? (int) values.whole("rounds.lag") : 0;
    return guarded(
        values.given(Pledges.MULTIPLIER) ? "privacy.epsilon" : pledges.noiseKey(),
        () -> new Plan(
            mapping.text(),
            dimension,
            goal.name(),
            goal.objective(),
            values.text("algorithm"),
            chosen.steps(),
            chosen.optimizer(),
            pledge.mechanism(),
            clip,
            batch,
            pledge.sigma(),
            pledge.adjacency(),
            pledge.unit(),
            pledge.budget(),
            pledge.participation(),
            pledge.generations(),
            pledge.metrics(),
            lag));
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

  private <T> T guarded(String key, Supplier<T> maker) {
    try {
      return maker.get();
    } catch (IllegalArgumentException broken) {
      faults.add(key, "does not work: " + broken.getMessage());
      return null;
    }
  }
}
