package dev.sotto.learner.training;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.loss.SingleScore;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.optimizer.DifferenceClips;
import dev.sotto.learner.release.ClippedSum;
import dev.sotto.learner.release.ContentDigest;
import dev.sotto.learner.release.OpenSum;
import dev.sotto.learner.release.OrderedPath;
import dev.sotto.learner.release.PartialSumSeal;
import dev.sotto.learner.release.PathSum;
import dev.sotto.learner.release.WeightedPath;
import java.util.Arrays;

/**
 * The open round, or one worker's part of it: what slots add up to at the points of its
 * {@link GradientQuery}. It sees examples and knows nothing of noise. Both gradients of a
 * difference come from one pass over the example: two inner products, one scaled addition.
 */
final class RoundSum {
  private final Objective objective;
  private final Loss loss; // of the one score; null where there are several
  private final Objective.Pass pass;
  private final double[] outer;
  private final double[] tail;
  private final ClippedGradients twoClipped;
  private final GradientNorms norms; // null where none are counted
  private final byte[] runId;
  private final OpenSum open;
  private final ClippedSum sum; // null where slots move a path
  private final PathSum path; // null where slots are added up
  private final ProgressiveMetrics metrics; // null without
  private ContentDigest content;
  private String contentKey = "";
  private GradientQuery query;
  private byte[] asked; // of the query; null until it is needed
  private final boolean sampled; // slots take part by secret coins
  private final PoolGradients pool; // null where queries ask at their point alone

  RoundSum(Plan plan, byte[] runId) {
    this.objective = plan.objective();
    this.loss = objective instanceof SingleScore single ? single.loss() : null;
    this.pass = objective.pass();
    this.outer = new double[objective.rows()];
    this.tail = new double[objective.tail()];
    this.twoClipped = new ClippedGradients(objective);
    this.norms = plan.countsNorms() ? new GradientNorms(objective) : null;
    this.runId = runId;
    this.path = plan.paths()
        .map(each -> PathSum.of(plan.lattice(), each, plan.objective()))
        .orElse(null);
    this.sum = path == null ? sum(plan) : null;
    this.open = path == null ? sum : path;
    this.sampled = plan.samples();
    this.pool = plan.asksPools()
        ? new PoolGradients(objective, sum, plan.block().sampling().points())
        : null;
    this.metrics =
        plan.metrics() == null ? null : new ProgressiveMetrics(plan.metrics(), plan.batch());
  }

  private static ClippedSum sum(Plan plan) {
    if (!plan.learnsFromBlocks()) {
      return new ClippedSum(plan.lattice());
    }
    QuerySchedule queries = plan.block();
    return plan.asksPools()
        ? ClippedSum.atPoints(plan.lattice(), queries.sampling().points())
        : new ClippedSum(plan.lattice(), queries.groups());
  }

  /** An empty round under a key. */
  void begin(GradientQuery next, NoiseKey key) {
    query = next;
    asked = null;
    use(key);
  }

  /** An empty query of a block, under a key; it is the one of that number and of so many slots. */
  void begin(GradientQuery next, NoiseKey key, long number, long slots) {
    if (path instanceof WeightedPath weighted) {
      weighted.open(number, next.point(), next.previous());
    } else if (path instanceof OrderedPath ordered) {
      ordered.open(number, next.point());
    } else {
      sum.open(slots);
    }
    query = next;
    asked = null;
    use(key);
  }

  private void use(NoiseKey key) {
    if (contentKey.equals(key.id())) {
      content.clear();
    } else {
      content = new ContentDigest(key, runId);
      contentKey = key.id();
    }
    if (pool != null) {
      pool.begin(query.pool(), key);
    }
  }

  /** The open query draws its perturbations from a seed; nothing where it has none. */
  void perturb(NoiseKey key, byte[] seed) {
    if (path instanceof WeightedPath weighted) {
      weighted.perturb(key, seed);
    }
  }

  /** The same round under another key, with slots of which this is the fingerprint. */
  void goOn(NoiseKey key, byte[] slots) {
    use(key);
    content.resume(slots);
  }

  GradientQuery query() {
    return query;
  }

  /** What binds parts of this round to its query. */
  byte[] asked() {
    if (asked == null) {
      asked = PartialSumSeal.asked(query.factors(), query.points());
    }
    return asked;
  }

  /** Leaves large arrays to the next rounds of this thread; no use afterwards. */
  void recycle() {
    if (sum != null) {
      sum.recycle();
    }
  }

  OpenSum open() {
    return open;
  }

  /** The sum, where slots are added up. */
  ClippedSum sum() {
    return sum;
  }

  ClippedSum metricsSum() {
    return metrics == null ? null : metrics.sum();
  }

  byte[] content() {
    return content.state();
  }

  void mergeContent(byte[] part) {
    content.merge(part);
  }

  long slots() {
    return open.slots();
  }

  boolean isFull() {
    return open.isFull();
  }

  /** Fills a number of slots whose offsets hold no record. */
  void addAbsent(long count) {
    content.addAbsent(count);
    open.addNothing(count);
    if (metrics != null) {
      metrics.sum().addNothing(count);
    }
  }

  /** Fills a slot behind those before it. */
  void add(Slot slot) {
    long place = open.slots(); // of a block whose queries read all of it
    if (sampled) {
      content.add(slot, place);
    } else {
      content.add(slot);
    }
    if (slot.verdict() != RecordStatus.USED) {
      open.addNothing();
      if (metrics != null) {
        metrics.addNothing();
      }
    } else if (path != null) {
      path.add(slot.example());
    } else if (pool != null) {
      sum.addNothing();
      pool.add(slot.example(), place);
    } else if (query.norms() != null) {
      sum.addAxis(query.norms().axis(norms.of(slot.example(), query)));
    } else if (loss != null && metrics == null) {
      addScored(slot.example());
    } else {
      addPassed(slot.example());
    }
  }

  private void addScored(Example example) {
    double label = example.label();
    if (query.clips() != null) {
      addClipped(example, label);
      return;
    }
    double slope = loss.slope(example.dot(query.point()), label) * query.scale();
    if (query.isDifference()) {
      slope -= loss.slope(example.dot(query.previous()), label) * query.previousScale();
    }
    sum.add(example, slope * example.weight());
  }

  /** Both gradients are multiples of the features: their clips are those of two numbers. */
  private void addClipped(Example example, double label) {
    DifferenceClips clips = query.clips();
    double norm = example.norm();
    double weight = example.weight();
    double fresh =
        cut(loss.slope(example.dot(query.point()), label) * weight, norm, clips.gradient());
    double mapped = clips.share() * fresh;
    if (query.isDifference()) {
      double before =
          cut(loss.slope(example.dot(query.previous()), label) * weight, norm, clips.gradient());
      mapped += (1 - clips.share()) * cut(fresh - before, norm, clips.difference());
    }
    sum.add(example, mapped * query.scale());
  }

  /** A factor of a vector of some norm, cut so that the product is at most a radius long. */
  private static double cut(double factor, double norm, double radius) {
    double length = Math.abs(factor) * norm;
    if (length <= radius) {
      return factor;
    }
    double least = radius / norm; // 0 where the norm is not finite, and so is what is not a number
    return length > radius && least > 0 ? Math.copySign(least, factor) : 0;
  }

  private void addPassed(Example example) {
    Arrays.fill(outer, 0);
    Arrays.fill(tail, 0);
    double weight = example.weight();
    pass.forward(example, query.point());
    if (metrics != null) {
      metrics.add(pass, example.label());
    }
    if (query.clips() != null) {
      twoClipped.map(example, query, outer, tail);
    } else {
      pass.backward(example.label(), weight * query.scale(), outer, tail);
    }
    if (query.clips() == null && query.isDifference()) {
      pass.forward(example, query.previous());
      pass.backward(example.label(), -weight * query.previousScale(), outer, tail);
    }
    if (loss != null) {
      sum.add(example, outer[0]);
    } else {
      sum.add(example, outer, tail);
    }
  }
}
