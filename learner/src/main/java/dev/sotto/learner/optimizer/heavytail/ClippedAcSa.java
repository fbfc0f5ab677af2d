package dev.sotto.learner.optimizer.heavytail;

import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.optimizer.BlockIterates;

/**
 * One-pass accelerated stochastic approximation for smooth convex losses (Algorithm 2). With the
 * noisy mean g of batch t at md, {@code alpha = 2 / (t + 1)}:
 *
 * <pre>
 * md = (1 - alpha) ag + alpha w
 * w  = Proj(w - t / (2 eta) g)
 * ag = (1 - alpha) ag + alpha w              published after the last batch
 * </pre>
 *
 * @param schedule public numbers
 * @param set where the weights may lie
 * @param steps that follow a clip other than the schedule's; null where there is none
 */
public record ClippedAcSa(AcSaSchedule schedule, Ball set, AcSaSteps steps)
    implements ClippedAlgorithm {
  /** With the clip of the schedule. */
  public ClippedAcSa(AcSaSchedule schedule, Ball set) {
    this(schedule, set, null);
  }

  @Override
  public QuerySchedule queries() {
    return QuerySchedule.onePass(schedule.steps(), schedule.batch());
  }

  @Override
  public double clip() {
    return schedule.clip();
  }

  @Override
  public double tail(BlockSize size) {
    return ClipRules.tail(size, schedule.steps());
  }

  @Override
  public String describe() {
    return "steps=" + schedule.steps() + " batch=" + schedule.batch() + " eta="
        + Double.toHexString(schedule.eta()) + " " + set.describe();
  }

  @Override
  public void project(double[] weights) {
    set.project(weights);
  }

  @Override
  public BlockIterates iterates(double[] published) {
    return new Iterates(published);
  }

  private final class Iterates extends BlockIterates {
    private final double[] w;
    private final double[] ag;
    private final double[] md;

    Iterates(double[] published) {
      super(published, queries());
      w = new double[published.length];
      ag = new double[published.length];
      md = new double[published.length];
    }

    @Override
    protected void begin() {
      split(published, w);
      split(published, ag);
    }

    @Override
    protected void prepare(long t) {
      mix(t, md);
    }

    /** (1 - alpha) ag + alpha w. */
    private void mix(long t, double[] into) {
      double alpha = 2.0 / (t + 1);
      for (int i = 0; i < into.length; i++) {
        into[i] = (1 - alpha) * ag[i] + alpha * w[i];
      }
    }

    @Override
    public double[] point() {
      return md;
    }

    @Override
    protected void step(long t, double[] mean) {
      boolean asPlanned = steps == null || clipRatio() == 1;
      double eta = asPlanned ? schedule.eta() : steps.eta(schedule, clipRatio() * clip());
      double step = t / (2 * eta);
      for (int i = 0; i < w.length; i++) {
        w[i] -= step * mean[i];
      }
      set.project(w);
      mix(t, ag);
    }

    @Override
    protected void result(double[] into) {
      split(ag, into);
    }

    @Override
    protected double[] own() {
      return join(w, ag);
    }

    @Override
    protected void take(double[] own) {
      split(own, w, ag);
    }
  }
}
