package dev.sotto.learner.optimizer.settings;

import dev.sotto.learner.loss.MonotoneSlope;
import dev.sotto.learner.loss.ObjectiveSettings;
import dev.sotto.learner.mechanism.PathNoise;
import dev.sotto.learner.optimizer.BlockDesign;
import dev.sotto.learner.optimizer.BlockInputs;
import dev.sotto.learner.optimizer.resque.PoolSize;
import dev.sotto.learner.optimizer.resque.smoothing.OnePassAlgorithm;
import dev.sotto.learner.optimizer.resque.smoothing.OnePassSchedule;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.ConfigKey.Condition;
import dev.sotto.learner.settings.Domain;
import dev.sotto.learner.settings.Settings;

/** {@code resque} as one ordered pass, and which of its forms suits a plan. */
final class ResqueOnePass {
  /** 2 R over the noise that scores bear, where nobody chooses: 40 with logistic loss. */
  private static final double USUAL_DIAMETER = 80;

  /** Slots of a block where nobody chooses (docs/experiments/resque.md, "Defaults"). */
  private static final long SLOTS = 1 << 13;

  static final ConfigKey<ResqueForm> FORM = ConfigKey.of(
          "resque.form",
          Domain.choice(ResqueForm.values(), ResqueForm::configName),
          "`pool`: noisy gradients at random points, reweighted; any loss, any layout."
              + " `one-pass`: every slot moves the weights once; it takes the losses "
              + MonotoneSlope.names()
              + ", and not layout rounds. `ordered-calls`: the paper's private solvers, for the"
              + " same losses and layouts; it learns less than `one-pass`. `auto`: what suits of"
              + " the first two (docs/resque.md).")
      .orElse(ResqueForm.AUTO);

  /** {@code auto} may become pools; the design says whether it does. */
  static final Condition<ResqueForm> IN_POOLS =
      Condition.isOneOf(FORM, ResqueForm.AUTO, ResqueForm.POOL);

  static final Condition<ResqueForm> AROUND_CENTRES =
      Condition.isOneOf(FORM, ResqueForm.AUTO, ResqueForm.POOL, ResqueForm.ORDERED_CALLS);

  private final Settings settings;
  private final BlockInputs inputs;

  ResqueOnePass(Settings settings, BlockInputs inputs) {
    this.settings = settings;
    this.inputs = inputs;
  }

  /** Refuses settings of another form. */
  static void check(Settings settings) {
    ResqueForm form = settings.get(FORM);
    BlockKeys.checkUsed(
        settings,
        Resque.KEYS,
        "in " + (form == ResqueForm.ONE_PASS ? "one pass" : form.configName())
            + "; unset it, or choose " + FORM + " " + ResqueForm.POOL.configName());
  }

  /** What was chosen, or what suits; {@link #reason} says why. */
  ResqueForm form() {
    ResqueForm chosen = settings.get(FORM);
    if (chosen != ResqueForm.AUTO) {
      return chosen;
    }
    return hindrance().isEmpty() ? ResqueForm.ONE_PASS : ResqueForm.POOL;
  }

  /** Why this form, as a sentence; empty where it was chosen by name. */
  String reason() {
    if (settings.get(FORM) != ResqueForm.AUTO) {
      return "";
    }
    String why = hindrance();
    return why.isEmpty()
        ? "Form one-pass: the loss is one of " + MonotoneSlope.names()
            + ", and slots come in one order."
        : "Form pool: " + why + ".";
  }

  /** What keeps `auto` from one pass; empty where nothing does. */
  private String hindrance() {
    for (ConfigKey<?> key : Resque.KEYS) {
      boolean ofOtherForms = !key.uses().isEmpty();
      if (ofOtherForms && settings.isGiven(key)) {
        return key + " is given";
      }
    }
    if (inputs.inParts()) {
      return "this layout sums slots in parts, and one pass takes them in their order";
    }
    return MonotoneSlope.of(inputs.problem().objective().objective()).isEmpty()
        ? "the convexity of loss " + inputs.problem().objective().name() + " is not proved"
        : "";
  }

  /** Refuses layouts without an order, and losses whose convexity is not proved. */
  static void checkOrdered(Settings settings, BlockInputs inputs, String form, String rests) {
    if (inputs.inParts()) {
      throw settings.reject(
          FORM,
          "must be " + ResqueForm.POOL.configName() + " in layout rounds, which sums slots in"
              + " parts: " + form + " them in their order; or choose layout direct or ordered");
    }
    if (MonotoneSlope.of(inputs.problem().objective().objective()).isEmpty()) {
      throw settings.reject(
          FORM,
          "must be " + ResqueForm.POOL.configName() + " with " + ObjectiveSettings.LOSS + " "
              + inputs.problem().objective().name() + ": the guarantee of " + rests
              + ", which are proved for " + MonotoneSlope.names());
    }
  }

  BlockDesign design() {
    checkOrdered(settings, inputs, "one pass takes", "one pass rests on convexity and smoothness");
    double clip = clip();
    double radius = radius();
    long slots = BlockKeys.slots(settings, inputs, SLOTS);
    double rho = settings.find(Resque.SMOOTHING).orElse(OnePassSchedule.smoothing(slots, radius));
    PathNoise noise = settings.make(
        BlockKeys.SLOTS,
        () -> OnePassSchedule.of(
            new PoolSize(slots, inputs.dimension(), clip, radius, inputs.noise()), rho));
    return BlockDesign.of(new OnePassAlgorithm(noise, clip, reason()), noise);
  }

  /** R. */
  double radius() {
    return settings.isGiven(Resque.DIAMETER)
        ? settings.get(Resque.DIAMETER) / 2
        : inputs.problem().require(Resque.DIAMETER, "must be given").noise() * USUAL_DIAMETER / 2;
  }

  /** L. */
  double clip() {
    return inputs
        .clip()
        .orElseGet(
            () -> inputs.problem().lossClip(Resque.DIAMETER, "must be given, and clip.norm,"));
  }
}
