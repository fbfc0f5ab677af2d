package dev.sotto.app.config;

import dev.sotto.app.config.ConfigKeys.Condition;
import dev.sotto.learner.loss.Activations;
import dev.sotto.learner.loss.Huber;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.loss.Quantile;
import dev.sotto.learner.loss.SmoothedHinge;
import dev.sotto.learner.optim.AcceleratedDpSrgd.Gradients;
import dev.sotto.learner.optim.Optimizers;
import dev.sotto.learner.optim.Potentials;
import org.apache.kafka.common.config.ConfigDef.Type;

/** Settings of the mechanism: what is learned, and what it may cost. */
final class LearningKeys {
  private static final Condition FTRL =
      Condition.when("algorithm", Optimizers.PRIVATE_FTRL.configName());
  private static final Condition SRGD =
      Condition.when("algorithm", Optimizers.ACCELERATED_DP_SRGD.configName());

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
        Rules.builtInOr(Own.LOSS),
        "What is minimised. `logistic`, `hinge` and `smoothed-hinge` need labels of 0 and 1 (logistic also any between),"
            + " `poisson` counts or rates of at least 0, `softmax` whole numbers from 0 (label.names); `squared`, `absolute`,"
            + " `quantile` and `huber` take any. `network` has one hidden layer, and network.output says what it needs"
            + " (docs/algorithms.md). A loss of your own: docs/extending.md.");
    keys.optional(
        Own.LOSS_PARAMETERS + ConfigKeys.FREE,
        Type.STRING,
        null,
        Rules.parameter(),
        "A parameter of that loss, by its name; published with the loss's name in every snapshot.",
        Condition.own(Own.LOSS));
    keys.optional(
        "loss.threshold",
        Type.DOUBLE,
        Huber.DEFAULT_THRESHOLD,
        Rules.positive(),
        "The error at which `huber` turns linear.",
        Condition.when("loss", "huber"));
    keys.optional(
        "loss.smoothing",
        Type.DOUBLE,
        SmoothedHinge.DEFAULT_SMOOTHING,
        Rules.positive(),
        "The width of the margin over which `smoothed-hinge` is curved.",
        Condition.when("loss", "smoothed-hinge"));
    keys.optional(
        "loss.quantile",
        Type.DOUBLE,
        Quantile.DEFAULT_LEVEL,
        Rules.numbers("above 0 and below 1", level -> level > 0 && level < 1),
        "The share of labels that shall lie below the prediction of `quantile`.",
        Condition.when("loss", "quantile"));
    keys.optional(
        Goals.CLASSES,
        Type.LONG,
        null,
        Rules.between(2, 1 << 20),
        "How many classes `softmax` tells apart, or a network with that output; labels are 0 to one less. Not needed with"
            + " label.names.",
        Condition.when("loss", Goals.SOFTMAX, Goals.NETWORK));
    network(keys);
    keys.optional(
        "algorithm",
        Type.STRING,
        Optimizers.PRIVATE_FTRL.configName(),
        Rules.oneOf(Optimizers.values(), Optimizers::configName),
        "How weights follow from noisy sums of gradients. `private-ftrl`: many rounds, any convex loss."
            + " `accelerated-dp-srgd`: few rounds of large batches, two gradients an example, smooth losses"
            + " (docs/algorithms.md).");
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
    ftrl(keys);
    srgd(keys);
  }

  private static void network(ConfigKeys keys) {
    Condition network = Condition.when("loss", Goals.NETWORK);
    keys.required(
        "network.hidden",
        Type.LONG,
        Rules.between(1, 1 << 20),
        "Units of the hidden layer.",
        network);
    keys.optional(
        "network.activation",
        Type.STRING,
        Activations.TANH.configName(),
        Rules.oneOf(Activations.values(), Activations::configName),
        "What each hidden unit does with its input.",
        network);
    keys.optional(
        "network.output",
        Type.STRING,
        Losses.LOGISTIC.configName(),
        Rules.oneOf(Losses.LOGISTIC.configName(), Losses.SQUARED.configName(), Goals.SOFTMAX),
        "What the network's scores mean: the log-odds of label 1, a value, or one score a class.",
        network);
    keys.optional(
        "network.seed",
        Type.LONG,
        1L,
        Rules.any(),
        "The public seed of the weights at which the network starts.",
        network);
  }

  private static void ftrl(ConfigKeys keys) {
    keys.optional(
        "ftrl.potential",
        Type.STRING,
        "l2",
        Rules.oneOf(Potentials.values(), Potentials::configName),
        "The regulariser and the shape of the set that holds the weights. With loss network it must be `l2`, and is taken"
            + " around the network's start.",
        FTRL);
    keys.optional(
        "ftrl.radius",
        Type.DOUBLE,
        Double.POSITIVE_INFINITY,
        Rules.numbers("positive, or inf", r -> r > 0),
        "The radius of the ball or the size of the simplex (which must be finite); `inf` for the whole space.",
        FTRL,
        Condition.when("ftrl.potential", "l2", "lp", "simplex"));
    keys.optional(
        "ftrl.p",
        Type.DOUBLE,
        1.5,
        Rules.numbers("above 1 and at most 2", p -> p > 1 && p <= 2),
        "The exponent of the norm.",
        FTRL,
        Condition.when("ftrl.potential", "lp"));
    keys.required(
        "ftrl.min",
        Type.DOUBLE,
        Rules.finite(),
        "The least value of a weight.",
        FTRL,
        Condition.when("ftrl.potential", "box"));
    keys.required(
        "ftrl.max",
        Type.DOUBLE,
        Rules.finite(),
        "The largest value of a weight.",
        FTRL,
        Condition.when("ftrl.potential", "box"));
    keys.optional(
        "ftrl.steps",
        Type.STRING,
        "decreasing",
        Rules.oneOf("decreasing", "fixed"),
        "Step sizes that fall as 1/sqrt(round), or the same in all rounds of a horizon.",
        FTRL);
    keys.required(
        "ftrl.steps.horizon",
        Type.LONG,
        Rules.atLeast(1),
        "The number of rounds that fixed steps are made for.",
        FTRL,
        Condition.when("ftrl.steps", "fixed"));
    keys.optional(
        "ftrl.steps.multiplier",
        Type.DOUBLE,
        1.0,
        Rules.positive(),
        "Multiplies every step.",
        FTRL);
    keys.optional(
        "ftrl.diameter",
        Type.DOUBLE,
        null,
        Rules.positive(),
        "D of the step sizes, about the norm of the weights that are sought. Unless given, it follows from the"
            + " potential and the radius, and is 1 where the radius is `inf`.",
        FTRL);
  }

  private static void srgd(ConfigKeys keys) {
    keys.optional(
        Algorithms.BETA,
        Type.DOUBLE,
        null,
        Rules.positive(),
        "The inverse of the step: at least the smoothness of the loss at features of norm 1, and more where there is"
            + " more noise. Give this, or the multiplier.",
        SRGD);
    keys.optional(
        Algorithms.BETA_MULTIPLIER,
        Type.DOUBLE,
        null,
        Rules.positive(),
        "srgd.beta as a multiple of the smoothness of the loss, for losses that are smooth: logistic (1/4), squared and"
            + " huber (1), smoothed-hinge (1 over its smoothing), softmax (1/2).",
        SRGD);
    keys.optional(
        "srgd.set",
        Type.STRING,
        "all",
        Rules.oneOf("all", "l2", "box"),
        "The set that holds the weights: the whole space, a ball (with loss network around its start), or a box.",
        SRGD);
    keys.required(
        "srgd.radius",
        Type.DOUBLE,
        Rules.positive(),
        "The radius of the ball.",
        SRGD,
        Condition.when("srgd.set", "l2"));
    keys.required(
        "srgd.min",
        Type.DOUBLE,
        Rules.finite(),
        "The least value of a weight.",
        SRGD,
        Condition.when("srgd.set", "box"));
    keys.required(
        "srgd.max",
        Type.DOUBLE,
        Rules.finite(),
        "The largest value of a weight.",
        SRGD,
        Condition.when("srgd.set", "box"));
    keys.optional(
        "srgd.accelerated",
        Type.BOOLEAN,
        true,
        Rules.any(),
        "Whether a second sequence of points speeds it up; without it large batches do worse.",
        SRGD);
    keys.optional(
        "srgd.gradients",
        Type.STRING,
        Gradients.RECURSIVE.configName(),
        Rules.oneOf(Gradients.values(), Gradients::configName),
        "What each example is asked for: the difference of two scaled gradients (`recursive`), or one fresh gradient"
            + " (`independent`).",
        SRGD);
    keys.optional(
        "rounds.lag",
        Type.LONG,
        0L,
        Rules.between(0, 1),
        "1 lets workers sum a round while the one before is being closed: its gradients are taken one round back.",
        Condition.when("layout", "rounds"));
  }
}
