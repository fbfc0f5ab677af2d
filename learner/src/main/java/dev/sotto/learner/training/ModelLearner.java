package dev.sotto.learner.training;

import dev.sotto.learner.accounting.PrivacyAccountant;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.key.RunName;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.participation.UnitHistories;
import dev.sotto.learner.range.NumberRange;
import dev.sotto.learner.release.PageTable;
import dev.sotto.learner.release.Releaser;
import dev.sotto.learner.release.ReleaserState;
import java.util.List;
import java.util.Optional;

/**
 * One model as it learns: slots go in, one at a time; every B slots a round closes and gives new
 * weights. The same slots under the same plan, key, model id and label give the same bits, wherever
 * they run.
 *
 * <p>When the budget is spent it closes no further round: slots are counted and forgotten; likewise
 * where the range of its label should be measured, and none was found. Not safe for use by several
 * threads.
 */
public final class ModelLearner {
  private final Plan plan;
  private final PrivacyAccountant account;
  private final RoundReport report;
  private final CoveredRounds covered;
  private final ModelKeys keys;
  private final long queriesPerRound;
  private final OpenVersion version;
  private Releaser releaser; // null, like all that has large arrays, once they are given up
  private CurrentRound open;
  private boolean exhausted;

  private ModelLearner(LearnerParts parts) {
    this.plan = parts.plan();
    this.account = plan.account();
    this.report = new RoundReport(plan, account);
    this.keys = parts.run().keys();
    this.releaser = parts.releaser();
    this.queriesPerRound = plan.queriesPerRound();
    this.version = parts.version();
    this.open = new CurrentRound(parts);
    if (version.windowRound() > releaser.round()) {
      releaser.beginWindow();
    }
    open.begin(nextKey());
    releaser.resumeRound(openQuery() - 1);
    this.covered = new CoveredRounds(account, plan.budget());
    this.exhausted = endsHere();
  }

  private boolean endsHere() {
    return !covered.covers(releaser.round() + 1) || open.lacksLabel();
  }

  /**
   * {@link #start(Plan, NoiseKey, String, String, UnitHistories)} where every record is a unit of
   * its own.
   */
  public static ModelLearner start(Plan plan, NoiseKey key, String modelId, String label) {
    return start(plan, key, modelId, label, null);
  }

  /**
   * A model before its first round, of a run that no application publishes.
   *
   * @param histories of this model's units; null where every record is a unit of its own
   */
  public static ModelLearner start(
      Plan plan, NoiseKey key, String modelId, String label, UnitHistories histories) {
    return start(plan, ModelKeys.of(key), modelId, RunName.ofNoApplication(label), histories);
  }

  /**
   * A model before its first round.
   *
   * @param keys that may have been rotated
   * @param histories of this model's units; null where every record is a unit of its own
   */
  public static ModelLearner start(
      Plan plan, ModelKeys keys, String modelId, RunName name, UnitHistories histories) {
    return new ModelLearner(LearnerParts.start(plan, keys, modelId, name, histories));
  }

  /**
   * {@link #resume(Plan, NoiseKey, String, String, ModelState, UnitHistories)}, every record a unit
   * of its own.
   */
  public static ModelLearner resume(
      Plan plan, NoiseKey key, String modelId, String label, ModelState state) {
    return resume(plan, key, modelId, label, state, null);
  }

  /** The model of a run that no application publishes, as it was after some round. */
  public static ModelLearner resume(
      Plan plan,
      NoiseKey key,
      String modelId,
      String label,
      ModelState state,
      UnitHistories histories) {
    return resume(
        plan, ModelKeys.of(key), modelId, RunName.ofNoApplication(label), state, histories);
  }

  /**
   * A model as it was after some round, with the open round empty; the histories must be those of
   * that time.
   */
  public static ModelLearner resume(
      Plan plan,
      ModelKeys keys,
      String modelId,
      RunName name,
      ModelState state,
      UnitHistories histories) {
    return new ModelLearner(LearnerParts.resume(plan, keys, modelId, name, state, histories));
  }

  /** Goes on with an open round that {@link #sealOpen} wrote at this very state and place. */
  public void resumeOpen(byte[] head, byte[] place, PageTable table) {
    open.resume(head, place, table);
  }

  /** The key of the next round: all rounds of a version have that of its first. */
  private NoiseKey nextKey() {
    return version.keyId().isEmpty()
        ? keys.ofRound(releaser.round() + 1)
        : keys.key().ofId(version.keyId());
  }

  /**
   * The seed of the open query's secret coins, or of the perturbations of its path; empty where it
   * has neither. That of coins covers the content of the whole block, and may be seen.
   */
  public byte[] coinSeed() {
    return open.coinSeed();
  }

  /** Makes a slot a null slot where the loss has no meaning for its label. */
  public static void admit(Slot slot, Objective objective) {
    if (slot.status() == RecordStatus.USED && !objective.admits(slot.example().label())) {
      slot.status(RecordStatus.WRONG_TYPE);
    }
  }

  /**
   * Fills one slot of the open round; {@link #close} must follow as soon as this returns true. A
   * record whose unit may not contribute becomes a null slot: its status says so afterwards.
   *
   * @param appended when the broker appended the record, in milliseconds since 1970; 0 or below
   *     where that is not known
   * @return whether the round is now full
   */
  public boolean fill(Slot slot, long appended) {
    version.slotAt(appended);
    return fill(slot);
  }

  /** {@link #fill(Slot, long)} of a record without a log time. */
  public boolean fill(Slot slot) {
    if (exhausted) {
      return false;
    }
    open.fill(slot);
    return isRoundFull();
  }

  /** Answers the open query where it is full; whether it is the last of its round, and waits. */
  private boolean isRoundFull() {
    if (!open.isFull() || isLastQuery()) {
      return open.isFull();
    }
    answerQuery();
    return false;
  }

  /** Whether the open query is the last of its round, so that {@link #close} is what follows. */
  public boolean isLastQuery() {
    return open.isLast();
  }

  /**
   * Answers the open query of a block, which must be full and not be the last, and opens the next;
   * for who {@link #merge}s parts, since {@link #fill} does it.
   */
  public void answerQuery() {
    if (isLastQuery() || !open.isFull()) {
      throw new IllegalStateException("query " + openQuery() + " of round " + (releaser.round() + 1)
          + " is not full, or the last of its round");
    }
    open.answer();
    version.closed(keyId());
    open.begin(releaser.key());
  }

  /**
   * Fills a number of slots of the open round whose offsets hold no record; {@link #fill} says what
   * follows.
   */
  public boolean fillAbsent(long count) {
    if (exhausted) {
      return false;
    }
    open.fillAbsent(count);
    return isRoundFull();
  }

  /**
   * Takes over a part of the open round from a {@link PartialSumLearner}; {@link #close} must
   * follow as soon as this returns true.
   *
   * @param place with which it was sealed
   * @throws IllegalStateException where the part is damaged, or belongs elsewhere
   * @throws IllegalArgumentException where units have histories: a part holds no units any more;
   *     or where the order of slots matters
   */
  public boolean merge(byte[] sealed, byte[] place) {
    return !exhausted && open.merge(sealed, place, version.keyId());
  }

  /**
   * The query of the open round, or of one of the rounds that may be worked at while it is open: as
   * many as the plan's lag. Where rounds are blocks, of the open query: its number in the whole
   * run.
   */
  public GradientQuery queryOf(long round) {
    return open.queryOf(round);
  }

  /**
   * The name of the noise key under which a round is to be opened for learners of its parts, of a
   * plan whose versions do not depend on log time.
   *
   * @param before that of the round before it
   */
  public String keyIdOf(long round, String before) {
    long of = plan.roundOf(round);
    boolean begins = (round - 1) % plan.queriesPerRound() == 0 && plan.beginsVersion(of);
    return begins ? keys.ofRound(of).id() : before;
  }

  /** The name of the noise key of the open round. */
  public String keyId() {
    return releaser.key().id();
  }

  /** Closes a full round: exact sum, noise, new weights; where it ends a version, their cost. */
  public ClosedRound close() {
    if (exhausted) {
      throw new IllegalStateException(
          "no further round may close: the budget is spent, or " + RangeSettings.NO_RANGE_OF_LABEL);
    }
    int generation = open.generation();
    open.close();
    long round = releaser.round();
    String keyId = keyId();
    exhausted = endsHere();
    version.closed(keyId);
    Optional<ClosedVersion> ended =
        version.endsWith(round, exhausted) ? Optional.of(endVersion(round)) : Optional.empty();
    open.begin(nextKey());
    return new ClosedRound(new ClosedRound.Facts(round, generation, keyId, exhausted), ended);
  }

  private ClosedVersion endVersion(long round) {
    Optional<NoisyMetrics> metrics = Optional.empty();
    if (version.endsWindow(round, exhausted)) {
      metrics = Optional.of(report.metrics(releaser, version.windowRound()));
      releaser.beginWindow();
      version.nextWindow(round);
    }
    long first = version.firstRound();
    version.next(round);
    return new ClosedVersion(
        first, open.weights().clone(), open.ranges(), report.guarantee(round), metrics);
  }

  /** Whether some round of the open version is closed. */
  public boolean isInVersion() {
    return !version.keyId().isEmpty();
  }

  /** Goes on at the log time of a checkpoint, which {@link #version} gave. */
  public void resumeAt(long since, long time) {
    version.at(since, time);
  }

  /** The open version. */
  public VersionState version() {
    return version.state();
  }

  /** Rounds closed so far. */
  public long round() {
    return releaser.round();
  }

  /**
   * The place in its round of the slot that is to be filled next, from 0. It grows by one with
   * every slot, unless the algorithm reads the slots of a block again: then it goes back to one
   * that the caller has filled before, and the same slots follow.
   */
  public long nextSlot() {
    return open.next();
  }

  /**
   * Whether another pass over the block, or over a part of it, begins: {@link #nextSlot} lies
   * further back than the slot that was filled last.
   */
  public boolean goesBack() {
    return open.goesBack();
  }

  /** Queries that were answered in the whole run: rounds, where each is one query. */
  public long answered() {
    return releaser.round() * queriesPerRound + openQuery() - 1;
  }

  /** The query of its block that is open, from 1; 1 where a round is one query. */
  public long openQuery() {
    return open.number();
  }

  /**
   * How many slots of the open block have been kept out for all its passes: they are part of {@link
   * #state()}, also those of the open query.
   */
  public int refusals() {
    return open.refusals();
  }

  /**
   * Whether the budget covers the round of a query, open or one of those that may be worked at
   * while it is: no other round is opened for workers.
   *
   * @param query counted through the whole run, from 1
   */
  public boolean covers(long query) {
    return !exhausted && covered.covers(plan.roundOf(query));
  }

  /** Slots filled in the open round, or in the open query of a block. */
  public long openSlots() {
    return open.slots();
  }

  /**
   * Whether nothing more is learned, so that slots are counted alone: the budget is spent, or the
   * label has no range.
   */
  public boolean isExhausted() {
    return exhausted;
  }

  /** 16 bytes that name this run. */
  public byte[] runId() {
    return open.runId().clone();
  }

  /** The running digest: inside the trust boundary. */
  public byte[] digest() {
    return releaser.digest();
  }

  /** The state after the last closed round. */
  public ModelState state() {
    return state(releaser.state());
  }

  private ModelState state(ReleaserState release) {
    return new ModelState(
        release, open.iterates(), version.state(), open.refused(), open.rangeState());
  }

  /**
   * The same without a copy, for whoever keeps one state after the other: its pages can be read
   * until the next round closes.
   *
   * @param pageBytes about the size of a page
   * @param redraw the most rounds whose noise a reader shall draw again, on top of the mechanism's
   *     state that was given out last, or from which this learner went on, or of none
   * @param noiseStored whether that state is stored; it is then left out ({@link
   *     ReleaserState#noise})
   */
  public ModelState checkpoint(int pageBytes, int redraw, boolean noiseStored) {
    return state(releaser.checkpoint(pageBytes, redraw, noiseStored));
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
    return open.seal(place, table, pageBytes);
  }

  /**
   * Leaves large arrays to the next learner of this thread. This one is of no use afterwards: it
   * has them no more, and fails.
   */
  public void recycle() {
    releaser.recycle();
    open.recycle();
    releaser = null;
    open = null;
  }

  /**
   * The noisy counts of a stage of ranges that ended with the last round; none elsewhere. They are
   * for audits: what is published are the ranges.
   */
  public double[] noisyCounts() {
    return releaser.counts().orElseGet(() -> new double[0]);
  }

  /** The ranges of numbers without bounds; none before they are known. */
  public List<NumberRange> ranges() {
    return open.ranges();
  }

  /** The current weights; the learner keeps no reference to them. */
  public double[] weights() {
    return open.weights().clone();
  }
}
