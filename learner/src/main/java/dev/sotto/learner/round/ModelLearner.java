package dev.sotto.learner.round;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.example.Verdict;
import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.privacy.Guarantee;
import dev.sotto.learner.release.ClippedSum;
import dev.sotto.learner.release.ContentDigest;
import dev.sotto.learner.release.NoiseKey;
import dev.sotto.learner.release.ReleaseState;
import dev.sotto.learner.release.Releaser;

/**
 * One model as it learns: slots go in, one at a time; every B slots a round closes and gives new weights.
 * The same slots under the same plan, key, model id and label give the same bits, wherever they run.
 *
 * <p>When the budget is spent it closes no further round: slots are counted and forgotten. Not safe for use
 * by several threads.
 */
public final class ModelLearner {
  private final Plan plan;
  private final Loss loss;
  private final byte[] runId;
  private final Releaser releaser;
  private final ClippedSum sum;
  private final ContentDigest content;
  private final double[] weights;
  private Guarantee guarantee;
  private double guaranteeMu = -1;
  private boolean exhausted;

  private ModelLearner(Plan plan, NoiseKey key, byte[] runId, Releaser releaser, double[] weights) {
    this.plan = plan;
    this.loss = plan.loss();
    this.runId = runId;
    this.releaser = releaser;
    this.weights = weights;
    this.sum = new ClippedSum(plan.lattice());
    this.content = new ContentDigest(key, runId);
    this.exhausted = !plan.allows(releaser.round() + 1);
  }

  /** A model before its first round. */
  public static ModelLearner start(Plan plan, NoiseKey key, String modelId, String label) {
    byte[] fingerprint = plan.fingerprint();
    byte[] runId = key.runId(modelId, fingerprint, label);
    double[] weights = new double[plan.dimension()];
    plan.optimizer().start(weights);
    Releaser releaser = Releaser.start(
        plan.lattice(), plan.mechanism(), plan.sigma(), key, runId, fingerprint, weights);
    return new ModelLearner(plan, key, runId, releaser, weights);
  }

  /** A model as it was after some round, with the open round empty. */
  public static ModelLearner resume(
      Plan plan, NoiseKey key, String modelId, String label, ReleaseState state) {
    byte[] fingerprint = plan.fingerprint();
    byte[] runId = key.runId(modelId, fingerprint, label);
    Releaser releaser =
        Releaser.resume(plan.lattice(), plan.mechanism(), plan.sigma(), key, fingerprint, state);
    double[] weights = new double[plan.dimension()];
    plan.optimizer().start(weights);
    if (state.round() > 0) {
      plan.optimizer().tell(releaser.latest(), weights);
    }
    return new ModelLearner(plan, key, runId, releaser, weights);
  }

  /** Goes on with an open round that {@link #sealOpen} gave at this very state and place. */
  public void resumeOpen(byte[] sealed, byte[] place) {
    content.resume(releaser.unseal(sealed, place, sum));
  }

  /** Makes a slot a null slot where the loss has no meaning for its label. */
  public static void admit(Slot slot, Loss loss) {
    if (slot.verdict() == Verdict.USED && !loss.admits(slot.example().label())) {
      slot.verdict(Verdict.WRONG_TYPE);
    }
  }

  /**
   * Fills one slot of the open round; {@link #close} must follow as soon as this returns true.
   *
   * @return whether the round is now full
   */
  public boolean fill(Slot slot) {
    if (exhausted) {
      return false;
    }
    admit(slot, loss);
    content.add(slot);
    if (slot.verdict() == Verdict.USED) {
      Example example = slot.example();
      double slope = loss.slope(example.dot(weights), example.label()) * example.weight();
      sum.add(example, slope);
    } else {
      sum.addNothing();
    }
    return sum.isFull();
  }

  /** Closes a full round: exact sum, noise, new weights, cost. */
  public Round close() {
    if (exhausted) {
      throw new IllegalStateException("the budget is spent; no further round may close");
    }
    plan.optimizer().tell(releaser.release(sum, weights, content.state(), 0), weights);
    content.clear();
    long round = releaser.round();
    exhausted = !plan.allows(round + 1);
    return new Round(round, weights.clone(), guarantee(round), exhausted);
  }

  private Guarantee guarantee(long round) {
    double mu = plan.mu(round);
    if (mu != guaranteeMu) { // of a tree it changes at powers of two only
      guarantee = plan.guarantee(round);
      guaranteeMu = mu;
    }
    return guarantee;
  }

  /** Rounds closed so far. */
  public long round() {
    return releaser.round();
  }

  /** Slots filled in the open round. */
  public long openSlots() {
    return sum.slots();
  }

  /** Whether the budget is spent, so that slots are counted but nothing is learned. */
  public boolean isExhausted() {
    return exhausted;
  }

  /** 16 bytes that name this run. */
  public byte[] runId() {
    return runId.clone();
  }

  /** The running digest: inside the trust boundary. */
  public byte[] digest() {
    return releaser.digest();
  }

  /** The state after the last closed round. */
  public ReleaseState state() {
    return releaser.state();
  }

  /**
   * The open round, encrypted.
   *
   * @param place where it stands in the log; it can be opened with the same bytes only
   */
  public byte[] sealOpen(byte[] place) {
    return releaser.seal(sum, content.state(), place);
  }

  /** The current weights; the learner keeps no reference to them. */
  public double[] weights() {
    return weights.clone();
  }
}
