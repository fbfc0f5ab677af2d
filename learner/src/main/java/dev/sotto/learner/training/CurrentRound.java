package dev.sotto.learner.training;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.optimizer.OptimizerState;
import dev.sotto.learner.range.NumberRange;
import dev.sotto.learner.release.FullQuery;
import dev.sotto.learner.release.PageTable;
import dev.sotto.learner.release.PartialSumSeal;
import dev.sotto.learner.release.Releaser;
import java.util.List;
import java.util.Optional;

/**
 * The round of a model that is open: its slots are decided on and summed for the open query, whose
 * noisy answer moves the optimizer. A round is a block of one query at least. It knows no budget
 * of the run and no versions.
 */
final class CurrentRound {
  private static final byte[] NO_SEED = {};

  private final Plan plan;
  private final Objective objective;
  private final byte[] runId;
  private final ModelKeys keys;
  private final Releaser releaser;
  private final RoundSum sum;
  private final Optional<UnitAdmission> admission; // of units with histories
  private final OptimizerState optimizer;
  private final AskedQueries queries;
  private final OpenBlock block;
  private final RangeMeasurement ranges; // of numbers without bounds
  private final long queriesPerRound;
  private boolean isFirstOfUnit; // of the slot at hand: no other of its unit was admitted before

  CurrentRound(LearnerParts parts) {
    this.plan = parts.plan();
    this.objective = plan.objective();
    this.runId = parts.run().id();
    this.keys = parts.run().keys();
    this.releaser = parts.releaser();
    this.sum = new RoundSum(plan, runId);
    this.admission = parts.admission();
    this.optimizer = parts.learned().state();
    this.queries = parts.learned().queries();
    this.block = parts.learned().block();
    this.ranges = parts.learned().ranges();
    this.queriesPerRound = plan.queriesPerRound();
  }

  /** Asks the next query, under a key. */
  void begin(NoiseKey key) {
    if (!key.id().equals(releaser.key().id())) {
      releaser.use(key);
    }
    byte[] seed = coinSeed();
    long answered = releaser.round() * queriesPerRound + block.number() - 1;
    sum.begin(queries.open(answered + 1, seed).with(ranges.found()), opening(key, seed));
  }

  private SlotSums.Opening opening(NoiseKey key, byte[] seed) {
    double factor = plan.ranges().factor(releaser.round() + 1);
    return new SlotSums.Opening(key, seed, block.number(), block.querySlots(), factor);
  }

  /** Goes on with the slots that {@link #seal} wrote. */
  void resume(byte[] head, byte[] place, PageTable table) {
    byte[] slots =
        releaser.unseal(head, place, table, sum.sum(), sum.metricsSum(), ranges.counts());
    sum.goOn(opening(releaser.key(), coinSeed()), slots);
    block.resume(sum.slots());
  }

  /** {@link ModelLearner#coinSeed}. */
  byte[] coinSeed() {
    return plan.drawsBesideNoise(block.number()) ? releaser.coinSeed(block.number()) : NO_SEED;
  }

  /** Fills one slot; one whose unit may not contribute becomes a null slot. */
  void fill(Slot slot) {
    ModelLearner.admit(slot, objective);
    isFirstOfUnit = admission.isEmpty();
    boolean refused = admission.isPresent() && refuses(slot);
    ranges.fill(slot, isFirstOfUnit);
    sum.add(slot);
    block.filled(refused);
  }

  /**
   * Whether a slot stays empty; what was decided first holds for every pass, also of a record that
   * could not be read then and can be now: its unit was not charged. A record with owners is
   * charged to them whether or not it can be learned from.
   */
  private boolean refuses(Slot slot) {
    if (slot.status() != RecordStatus.USED && slot.owners() == 0) {
      return true;
    }
    if (block.isNew()) {
      isFirstOfUnit = admission.get().admit(slot, releaser.round() + 1);
    } else if (block.wasRefused() && slot.status() == RecordStatus.USED) {
      slot.status(RecordStatus.NOT_ADMITTED);
    }
    return slot.status() != RecordStatus.USED;
  }

  /** Fills a number of slots whose offsets hold no record. */
  void fillAbsent(long count) {
    ranges.fillAbsent(count);
    sum.addAbsent(count);
    block.filled(count);
  }

  /**
   * {@link ModelLearner#merge}.
   *
   * @param versionKey of the rounds of its version before; empty where it is the first
   */
  boolean merge(byte[] sealed, byte[] place, String versionKey) {
    PartialSumLearner.checkParts(plan);
    if (admission.isPresent()) {
      throw new IllegalArgumentException("participation \""
          + plan.participation().describe() + "\" is bounded where slots are filled, not in parts");
    }
    takeKeyOf(sealed, versionKey);
    PartialSumSeal seal = new PartialSumSeal(keys.key(), runId);
    sum.mergeContent(
        seal.open(sealed, sum.partSum(), sum.metricsSum(), ranges.counts(), sum.asked(), place));
    return sum.isFull();
  }

  /** A part may have been made under an older key, where the key was rotated since. */
  private void takeKeyOf(byte[] sealed, String versionKey) {
    String madeUnder = PartialSumSeal.keyId(sealed);
    if (madeUnder.equals(releaser.key().id())) {
      return;
    }
    if (sum.slots() > 0) {
      throw new IllegalStateException(
          "the parts of round " + (releaser.round() + 1) + " were made under different noise keys");
    }
    if (!versionKey.isEmpty()) {
      throw new IllegalStateException("a part of round " + (releaser.round() + 1)
          + " was made under the noise key " + madeUnder + ", but its version was begun under "
          + versionKey);
    }
    if (!keys.key().holds(madeUnder)) {
      throw new IllegalStateException("a part of round " + (releaser.round() + 1)
          + " was made under the unknown noise key " + madeUnder + ", or is damaged");
    }
    begin(keys.key().ofId(madeUnder)); // the round was opened before the key was rotated
  }

  /** Releases the sum of the open query, which must be full, and tells the optimizer. */
  void answer() {
    FullQuery.Place place = new FullQuery.Place(generation(), block.number(), block.isLast());
    releaser
        .answer(new FullQuery(
            sum.sum(),
            sum.metricsSum(),
            sum.query().points(),
            sum.content(),
            place,
            ranges.endingWith(releaser.round() + 1)))
        .ifPresentOrElse(optimizer::tell, optimizer::unanswered);
    block.answered();
    if (optimizer.query() != block.number()) {
      throw new IllegalStateException("the algorithm asks query " + optimizer.query()
          + " of its block where query " + block.number() + " is next");
    }
  }

  /** Answers the last query. */
  void close() {
    answer();
    ranges.closed(releaser.round(), releaser.counts());
    if (plan.generations().within(releaser.round() + 1) == 1) {
      optimizer.restart();
    }
    queries.closed();
  }

  /** The generation that it belongs to. */
  int generation() {
    return plan.generations().of(releaser.round() + 1);
  }

  /** {@link ModelLearner#queryOf}. */
  GradientQuery queryOf(long round) {
    return queries.of(round).with(ranges.found());
  }

  /** The open query, from 1. */
  long number() {
    return block.number();
  }

  /** Whether the round ends with the open query. */
  boolean isLast() {
    return block.isLast();
  }

  /** {@link ModelLearner#nextSlot}. */
  long next() {
    return block.next();
  }

  /** {@link ModelLearner#goesBack}. */
  boolean goesBack() {
    return sum.slots() == 0 && block.goesBack();
  }

  /** Slots filled for the open query. */
  long slots() {
    return sum.slots();
  }

  /** Whether all slots of the open query are filled. */
  boolean isFull() {
    return sum.isFull();
  }

  /** {@link ModelLearner#refusals}. */
  int refusals() {
    return block.refusals();
  }

  /** {@link OpenBlock#refused}. */
  byte[] refused() {
    return block.refused();
  }

  /** 16 bytes; not to be changed. */
  byte[] runId() {
    return runId;
  }

  /** What is published: a buffer that the next answer changes. */
  double[] weights() {
    return optimizer.weights();
  }

  /** Whether nothing can be learned, since the label has no range. */
  boolean lacksLabel() {
    return ranges.lacksLabel();
  }

  /** {@link ModelLearner#ranges}. */
  List<NumberRange> ranges() {
    return ranges.ranges();
  }

  /** What a restart needs to go on with the ranges. */
  byte[] rangeState() {
    return ranges.state(releaser);
  }

  /** The vectors that a restart needs. */
  double[] iterates() {
    return queries.after(optimizer.iterates());
  }

  /** {@link ModelLearner#sealOpen}. */
  byte[] seal(byte[] place, PageTable table, int pageBytes) {
    return releaser.seal(
        sum.sum(), sum.metricsSum(), ranges.counts(), sum.content(), place, table, pageBytes);
  }

  /** Leaves large arrays to the next round of this thread; no use afterwards. */
  void recycle() {
    sum.recycle();
    optimizer.recycle();
    queries.recycle();
  }
}
