package dev.sotto.learner.training;

import dev.sotto.learner.memory.SpareArrays;
import dev.sotto.learner.optimizer.OptimizerState;
import java.util.Arrays;

/**
 * The points of the rounds that may be worked at: round r is asked at the point that followed from
 * the answers up to round {@code r - 1 - lag}; the first rounds are asked at the start.
 */
final class RoundQueries implements AskedQueries {
  private static final double[] NONE = {};
  private static final SpareArrays<double[]> SPARE = SpareArrays.ofDoubles(1);

  private final Plan plan;
  private final OptimizerState state;
  private final double[][] pending; // of the next round, and of lag rounds after it
  private double[] previous = NONE; // of the round before, where differences are asked for
  private long next = 1;

  private RoundQueries(Plan plan, OptimizerState state) {
    this.plan = plan;
    this.state = state;
    this.pending = new double[1 + plan.lag()][];
  }

  static RoundQueries start(Plan plan, OptimizerState state) {
    RoundQueries queries = new RoundQueries(plan, state);
    Arrays.fill(queries.pending, state.point().clone());
    return queries;
  }

  /** Takes its vectors from the end of what a state keeps. */
  static RoundQueries resume(Plan plan, OptimizerState state, long closed, double[] iterates) {
    RoundQueries queries = new RoundQueries(plan, state);
    queries.next = closed + 1;
    int d = plan.dimension();
    int at = iterates.length - kept(plan, closed) * d;
    if (asksPrevious(plan, closed + 1)) {
      queries.previous = Arrays.copyOfRange(iterates, at, at + d);
      at += d;
    }
    for (int i = 0; i < plan.lag(); i++) {
      queries.pending[i] = Arrays.copyOfRange(iterates, at, at + d);
      at += d;
    }
    queries.pending[plan.lag()] = SPARE.copy(state.point(), 0, d);
    return queries;
  }

  /** How many vectors a state keeps for it after a number of rounds. */
  static int kept(Plan plan, long closed) {
    return plan.lag() + (asksPrevious(plan, closed + 1) ? 1 : 0);
  }

  private static boolean asksPrevious(Plan plan, long round) {
    return plan.optimizer().isRecursive() && plan.generations().within(round) > 1;
  }

  @Override
  public GradientQuery open(long round, byte[] seed) {
    return of(round);
  }

  @Override
  public GradientQuery of(long round) {
    int place = Math.toIntExact(round - next);
    if (place < 0 || place >= pending.length) {
      throw new IllegalArgumentException("the queries of rounds " + next + " to "
          + (next + pending.length - 1) + " are known, but not that of " + round);
    }
    return GradientQuery.of(
        plan, round, pending[place], place == 0 ? previous : pending[place - 1]);
  }

  /** The query that the state has now is asked after the lag. */
  @Override
  public void closed() {
    next++;
    previous = asksPrevious(plan, next) ? pending[0] : NONE;
    System.arraycopy(pending, 1, pending, 0, pending.length - 1);
    pending[pending.length - 1] = state.point().clone();
  }

  @Override
  public void recycle() {
    SPARE.give(pending[pending.length - 1]); // others may be the same one
  }

  @Override
  public double[] after(double[] iterates) {
    int d = plan.dimension();
    int at = iterates.length;
    int kept = kept(plan, next - 1);
    if (kept == 0) {
      return iterates;
    }
    double[] all = Arrays.copyOf(iterates, at + kept * d);
    if (previous.length > 0) {
      System.arraycopy(previous, 0, all, at, d);
      at += d;
    }
    for (int i = 0; i < plan.lag(); i++) {
      System.arraycopy(pending[i], 0, all, at, d);
      at += d;
    }
    return all;
  }
}
