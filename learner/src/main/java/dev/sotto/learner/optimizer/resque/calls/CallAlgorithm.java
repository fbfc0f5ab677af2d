package dev.sotto.learner.optimizer.resque.calls;

import java.util.Optional;
import static dev.sotto.learner.description.FigureFormat.number;

import dev.sotto.learner.description.Section;
import dev.sotto.learner.mechanism.PlanFigures;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.optimizer.AdviceInputs;
import dev.sotto.learner.optimizer.BlockAlgorithm;
import dev.sotto.learner.optimizer.BlockIterates;
import dev.sotto.learner.optimizer.heavytail.Ball;
import dev.sotto.learner.optimizer.resque.ResqueAdvice;
import java.util.List;

/**
 * Accelerated proximal point steps, whose oracles are calls of private solvers over slots of their
 * own. Every noisy average of a phase, moved into the ball of its call, is where the next phase
 * begins. After the last round the iterate is published, and the next block begins there.
 *
 * @param schedule of calls
 * @param clip L
 * @param lambda of the regulariser, positive
 */
public record CallAlgorithm(CallSchedule schedule, double clip, double lambda)
    implements BlockAlgorithm {
  /** What theory promises is said for a tenth of what zero weights may lose. */
  private static final double KAPPA = 10;

  @Override
  public QuerySchedule queries() {
    return schedule.noise().schedule();
  }

  /** The ball around the origin in which centres lie. */
  Ball set() {
    return new Ball(null, schedule.noise().shape().domain() * clip);
  }

  /** r of the ball around a centre. */
  double radius() {
    return schedule.noise().reach() * clip;
  }

  @Override
  public Optional<String> hindersParts() {
    return Optional.of("which takes slots in their order, and has no sums of parts");
  }

  @Override
  public List<String> advice(AdviceInputs of) {
    return ResqueAdvice.ordered(of, "");
  }

  @Override
  public Section describe(PlanFigures plan) {
    double ratio = schedule.noise().shape().ratio();
    double beta = 2 / (plan.sigma() / plan.clip() * schedule.noise().worstConstant());
    double slots = CallRegime.provedSlots(KAPPA, plan.dimension(), ratio, beta);
    return Section.untitled()
        .sentence("Theory promises an excess loss of a tenth of clip times radius from blocks of"
            + " about " + number(Math.ceil(slots)) + " slots on; below that, accuracy is measured"
            + " and not proved, and one pass (resque.form one-pass) was better wherever both were"
            + " measured.");
  }

  @Override
  public String describe() {
    StringBuilder weights = new StringBuilder();
    for (CallSchedule.Call each : schedule.calls()) {
      weights.append(weights.length() == 0 ? "" : ",").append(each.weight());
    }
    return schedule.noise().parameters() + " lambda=" + Double.toHexString(lambda) + " weights="
        + weights + " " + set().describe();
  }

  @Override
  public void project(double[] weights) {
    set().project(weights);
  }

  @Override
  public BlockIterates iterates(double[] published) {
    return new CallIterates(published, this);
  }
}
