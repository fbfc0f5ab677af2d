package dev.sotto.learner.training;

import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.release.PartialSumSeal;

/**
 * Sums one part of a round at public points, for a {@link ModelLearner} elsewhere that adds the
 * noise. How slots are shared out among parts, and in which order they come, leaves no trace in the
 * model. Not safe for use by several threads.
 */
public final class PartialSumLearner {
  private static final byte[] NO_SEED = {};

  private final Plan plan;
  private final Objective objective;
  private final NoiseKey key;
  private final RoundSum open;
  private final RangeMeasurement ranges;
  private final PartialSumSeal seal;
  private String keyId;

  /**
   * A worker of one run.
   *
   * @param key the noise key in force, which holds the earlier ones
   * @param runId of the model
   * @throws IllegalArgumentException where units have histories: only the model's own place knows
   *     them; or where the clip follows from answers, the order of slots matters, or they toss
   *     coins
   */
  public PartialSumLearner(Plan plan, NoiseKey key, byte[] runId) {
    checkParts(plan);
    if (plan.account().admission().isPresent()) {
      throw new IllegalArgumentException(
          "parts of rounds are summed without histories of units, but" + " participation is \""
              + plan.participation().describe() + "\"");
    }
    this.plan = plan;
    this.objective = plan.objective();
    this.key = key;
    this.open = new RoundSum(plan, runId);
    this.ranges = RangeMeasurement.ofParts(plan);
    this.seal = new PartialSumSeal(key, runId);
  }

  /** Refuses plans whose slots cannot be summed in parts. */
  static void checkParts(Plan plan) {
    plan.optimizer().hindersParts().ifPresent(why -> {
      throw new IllegalArgumentException(
          "rounds are not summed in parts with algorithm " + plan.algorithm() + ", " + why);
    });
  }

  /**
   * Begins a part; the one before must have been sealed.
   *
   * @param query of the round
   * @param newKeyId name of the round's noise key
   */
  public void open(GradientQuery query, String newKeyId) {
    if (open.slots() > 0) {
      throw new IllegalStateException("a part of round " + open.query().round() + " with "
          + open.slots() + " slots has not been sealed");
    }
    keyId = newKeyId;
    long slots = plan.block().largestQuery();
    double factor = plan.ranges().factor(query.round());
    ranges.beginPart(query.round(), query.ranges());
    open.begin(query, new SlotSums.Opening(key.ofId(newKeyId), NO_SEED, 1, slots, factor));
  }

  /** Fills one slot. */
  public void fill(Slot slot) {
    ModelLearner.admit(slot, objective);
    ranges.fill(slot, true); // every record is a unit of its own
    open.add(slot);
  }

  /** Fills a number of slots whose offsets hold no record. */
  public void fillAbsent(long count) {
    ranges.fillAbsent(count);
    open.addAbsent(count);
  }

  /** Slots filled in this part. */
  public long slots() {
    return open.slots();
  }

  /** The part, encrypted for its place; the next one begins with {@link #open}. */
  public byte[] seal(byte[] place) {
    return seal.close(
        keyId,
        open.partSum(),
        open.metricsSum(),
        ranges.counts(),
        open.content(),
        open.asked(),
        place);
  }
}
