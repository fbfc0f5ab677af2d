package dev.sotto.learner.training;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.range.NumberRange;
import dev.sotto.learner.range.RangeStage;
import dev.sotto.learner.range.RangeWindow;
import dev.sotto.learner.range.UnboundedNumbers;
import dev.sotto.learner.release.FullQuery;
import dev.sotto.learner.release.RangeCounts;
import dev.sotto.learner.release.Releaser;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The ranges of one model's numbers without bounds: inside of the window it counts, behind it the
 * ranges are fixed. It brings every example to its final form, in and behind the window. Where a
 * round is summed in parts, each part counts for itself, in the bins that the model says.
 */
final class RangeMeasurement {
  private static final int BYTES_OF_A_RANGE = 1 + 2 * Double.BYTES;

  private final UnboundedNumbers numbers;
  private final Optional<RangeWindow> window;
  private final Optional<RangeCounts> counts;
  private final long batch;
  private final int[] bins;
  private NumberRange[] found; // by the stages so far
  private List<NumberRange> ranges; // in force: none inside of the window
  private Optional<RangeStage> stage = Optional.empty();

  private RangeMeasurement(RangeSettings settings, long batch) {
    this.numbers = settings.numbers();
    this.window = settings.measuring();
    this.counts = window.map(each -> new RangeCounts(numbers.ranges(), each.sigma()));
    this.batch = batch;
    this.bins = new int[numbers.ranges()];
    this.found = new NumberRange[numbers.ranges()];
    Arrays.fill(found, NumberRange.UNKNOWN);
    this.ranges = settings.known();
  }

  /** Before the first round of a plan. */
  static RangeMeasurement start(Plan plan) {
    RangeMeasurement start = new RangeMeasurement(plan.ranges(), plan.batch());
    start.open(1);
    return start;
  }

  /** Of a part of any round: {@link #beginPart} says of which. */
  static RangeMeasurement ofParts(Plan plan) {
    return new RangeMeasurement(plan.ranges(), plan.batch());
  }

  /**
   * Begins a part of a round, which may be as large as the round.
   *
   * @param known {@link #found} by the model before that round
   */
  void beginPart(long round, List<NumberRange> known) {
    if (window.isEmpty()) {
      return;
    }
    if (known.size() != found.length) {
      throw new IllegalStateException("round " + round + " must tell the ranges of " + found.length
          + " numbers, but tells " + known.size());
    }
    known.toArray(found);
    stage = window.get().stage(round);
    ranges = stage.isEmpty() ? known : List.of();
    stage.ifPresent(each -> counts.get().open(each.bins(), batch));
  }

  /** What the stages so far have shown, or ranges that are fixed; none without a window. */
  List<NumberRange> found() {
    return window.isEmpty() ? List.of() : List.of(found);
  }

  /** As it was after some round. */
  static RangeMeasurement resume(Plan plan, Releaser releaser, byte[] state) {
    RangeMeasurement resumed = new RangeMeasurement(plan.ranges(), plan.batch());
    if (resumed.window.isPresent()) {
      if (state.length == 0 && releaser.round() == 0) {
        return start(plan);
      }
      resumed.restore(releaser, ByteBuffer.wrap(state));
    }
    return resumed;
  }

  private void restore(Releaser releaser, ByteBuffer state) {
    for (int i = 0; i < found.length; i++) {
      NumberRange.State of = NumberRange.State.values()[state.get()];
      found[i] = new NumberRange(of, state.getDouble(), state.getDouble());
    }
    stage = window.get().stage(releaser.round() + 1);
    if (stage.isEmpty()) {
      ranges = List.of(found);
    } else {
      byte[] sealed = new byte[state.remaining()];
      state.get(sealed);
      releaser.unseal(sealed, counts.get());
    }
  }

  /** What {@link #resume} needs after the last round; empty without a window. */
  byte[] state(Releaser releaser) {
    if (window.isEmpty()) {
      return new byte[0];
    }
    byte[] sealed = stage.isEmpty() ? new byte[0] : releaser.seal(counts.get());
    ByteBuffer state = ByteBuffer.allocate(found.length * BYTES_OF_A_RANGE + sealed.length);
    for (NumberRange each : found) {
      state.put((byte) each.state().ordinal()).putDouble(each.lo()).putDouble(each.hi());
    }
    return state.put(sealed).array();
  }

  /** Begins the stage of a round, where one begins with it. */
  private void open(long round) {
    stage = window.flatMap(each -> each.stage(round));
    if (stage.isPresent() && !counts.get().isOpen()) {
      counts.get().open(stage.get().bins(), Math.multiplyExact(window.get().rounds(), batch));
    }
  }

  /** The counts of the stage that is open; empty behind the window. */
  Optional<RangeCounts> counts() {
    return stage.flatMap(each -> counts);
  }

  /** The ranges in force; none before they are known. */
  List<NumberRange> ranges() {
    return Collections.unmodifiableList(ranges);
  }

  /** Whether the window is over, and has shown no range of a label that needs one. */
  boolean lacksLabel() {
    return stage.isEmpty() && !numbers.hasLabels(ranges);
  }

  /**
   * Takes in a slot, and makes its example whole.
   *
   * @param isCounted whether it is the first that its unit was admitted with
   */
  void fill(Slot slot, boolean isCounted) {
    if (stage.isPresent()) {
      if (slot.status() == RecordStatus.USED && isCounted) {
        count(slot.example());
      } else {
        counts.get().addNothing(1);
      }
    }
    if (slot.status() == RecordStatus.USED) {
      numbers.complete(slot.example(), ranges);
    }
  }

  private void count(Example example) {
    for (int i = 0; i < bins.length; i++) {
      bins[i] = stage.get().bin(found[i], numbers.value(example, i));
    }
    counts.get().add(bins);
  }

  /** Takes in slots whose offsets hold no record. */
  void fillAbsent(long count) {
    if (stage.isPresent()) {
      counts.get().addNothing(count);
    }
  }

  /** The counts that are released with a round that is full; empty where no stage ends with it. */
  Optional<FullQuery.Stage> endingWith(long round) {
    return window
        .filter(each -> each.endsStage(round))
        .map(each -> new FullQuery.Stage(counts.get(), stage.get().ordinal() + 1));
  }

  /** A round has closed; where a stage ended with it these are its noisy counts. */
  void closed(long round, Optional<double[]> noisy) {
    if (stage.isEmpty()) {
      return;
    }
    noisy.ifPresentOrElse(this::find, counts.get()::endRound);
    open(round + 1);
    if (stage.isEmpty()) {
      ranges = List.of(found);
    }
  }

  private void find(double[] noisy) {
    for (int i = 0; i < found.length; i++) {
      found[i] = stage.get().range(found[i], noisy, i, window.get().sigma());
    }
  }
}
