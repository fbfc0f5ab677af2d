package dev.sotto.learner.round;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.example.Verdict;
import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.privacy.Guarantee;
import dev.sotto.learner.release.ClippedSum;
import dev.sotto.learner.release.ContentDigest;
import dev.sotto.learner.release.Metering;
import dev.sotto.learner.release.NoiseKey;
import dev.sotto.learner.release.NoisySum;
import dev.sotto.learner.release.PageTable;
import dev.sotto.learner.release.Releaser;
import dev.sotto.learner.release.UnitIds;
import dev.sotto.learner.unit.Admission;
import dev.sotto.learner.unit.UnitHistories;
import java.util.Optional;

/**
 * One model as it learns: slots go in, one at a time; every B slots a round closes and gives new weights.
 * The same slots under the same plan, key, model id and label give the same bits, wherever they run.
 *
 * <p>When the budget is spent it closes no further round: slots are counted and forgotten. Not safe for use
 * by several threads.
 */
public final class ModelLearner {
  private static final double[] NO_ANCHOR = {};

  private final Plan plan;
  private final Loss loss;
  private final Account account;
  private final byte[] runId;
  private final Releaser releaser;
  private final ClippedSum sum;
  private final ProgressiveMetrics metrics; // null without
  private final ModelKeys keys;
  private ContentDigest content;
  private final Admission admission; // null where every record is a unit of its own
  private final UnitIds unitIds;
  private final UnitHistories histories;
  private final double[] weights;
  private double[] anchor;
  private Guarantee guarantee;
  private double guaranteeMu = -1;
  private boolean exhausted;

  private ModelLearner(
      Plan plan,
      ModelKeys keys,
      byte[] runId,
      Releaser releaser,
      double[] weights,
      double[] anchor,
      UnitHistories histories) {
    this.plan = plan;
    this.loss = plan.loss();
    this.account = plan.account();
    this.runId = runId;
    this.releaser = releaser;
    this.weights = weights;
    this.anchor = anchor;
    this.sum = new ClippedSum(plan.lattice());
    this.metrics =
        plan.metrics() == null ? null : new ProgressiveMetrics(plan.metrics(), loss, plan.batch());
    this.keys = keys;
    begin(keys.ofRound(releaser.round() + 1));
    this.admission = account.admission().orElse(null);
    this.unitIds = new UnitIds(keys.origin(), runId);
    this.histories = histories;
    if (admission != null && histories == null) {
      throw new IllegalArgumentException("participation \""
          + plan.participation().describe() + "\" needs a place for the histories of units");
    }
    this.exhausted = !account.allows(plan.budget(), releaser.round() + 1);
  }

  /** {@link #start(Plan, NoiseKey, String, String, UnitHistories)} where every record is a unit of its own. */
  public static ModelLearner start(Plan plan, NoiseKey key, String modelId, String label) {
    return start(plan, key, modelId, label, null);
  }

  /**
   * A model before its first round.
   *
   * @param histories of this model's units; null where every record is a unit of its own
   */
  public static ModelLearner start(
      Plan plan, NoiseKey key, String modelId, String label, UnitHistories histories) {
    return start(plan, ModelKeys.of(key), modelId, label, histories);
  }

  /** {@link #start(Plan, NoiseKey, String, String, UnitHistories)} under keys that may have been rotated. */
  public static ModelLearner start(
      Plan plan, ModelKeys keys, String modelId, String label, UnitHistories histories) {
    byte[] fingerprint = plan.fingerprint();
    byte[] runId = keys.origin().runId(modelId, fingerprint, label);
    double[] weights = new double[plan.dimension()];
    plan.optimizer().start(weights);
    Releaser releaser = Releaser.start(
        plan.lattice(),
        plan.mechanism(),
        plan.sigma(),
        metering(plan),
        keys.origin(),
        runId,
        fingerprint,
        weights);
    return new ModelLearner(plan, keys, runId, releaser, weights, NO_ANCHOR, histories);
  }

  /** {@link #resume(Plan, NoiseKey, String, String, ModelState, UnitHistories)}, every record a unit of its own. */
  public static ModelLearner resume(
      Plan plan, NoiseKey key, String modelId, String label, ModelState state) {
    return resume(plan, key, modelId, label, state, null);
  }

  /** A model as it was after some round, with the open round empty; the histories must be those of that time. */
  public static ModelLearner resume(
      Plan plan,
      NoiseKey key,
      String modelId,
      String label,
      ModelState state,
      UnitHistories histories) {
    return resume(plan, ModelKeys.of(key), modelId, label, state, histories);
  }

  /** The same under keys that may have been rotated. */
  public static ModelLearner resume(
      Plan plan,
      ModelKeys keys,
      String modelId,
      String label,
      ModelState state,
      UnitHistories histories) {
    byte[] fingerprint = plan.fingerprint();
    byte[] runId = keys.origin().runId(modelId, fingerprint, label);
    Releaser releaser = Releaser.resume(
        plan.lattice(),
        plan.mechanism(),
        plan.sigma(),
        metering(plan),
        keys.origin(),
        fingerprint,
        state.release());
    double[] weights = new double[plan.dimension()];
    plan.optimizer().start(weights);
    if (state.release().round() > 0) {
      plan.optimizer().tell(releaser.latest(), state.anchor(), weights);
    }
    return new ModelLearner(plan, keys, runId, releaser, weights, state.anchor(), histories);
  }

  private static Metering metering(Plan plan) {
    return plan.metrics() == null ? null : plan.metrics().metering(plan.batch());
  }

  /** Goes on with an open round that {@link #sealOpen} wrote at this very state and place. */
  public void resumeOpen(byte[] head, byte[] place, PageTable table) {
    byte[] slots = releaser.unseal(head, place, table, sum, metricsSum());
    content = new ContentDigest(releaser.key(), runId);
    content.resume(slots);
  }

  private void begin(NoiseKey key) {
    if (content == null || !key.id().equals(releaser.key().id())) {
      releaser.use(key);
      content = new ContentDigest(key, runId);
    } else {
      content.clear();
    }
  }

  private ClippedSum metricsSum() {
    return metrics == null ? null : metrics.sum();
  }

  /** Makes a slot a null slot where the loss has no meaning for its label. */
  public static void admit(Slot slot, Loss loss) {
    if (slot.verdict() == Verdict.USED && !loss.admits(slot.example().label())) {
      slot.verdict(Verdict.WRONG_TYPE);
    }
  }

  /**
   * Fills one slot of the open round; {@link #close} must follow as soon as this returns true. A record whose unit may
   * not contribute becomes a null slot: its verdict says so afterwards.
   *
   * @return whether the round is now full
   */
  public boolean fill(Slot slot) {
    if (exhausted) {
      return false;
    }
    admit(slot, loss);
    if (admission != null) {
      admitUnit(slot);
    }
    content.add(slot);
    if (slot.verdict() == Verdict.USED) {
      Example example = slot.example();
      double score = example.dot(weights);
      if (metrics != null) {
        metrics.add(score, example.label());
      }
      sum.add(example, loss.slope(score, example.label()) * example.weight());
    } else {
      if (metrics != null) {
        metrics.addNothing();
      }
      sum.addNothing();
    }
    return sum.isFull();
  }

  private void admitUnit(Slot slot) {
    if (slot.verdict() != Verdict.USED) {
      return;
    }
    if (slot.unitLength() < 0) {
      slot.verdict(Verdict.NO_UNIT);
      return;
    }
    byte[] name = unitIds.of(slot.unit(), slot.unitLength());
    byte[] history = admission.admit(histories.get(name), releaser.round() + 1);
    if (history == null) {
      slot.verdict(Verdict.NOT_ADMITTED);
    } else {
      histories.put(name, history);
    }
  }

  /** Closes a full round: exact sum, noise, new weights, cost. */
  public Round close() {
    if (exhausted) {
      throw new IllegalStateException("the budget is spent; no further round may close");
    }
    int generation = plan.generations().of(releaser.round() + 1);
    if (releaser.round() > 0 && generation > plan.generations().of(releaser.round())) {
      anchor = weights.clone();
    }
    NoisySum answer = releaser.release(sum, metricsSum(), weights, content.state(), generation);
    plan.optimizer().tell(answer, anchor, weights);
    String keyId = releaser.key().id();
    long round = releaser.round();
    exhausted = !account.allows(plan.budget(), round + 1);
    begin(keys.ofRound(round + 1));
    return new Round(
        round, weights.clone(), guarantee(round), exhausted, generation, keyId, metrics(round));
  }

  private Optional<NoisyMetrics> metrics(long round) {
    if (metrics == null || round % plan.metrics().window() != 0 && !exhausted) {
      return Optional.empty();
    }
    long first = (round - 1) / plan.metrics().window() * plan.metrics().window() + 1;
    long rounds = round - first + 1;
    return Optional.of(new NoisyMetrics(
        first,
        round,
        Math.multiplyExact(rounds, plan.batch()),
        plan.metrics().lossBound(),
        releaser.window(),
        Math.sqrt(rounds) * plan.metrics().sigma()));
  }

  private Guarantee guarantee(long round) {
    double mu = account.mu(round);
    if (mu != guaranteeMu) { // of a tree it changes at powers of two only
      guarantee = account.guarantee(round);
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
  public ModelState state() {
    return new ModelState(releaser.state(), anchor.clone());
  }

  /**
   * The same without a copy: its pages can be read until the next round closes.
   *
   * @param pageBytes about the size of a page
   */
  public ModelState view(int pageBytes) {
    return new ModelState(releaser.view(pageBytes), anchor);
  }

  /**
   * Writes the open round, encrypted: what has changed since the last time.
   *
   * @param place where it stands in the log; it can be opened with the same bytes only
   * @param table the pages of the last time
   * @param pageBytes about the size of a page
   * @return what opens it again, together with the pages
   */
  public byte[] sealOpen(byte[] place, PageTable table, int pageBytes) {
    return releaser.seal(sum, metricsSum(), content.state(), place, table, pageBytes);
  }

  /** The current weights; the learner keeps no reference to them. */
  public double[] weights() {
    return weights.clone();
  }
}
