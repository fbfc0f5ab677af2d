package dev.sotto.learner.optimizer.settings;

import dev.sotto.learner.loss.NamedObjective;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.loss.StepScale;
import dev.sotto.learner.mechanism.MomentumTree;
import dev.sotto.learner.mechanism.QueryNoise;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.optimizer.BlockDesign;
import dev.sotto.learner.optimizer.BlockInputs;
import dev.sotto.learner.optimizer.BlockSettings;
import dev.sotto.learner.optimizer.LearningProblem;
import dev.sotto.learner.optimizer.Optimizer;
import dev.sotto.learner.optimizer.momentum.FullBatchSchedule;
import dev.sotto.learner.optimizer.momentum.Landscape;
import dev.sotto.learner.optimizer.momentum.OnePassBound;
import dev.sotto.learner.optimizer.momentum.SensitivityReducedNsgd;
import dev.sotto.learner.optimizer.momentum.TreeMomentumNsgd;
import dev.sotto.learner.optimizer.momentum.WindowNsgd;
import dev.sotto.learner.optimizer.momentum.WindowSchedule;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.ConfigKey.Condition;
import dev.sotto.learner.settings.Domain;
import dev.sotto.learner.settings.Settings;
import java.util.List;
import java.util.function.Function;

/**
 * The settings of momentum aggregation (docs/momentum.md). What is not given follows from the loss,
 * the clip and the noise by the bounds of that page: all of these are public.
 */
final class MomentumSettings {
  /** Slots of a block where nobody chooses. */
  private static final long BLOCK = 1 << 14;

  /** The most queries of a block where nobody chooses: each slot is read as often. */
  private static final long MOST_QUERIES = 32;

  /** Passes of windows over a block where nobody chooses. */
  private static final long WINDOW_EPOCHS = 8;

  /** Slots of a round where nobody chooses, and for how many weights there is one more. */
  private static final long ROUND = 64;

  private static final long WEIGHTS_PER_SLOT = 256;

  /** Slots that a stream without an end is planned for. */
  private static final long PLANNED_SLOTS = 1 << 20;

  static final ConfigKey<MomentumForm> FORM = ConfigKey.of(
          "momentum.form",
          Domain.choice(MomentumForm.values(), MomentumForm::configName),
          "Changes of gradients come from many queries of all slots of a block (`full-batch`),"
              + " or from passes over its batches (`window`).")
      .orElse(MomentumForm.FULL_BATCH);

  static final ConfigKey<Double> SHARE = ConfigKey.of(
          "momentum.share",
          Domain.numbers("above 0 and at most 1", share -> share > 0 && share <= 1),
          "gamma: the share of the fresh gradient, the rest being changes; 1 means no changes."
              + " Unless given, the one with the smallest noise at momentum.step.")
      .optional();

  static final ConfigKey<Double> ALPHA = ConfigKey.of(
          "momentum.alpha",
          Domain.numbers("from 2^-20 to 1", alpha -> alpha >= 0x1p-20 && alpha <= 1),
          "The weight of one round's gradient in the momentum. Unless given, it minimises a"
              + " bound for 2^20 slots; over a block, one over momentum.batches.")
      .optional();

  static final ConfigKey<Long> BATCHES = ConfigKey.of(
          "momentum.batches",
          Domain.between(1, 1 << 20),
          "Batches of a block in passes; each is one step.")
      .orElse(16L);

  static final ConfigKey<Long> EPOCHS = ConfigKey.of(
          "momentum.epochs",
          Domain.between(1, 1 << 20),
          "How often each slot is read. `tree-momentum-nsgd`: 1 unless given, an endless pass; with"
              + " more it learns from blocks. Full batches: unless given, it minimises a bound, and"
              + " is at most " + MOST_QUERIES + ". Windows: " + WINDOW_EPOCHS + " unless given.")
      .optional();

  static final ConfigKey<Double> STEP = ConfigKey.of(
          "momentum.step",
          Domain.positive(),
          "eta, the length of every step. Unless given, it follows from the loss and the clip, over"
              + " full batches also from the noise.")
      .optional();

  static final ConfigKey<Double> SMOOTHNESS = ConfigKey.of(
          "momentum.smoothness",
          Domain.positive(),
          "L: by how much a gradient changes per length of a step, at most. Changes are cut to L"
              + " momentum.step: a small value costs accuracy, never privacy. Unless given, that"
              + " of the loss.")
      .optional();

  /** One endless pass, in rounds that are no blocks. */
  static final Condition<Long> ENDLESS =
      new Condition<>(EPOCHS, epochs -> epochs == null || epochs == 1, "1");

  private static final Condition<Long> OVER_BLOCKS =
      new Condition<>(EPOCHS, epochs -> epochs != null && epochs > 1, "above 1");

  static final List<ConfigKey<?>> TREE_KEYS = List.of(
      ALPHA,
      EPOCHS,
      BATCHES.usedWith(OVER_BLOCKS),
      BlockKeys.SLOTS.usedWith(OVER_BLOCKS),
      STEP,
      SMOOTHNESS);
  static final List<ConfigKey<?>> REDUCED_KEYS = List.of(
      FORM,
      SHARE,
      EPOCHS,
      BATCHES.usedWith(Condition.isOneOf(FORM, MomentumForm.WINDOW)),
      BlockKeys.SLOTS,
      STEP,
      SMOOTHNESS);

  private final Settings settings;
  private final BlockInputs inputs;
  private final Landscape known;

  private MomentumSettings(Settings settings, BlockInputs inputs) {
    this.settings = settings;
    this.inputs = inputs;
    double clip = inputs
        .clip()
        .orElseGet(() -> inputs.problem().lossClip(SMOOTHNESS, "must be given, and clip.norm,"));
    this.known = Landscape.of(smoothness(), clip, inputs.dimension(), clip * inputs.noise());
  }

  /** Of {@code tree-momentum-nsgd}. */
  static BlockSettings tree(Settings settings, NamedObjective objective) {
    BlockKeys.checkAll(settings, TREE_KEYS);
    BlockKeys.checkUsed(
        settings,
        TREE_KEYS,
        "in one pass, whose rounds are batch.size slots; unset it, or give " + EPOCHS + " above 1");
    boolean endless = ENDLESS.holds().test(settings.meaning(EPOCHS));
    return of(settings, endless ? MomentumSettings::endlessTree : MomentumSettings::blockTree);
  }

  /** Of {@code sensitivity-reduced-nsgd}. */
  static BlockSettings reduced(Settings settings, NamedObjective objective) {
    BlockKeys.checkAll(settings, REDUCED_KEYS);
    BlockKeys.checkUsed(
        settings,
        REDUCED_KEYS,
        "unless " + FORM + " is " + MomentumForm.WINDOW.configName() + "; unset it");
    return of(
        settings,
        switch (settings.get(FORM)) {
          case FULL_BATCH -> MomentumSettings::fullBatch;
          case WINDOW -> MomentumSettings::window;
        });
  }

  private static BlockSettings of(
      Settings settings, Function<MomentumSettings, BlockDesign> maker) {
    return inputs -> maker.apply(new MomentumSettings(settings, inputs));
  }

  /** The noise may turn out larger where units take part several times: a bound that covers it. */
  private double leastMu() {
    return 1 / (4 * inputs.noise());
  }

  private OnePassBound bound() {
    long batch = inputs.slots();
    if (batch == 0) {
      batch = ROUND;
      while (batch < inputs.dimension() / WEIGHTS_PER_SLOT) {
        batch *= 2;
      }
    }
    return new OnePassBound(known, batch, Math.max(PLANNED_SLOTS, batch));
  }

  private BlockDesign endlessTree() {
    OnePassBound bound = bound();
    double alpha = settings.find(ALPHA).orElseGet(bound::momentumAlpha);
    double step = settings.find(STEP).orElseGet(() -> bound.step(alpha));
    TreeMomentumNsgd optimizer = settings.make(STEP, () -> new TreeMomentumNsgd(step, 1 - alpha));
    MomentumTree tree = MomentumTree.endless(optimizer.beta(), inputs.dimension(), leastMu());
    return new BlockDesign(bound.batch(), known.clip(), tree, optimizer);
  }

  private long slots() {
    return BlockKeys.slots(settings, inputs, BLOCK);
  }

  private BlockDesign blockTree() {
    long batches = settings.get(BATCHES);
    long epochs = settings.get(EPOCHS);
    long slots = slots() / batches * batches;
    double alpha = settings.find(ALPHA).orElse(1.0 / batches);
    QuerySchedule queries = settings.make(
        BATCHES,
        () ->
            new QuerySchedule(List.of(new QuerySchedule.Segment(0, slots, batches, 1, epochs, 1))));
    // What minimises R / (eta T) + L eta / 2 with T = n E, as far as it does not outrun the sum.
    double free = Math.sqrt(2 * known.gap() / (known.smoothness() * batches * epochs));
    double step =
        settings.find(STEP).orElse(Math.min(free, alpha * known.clip() / known.smoothness()));
    MomentumTree tree = settings.make(
        EPOCHS,
        () -> MomentumTree.block(batches, epochs, 1 - alpha, inputs.dimension(), leastMu()));
    Optimizer optimizer = settings.make(STEP, () -> new TreeMomentumNsgd(step, 1 - alpha, queries));
    return new BlockDesign(slots, known.clip(), tree, optimizer);
  }

  private BlockDesign window() {
    int batches = settings.get(BATCHES).intValue();
    long epochs = settings.find(EPOCHS).orElse(WINDOW_EPOCHS);
    long slots = slots() / batches * batches;
    double free = Math.sqrt(2 * known.gap() / (known.smoothness() * batches * epochs));
    double step = settings
        .find(STEP)
        .orElse(Math.min(free, known.clip() / (known.smoothness() * 2 * batches)));
    WindowSchedule least =
        settings.make(STEP, () -> WindowSchedule.of(slots, batches, epochs, known, step));
    WindowSchedule schedule = settings
        .find(SHARE)
        .map(share -> new WindowSchedule(slots, batches, epochs, known.clip(), step, share))
        .orElse(least);
    WindowNsgd optimizer = settings.make(BATCHES, () -> new WindowNsgd(schedule));
    return new BlockDesign(slots, known.clip(), settings.make(EPOCHS, schedule::tree), optimizer);
  }

  private BlockDesign fullBatch() {
    long slots = slots();
    FullBatchSchedule.Steps planned =
        FullBatchSchedule.plan(slots, known, settings.find(EPOCHS).orElse(MOST_QUERIES));
    long queries = settings.find(EPOCHS).orElse(planned.queries());
    double step = settings
        .find(STEP)
        .orElseGet(() -> queries == planned.queries()
            ? planned.step()
            : FullBatchSchedule.step(slots, known, queries));
    FullBatchSchedule least = FullBatchSchedule.of(
        slots, new FullBatchSchedule.Steps(queries, step), known.smoothness(), known.clip());
    FullBatchSchedule schedule = settings
        .find(SHARE)
        .map(share ->
            new FullBatchSchedule(slots, queries, known.clip(), step, least.difference(), share))
        .orElse(least);
    SensitivityReducedNsgd optimizer = new SensitivityReducedNsgd(schedule);
    return new BlockDesign(slots, known.clip(), new QueryNoise(optimizer.queries()), optimizer);
  }

  private double smoothness() {
    LearningProblem problem = inputs.problem();
    return settings
        .find(SMOOTHNESS)
        .orElseGet(() -> problem
            .ownSmoothness()
            .orElseGet(() -> ofOutput(
                problem.objective().objective(), problem.require(SMOOTHNESS, "must be given"))));
  }

  /**
   * Of a network, which has weights behind the matrix, the curvature of its output layer: what all
   * layers may add to it in the worst case, rarely comes, and steps made for it lead nowhere.
   */
  private static double ofOutput(Objective objective, StepScale scale) {
    return objective.tail() == 0
        ? scale.curvature()
        : scale.curvature() / (1.5 + 0.5 * objective.rows());
  }
}
