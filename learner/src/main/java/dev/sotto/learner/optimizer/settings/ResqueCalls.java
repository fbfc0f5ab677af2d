package dev.sotto.learner.optimizer.settings;

import dev.sotto.learner.mechanism.CallNoise;
import dev.sotto.learner.optimizer.BlockDesign;
import dev.sotto.learner.optimizer.BlockInputs;
import dev.sotto.learner.optimizer.resque.PoolSize;
import dev.sotto.learner.optimizer.resque.calls.CallAlgorithm;
import dev.sotto.learner.optimizer.resque.calls.CallRegime;
import dev.sotto.learner.optimizer.resque.calls.CallSchedule;
import dev.sotto.learner.optimizer.resque.calls.CallSize;
import dev.sotto.learner.settings.Settings;
import java.util.List;

/** {@code resque} as calls of private solvers over slices of their own. */
final class ResqueCalls {
  /** Slots of a block where nobody chooses (docs/experiments/resque.md, "Ordered calls"). */
  private static final long SLOTS = 1 << 18;

  /** r / rho where nobody chooses. */
  private static final double USUAL_RADIUS = 0.05;

  /** lambda r / L where nobody chooses (docs/experiments/resque.md, "Ordered calls"). */
  private static final double USUAL_PULL = 0.1;

  private final Settings settings;
  private final BlockInputs inputs;
  private final ResqueOnePass onePass;

  ResqueCalls(Settings settings, BlockInputs inputs, ResqueOnePass onePass) {
    this.settings = settings;
    this.inputs = inputs;
    this.onePass = onePass;
  }

  BlockDesign design() {
    ResqueOnePass.checkOrdered(
        settings,
        inputs,
        "ordered calls take",
        "ordered calls rests on convexity and Lipschitz bounds everywhere");
    double clip = onePass.clip();
    double rho = settings
        .find(Resque.SMOOTHING)
        .orElseGet(
            () -> inputs.problem().require(Resque.SMOOTHING, "must be given").noise());
    double share = settings.find(Resque.RADIUS).orElse(USUAL_RADIUS);
    double pull = settings.find(Resque.PULL).orElse(USUAL_PULL);
    PoolSize block = new PoolSize(
        BlockKeys.slots(settings, inputs, SLOTS),
        inputs.dimension(),
        clip,
        onePass.radius(),
        inputs.noise());
    CallSize size =
        new CallSize(block, settings.get(Resque.ROUNDS), rho, 1 / share, pull, inputs.failure());
    List<String> reasons = settings.make(BlockKeys.SLOTS, () -> CallRegime.reasons(size));
    if (!reasons.isEmpty()) {
      throw settings.reject(
          ResqueOnePass.FORM,
          "must be " + ResqueForm.ONE_PASS.configName() + " or " + ResqueForm.POOL.configName()
              + " here, since ordered calls guarantee nothing: " + String.join("; ", reasons));
    }
    CallSchedule schedule = settings.make(BlockKeys.SLOTS, () -> CallSchedule.of(size));
    CallNoise noise = schedule.noise();
    double lambda = pull / noise.reach();
    return BlockDesign.of(new CallAlgorithm(schedule, clip, lambda), noise);
  }
}
