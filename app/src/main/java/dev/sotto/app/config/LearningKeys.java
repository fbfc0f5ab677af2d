package dev.sotto.app.config;

import dev.sotto.app.config.ConfigKeys.Condition;
import dev.sotto.learner.loss.Huber;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.optim.Optimizers;
import dev.sotto.learner.optim.Potentials;
import org.apache.kafka.common.config.ConfigDef.Type;

/** Settings of the mechanism: what is learned, and what it may cost. */
final class LearningKeys {
  private LearningKeys() {}

  static void declare(ConfigKeys keys) {
    learning(keys);
    PrivacyKeys.declare(keys);
  }

  private static void learning(ConfigKeys keys) {
    keys.group("Learning");
    keys.required(
        "loss",
        Type.STRING,
        Rules.oneOf(Losses.values(), Losses::configName),
        "What is minimised. `logistic` and `hinge` need labels of 0 and 1 (logistic also any between).");
    keys.optional(
        "loss.threshold",
        Type.DOUBLE,
        Huber.DEFAULT_THRESHOLD,
        Rules.positive(),
        "The error at which `huber` turns linear.",
        Condition.when("loss", "huber"));
    keys.optional(
        "algorithm",
        Type.STRING,
        "private-ftrl",
        Rules.oneOf(Optimizers.values(), Optimizers::configName),
        "How weights follow from noisy sums of gradients.");
    keys.optional(
        "batch.size",
        Type.LONG,
        4096L,
        Rules.atLeast(1),
        "Slots in a round. Each round publishes one model version; larger rounds drown less in noise.");
    keys.optional(
        "clip.norm",
        Type.DOUBLE,
        1.0,
        Rules.positive(),
        "The l2 norm to which every example's gradient is cut.");
    keys.optional(
        "ftrl.potential",
        Type.STRING,
        "l2",
        Rules.oneOf(Potentials.values(), Potentials::configName),
        "The regulariser and the shape of the set that holds the weights.");
    keys.optional(
        "ftrl.radius",
        Type.DOUBLE,
        Double.POSITIVE_INFINITY,
        Rules.numbers("positive, or inf", r -> r > 0),
        "The radius of the ball or the size of the simplex (which must be finite); `inf` for the whole space.",
        Condition.when("ftrl.potential", "l2", "lp", "simplex"));
    keys.optional(
        "ftrl.p",
        Type.DOUBLE,
        1.5,
        Rules.numbers("above 1 and at most 2", p -> p > 1 && p <= 2),
        "The exponent of the norm.",
        Condition.when("ftrl.potential", "lp"));
    keys.required(
        "ftrl.min",
        Type.DOUBLE,
        Rules.finite(),
        "The least value of a weight.",
        Condition.when("ftrl.potential", "box"));
    keys.required(
        "ftrl.max",
        Type.DOUBLE,
        Rules.finite(),
        "The largest value of a weight.",
        Condition.when("ftrl.potential", "box"));
    keys.optional(
        "ftrl.steps",
        Type.STRING,
        "decreasing",
        Rules.oneOf("decreasing", "fixed"),
        "Step sizes that fall as 1/sqrt(round), or the same in all rounds of a horizon.");
    keys.required(
        "ftrl.steps.horizon",
        Type.LONG,
        Rules.atLeast(1),
        "The number of rounds that fixed steps are made for.",
        Condition.when("ftrl.steps", "fixed"));
    keys.optional(
        "ftrl.steps.multiplier", Type.DOUBLE, 1.0, Rules.positive(), "Multiplies every step.");
    keys.optional(
        "ftrl.diameter",
        Type.DOUBLE,
        null,
        Rules.positive(),
        "D of the step sizes, about the norm of the weights that are sought. Unless given, it follows from the"
            + " potential and the radius, and is 1 where the radius is `inf`.");
  }
}
