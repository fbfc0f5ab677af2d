package dev.sotto.evaluation.audit.canary;

import dev.sotto.evaluation.audit.subject.AuditSubject;
import dev.sotto.evaluation.audit.subject.SeedHash;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.loss.Huber;
import dev.sotto.learner.mechanism.PathNoise;
import dev.sotto.learner.optimizer.resque.smoothing.OnePassAlgorithm;
import dev.sotto.learner.training.Plan;
import java.util.List;

/**
 * Two paths that rounding alone brings apart. One weight lies just above 1/2, where doubles are 2^-53
 * apart, and its neighbour, after one step, just below, where they are half as far apart. Slots move
 * both by 128.49 units of 2^-53 down and by 128 up, in turn: above, that is nothing, and below half
 * a unit.
 */
public final class RoundingDrift {
  /** What is done, for reports. */
  public static final String SAYS = "16,384 slots of one weight that step to and fro, 128.49 and"
      + " 128 units in the last place, above 1/2 and below";

  private static final int SLOTS = 1 << 14;
  private static final double UNIT = 0x1p-53;
  private static final double STRIDE = 256 * UNIT;

  private final Plan plan;
  private final PathNoise noise;
  private final long seed;

  /** With the clip of a plan, and much noise: grids follow it. */
  public RoundingDrift(Plan of, long seed) {
    double clip = of.clip();
    this.noise = new PathNoise(1, 1 / clip, 1, List.of(new PathNoise.Phase(SLOTS, STRIDE / clip)));
    this.plan = of.toBuilder()
        .dimension(1)
        .batch(SLOTS)
        .warmStart(new double[] {0.5 + 100 * UNIT})
        .loss("huber(1)", new Huber(1))
        .optimizer(new OnePassAlgorithm(noise, clip, ""))
        .mechanism(noise)
        .sigma(Math.max(of.sigma(), 64 * clip))
        .budget(new Budget(Double.POSITIVE_INFINITY, of.budget().delta()))
        .build();
    this.seed = seed;
  }

  /**
   * How far the first slot moves the average, over a step, or over what the noise hides.
   *
   * @param withRounding whether the claim is the mechanism's
   */
  public double moved(AuditSubject subject, boolean withRounding) {
    double apart = Math.abs(average(subject, false) - average(subject, true));
    return apart / (withRounding ? noise.noise(1) * plan.clip() : STRIDE);
  }

  private double average(AuditSubject subject, boolean moves) {
    AuditSubject.Run run = subject.start(
        plan,
        new AuditSubject.Identity(SeedHash.of(seed, "rounding", 0), "rounding"),
        new AuditSubject.Window(0, 1));
    Slot slot = new Slot(plan.inputs());
    double[] answer = new double[1];
    for (int i = 0; i < SLOTS; i++) {
      slot.clear();
      if (i > 0 || moves) {
        double units = i == 0 ? 256 : i % 2 == 1 ? 128.49 : 128;
        slot.status(RecordStatus.USED);
        slot.unit(new byte[] {(byte) (i >> 8), (byte) i}, 0, 2);
        slot.example().add(0, 1);
        slot.example().label(i == 0 || i % 2 == 1 ? -1e6 : 1e6); // far away, slopes are 1
        slot.example().weight(units * UNIT / STRIDE * plan.clip());
      }
      run.fill(slot);
    }
    run.close(answer);
    return run.exact().orElseThrow()[0];
  }
}
