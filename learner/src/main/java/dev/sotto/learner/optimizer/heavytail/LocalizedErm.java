package dev.sotto.learner.optimizer.heavytail;

import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.mechanism.QuerySchedule.Segment;
import dev.sotto.learner.optimizer.AdviceInputs;
import dev.sotto.learner.optimizer.BlockIterates;
import java.util.ArrayList;
import java.util.List;

/**
 * Localized regularized empirical risk minimization for convex losses with kinks (Algorithm 4 with
 * Algorithm 3). A phase makes several passes over slots of its own. With the noisy mean g of a pass
 * at w, and c the point at which the phase began:
 *
 * <pre>
 * w = Proj(w - step (g + lambda (w - c))), into the set, the ball around c, and the set again
 * </pre>
 *
 * <p>The last point of the last phase is published. The noise of a pass is so much larger than that
 * of a single query that all passes of a phase cost one participation.
 *
 * @param phases in their order, at least one
 * @param set where the weights may lie
 * @param queries of the phases
 */
public record LocalizedErm(List<Phase> phases, Ball set, QuerySchedule queries)
    implements ClippedAlgorithm {
  public LocalizedErm(List<Phase> phases, Ball set) {
    this(phases, set, schedule(phases));
  }

  public LocalizedErm {
    phases = List.copyOf(phases);
  }

  private static QuerySchedule schedule(List<Phase> phases) {
    if (phases.isEmpty()) {
      throw new IllegalArgumentException("a block must have at least one phase, but had none");
    }
    List<Segment> segments = new ArrayList<>();
    long first = 0;
    for (Phase each : phases) {
      segments.add(Segment.whole(first, each.slots(), each.passes(), Math.sqrt(each.passes())));
      first += each.slots();
    }
    return new QuerySchedule(segments);
  }

  @Override
  public double clip() {
    return phases.get(0).clip();
  }

  @Override
  public double scale(long query) {
    return clip() / phases.get(phase(query)).clip();
  }

  /** The phase of a query, from 0. */
  private int phase(long query) {
    long end = 0;
    for (int i = 0; i < phases.size(); i++) {
      end += phases.get(i).passes();
      if (query <= end) {
        return i;
      }
    }
    throw new IllegalArgumentException(
        "a block has " + end + " queries, but was asked for " + query);
  }

  @Override
  public double tail(BlockSize size) {
    return ClipRules.localTail(size, phases.get(0).slots());
  }

  @Override
  public List<String> advice(AdviceInputs of) {
    List<String> sentences = new ArrayList<>(ClippedAlgorithm.super.advice(of));
    if (of.loss().objective().smoothness() < Double.POSITIVE_INFINITY) {
      sentences.add("The loss has no kinks: clipped-ac-sa learns it in one pass.");
    }
    return sentences;
  }

  @Override
  public String describe() {
    StringBuilder text = new StringBuilder(set.describe());
    for (Phase each : phases) {
      text.append(" [").append(each.slots()).append('*').append(each.passes());
      for (double number :
          new double[] {each.step(), each.regularization(), each.clip(), each.radius()}) {
        text.append(' ').append(Double.toHexString(number));
      }
      text.append(']');
    }
    return text.toString();
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
    private final double[] center;

    Iterates(double[] published) {
      super(published, queries);
      w = new double[published.length];
      center = new double[published.length];
    }

    @Override
    protected void begin() {
      split(published, w);
      split(published, center);
    }

    @Override
    public double[] point() {
      return w;
    }

    @Override
    protected void step(long asked, double[] mean) {
      int number = phase(asked);
      Phase phase = phases.get(number);
      double back = phase.clip() / clip();
      for (int i = 0; i < w.length; i++) {
        double pull = phase.regularization() * (w[i] - center[i]);
        w[i] -= phase.step() * (back * mean[i] + pull);
      }
      set.project(w);
      Ball.project(w, center, phase.radius());
      set.project(w);
      boolean ends = asked == queries.queries() || phase(asked + 1) != number;
      if (ends) {
        split(w, center);
      }
    }

    @Override
    protected void result(double[] into) {
      split(w, into);
    }

    @Override
    protected double[] own() {
      return join(w, center);
    }

    @Override
    protected void take(double[] own) {
      split(own, w, center);
    }
  }
}
