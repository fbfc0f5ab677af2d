package dev.sotto.learner.round;

import dev.sotto.learner.example.Slot;
import dev.sotto.learner.example.Verdict;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.optim.Course;
import dev.sotto.learner.release.Metering;
import dev.sotto.learner.release.NoiseKey;
import dev.sotto.learner.release.NoisySum;
import dev.sotto.learner.release.PageTable;
import dev.sotto.learner.release.PartSeal;
import dev.sotto.learner.release.Releaser;
import dev.sotto.learner.release.UnitIds;
import dev.sotto.learner.unit.Admission;
import dev.sotto.learner.unit.UnitHistories;
import java.util.Arrays;

/**
 * One model as it learns: slots go in, one at a time; every B slots a round closes and gives new weights.
 * The same slots under the same plan, key, model id and label give the same bits, wherever they run.
 *
 * <p>When the budget is spent it closes no further round: slots are counted and forgotten. Not safe for use
 * by several threads.
 */
public final class ModelLearner {
  private final Plan plan;
  private final Objective objective;
  private final Account account;
  private final RoundFigures figures;
  private final byte[] runId;
  private final Releaser releaser;
  private final RoundSum open;
  private final ModelKeys keys;
  private final Admission admission; // null where every record is a unit of its own
  private final UnitIds unitIds;
  private final UnitHistories histories;
  private final Course course;
  private final Questions questions;
  private boolean exhausted;

  private ModelLearner(
      Plan plan,
      ModelKeys keys,
      byte[] runId,
      Releaser releaser,
      Course course,
      Questions questions,
      UnitHistories histories) {
    this.plan = plan;
    this.objective = plan.objective();
    this.account = plan.account();
    this.figures = new RoundFigures(plan, account);
    this.runId = runId;
    this.releaser = releaser;
    this.course = course;
    this.questions = questions;
    this.open = new RoundSum(plan, runId);
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
    Course course = plan.optimizer().start(plan.start());
    Releaser releaser = Releaser.start(
        plan.lattice(),
        plan.mechanism(),
        plan.sigma(),
        metering(plan),
        keys.origin(),
        runId,
        fingerprint,
        course.weights());
    Questions questions = Questions.start(plan, course);
    return new ModelLearner(plan, keys, runId, releaser, course, questions, histories);
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
    long round = releaser.round();
    if (round == 0) {
      Course first = plan.optimizer().start(plan.start());
      return new ModelLearner(
          plan, keys, runId, releaser, first, Questions.start(plan, first), histories);
    }
    double[] iterates = state.iterates();
    int own = iterates.length - Questions.kept(plan, round) * plan.dimension();
    if (own < 0) {
      throw new IllegalArgumentException("the state holds too few vectors for this algorithm: "
          + iterates.length + " numbers for " + plan.dimension() + " weights");
    }
    Course course = plan.optimizer()
        .resume(
            plan.dimension(),
            Arrays.copyOf(iterates, own),
            beginsGeneration(plan, round + 1) ? null : releaser.latest());
    Questions questions = Questions.resume(plan, course, round, iterates);
    return new ModelLearner(plan, keys, runId, releaser, course, questions, histories);
  }

  private static boolean beginsGeneration(Plan plan, long round) {
    return plan.generations().within(round) == 1;
  }

  private static Metering metering(Plan plan) {
    return plan.metrics() == null ? null : plan.metrics().metering(plan.batch());
  }

  /** Goes on with an open round that {@link #sealOpen} wrote at this very state and place. */
  public void resumeOpen(byte[] head, byte[] place, PageTable table) {
    byte[] slots = releaser.unseal(head, place, table, open.sum(), open.metricsSum());
    open.goOn(releaser.key(), slots);
  }

  private void begin(NoiseKey key) {
    if (!key.id().equals(releaser.key().id())) {
      releaser.use(key);
    }
    open.begin(questions.of(releaser.round() + 1), key);
  }

  /** Makes a slot a null slot where the loss has no meaning for its label. */
  public static void admit(Slot slot, Objective objective) {
    if (slot.verdict() == Verdict.USED && !objective.admits(slot.example().label())) {
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
    admit(slot, objective);
    if (admission != null) {
      admitUnit(slot);
    }
    open.add(slot);
    return open.isFull();
  }

  /** Fills so many slots of the open round whose offsets hold no record; {@link #fill} says what follows. */
  public boolean fillAbsent(long count) {
    if (exhausted) {
      return false;
    }
    open.addAbsent(count);
    return open.isFull();
  }

  /**
   * Takes over a part of the open round from a {@link PartLearner}; {@link #close} must follow as soon as this returns
   * true.
   *
   * @param place with which it was sealed
   * @throws IllegalStateException where the part is damaged, or belongs elsewhere
   * @throws IllegalArgumentException where units have histories: a part holds no units any more
   */
  public boolean merge(byte[] sealed, byte[] place) {
    if (admission != null) {
      throw new IllegalArgumentException("participation \""
          + plan.participation().describe() + "\" is bounded where slots are filled, not in parts");
    }
    if (exhausted) {
      return false;
    }
    String madeUnder = PartSeal.keyId(sealed);
    if (!madeUnder.equals(releaser.key().id())) {
      if (open.slots() > 0) {
        throw new IllegalStateException("the parts of round " + (releaser.round() + 1)
            + " were made under different noise keys");
      }
      if (!keys.key().holds(madeUnder)) {
        throw new IllegalStateException("a part of round " + (releaser.round() + 1)
            + " was made under the unknown noise key " + madeUnder + ", or is damaged");
      }
      begin(keys.key().ofId(madeUnder)); // the round was opened before the key was rotated
    }
    PartSeal seal = new PartSeal(keys.key(), runId);
    open.mergeContent(seal.open(sealed, open.sum(), open.metricsSum(), open.asked(), place));
    return open.isFull();
  }

  /** What the open round asks, or one of the rounds that may be worked at while it is open: as many as the plan's lag. */
  public Question question(long round) {
    return questions.of(round);
  }

  /** The name of the noise key under which a round is to begin. */
  public String keyIdOf(long round) {
    return keys.ofRound(round).id();
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
    NoisySum answer = releaser.release(
        open.sum(), open.metricsSum(), open.question().points(), open.content(), generation);
    course.tell(answer);
    long round = releaser.round();
    if (beginsGeneration(plan, round + 1)) {
      course.restart();
    }
    questions.closed(course);
    String keyId = releaser.key().id();
    exhausted = !account.allows(plan.budget(), round + 1);
    begin(keys.ofRound(round + 1));
    return new Round(
        round,
        course.weights().clone(),
        figures.guarantee(round),
        exhausted,
        generation,
        keyId,
        figures.metrics(releaser, exhausted));
  }

  /** Rounds closed so far. */
  public long round() {
    return releaser.round();
  }

  /** Slots filled in the open round. */
  public long openSlots() {
    return open.slots();
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
    return new ModelState(releaser.state(), questions.after(course.iterates()));
  }

  /**
   * The same without a copy: its pages can be read until the next round closes.
   *
   * @param pageBytes about the size of a page
   */
  public ModelState view(int pageBytes) {
    return new ModelState(releaser.view(pageBytes), questions.after(course.iterates()));
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
    return releaser.seal(open.sum(), open.metricsSum(), open.content(), place, table, pageBytes);
  }

  /** The current weights; the learner keeps no reference to them. */
  public double[] weights() {
    return course.weights().clone();
  }
}
