package dev.sotto.learner.training;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.range.NumberRange;
import dev.sotto.learner.release.ClippedSum;
import dev.sotto.learner.release.ContentDigest;
import dev.sotto.learner.release.OpenSum;
import dev.sotto.learner.release.PartialSumSeal;
import java.util.Optional;

/**
 * The open query of a round, or one worker's part of it: what its slots add up to, their metrics,
 * and the fingerprint of their content. It sees examples and knows nothing of noise.
 */
final class RoundSum {
  private static final byte[] NOT_YET = {};

  private final byte[] runId;
  private final boolean placed; // slots toss coins of their places
  private final RoundMetrics metrics;
  private final SlotSums sums;
  private final OpenSum sum;
  private ContentDigest content;
  private String contentKey = "";
  private GradientQuery query;
  private byte[] asked = NOT_YET; // of the query

  RoundSum(Plan plan, byte[] runId) {
    this.runId = runId;
    this.placed = plan.samples();
    this.metrics = RoundMetrics.of(plan);
    this.sums = SlotSums.of(plan, metrics);
    this.sum = sums.sum();
  }

  /** An empty query. */
  void begin(GradientQuery next, SlotSums.Opening opening) {
    sums.open(next, opening);
    query = next;
    asked = NOT_YET;
    use(opening.key());
  }

  private void use(NoiseKey key) {
    if (contentKey.equals(key.id())) {
      content.clear();
    } else {
      content = new ContentDigest(key, runId);
      contentKey = key.id();
    }
  }

  /** The same query under another key, with slots of which this is the fingerprint. */
  void goOn(SlotSums.Opening opening, byte[] slots) {
    sums.resume(opening);
    use(opening.key());
    content.resume(slots);
  }

  GradientQuery query() {
    return query;
  }

  /** What binds parts of this round to its query. */
  byte[] asked() {
    if (asked == NOT_YET) {
      asked =
          PartialSumSeal.asked(query.factors(), query.points(), NumberRange.pack(query.ranges()));
    }
    return asked;
  }

  /** Leaves large arrays to the next rounds of this thread; no use afterwards. */
  void recycle() {
    sums.recycle();
  }

  OpenSum sum() {
    return sum;
  }

  /** The sum, of a plan whose slots are summed in parts: these are added up. */
  ClippedSum partSum() {
    return (ClippedSum) sum;
  }

  Optional<ClippedSum> metricsSum() {
    return metrics.sum();
  }

  byte[] content() {
    return content.state();
  }

  void mergeContent(byte[] part) {
    content.merge(part);
  }

  long slots() {
    return sum.slots();
  }

  boolean isFull() {
    return sum.isFull();
  }

  /** Fills a number of slots whose offsets hold no record. */
  void addAbsent(long count) {
    content.addAbsent(count);
    sum.addNothing(count);
    metrics.addNothing(count);
  }

  /** Fills a slot behind those before it. */
  void add(Slot slot) {
    long place = sum.slots(); // of a block whose queries read all of it
    if (placed) {
      content.add(slot, place);
    } else {
      content.add(slot);
    }
    if (slot.status() == RecordStatus.USED) {
      sums.add(slot.example(), place);
    } else {
      sum.addNothing();
      metrics.addNothing(1);
    }
  }
}
