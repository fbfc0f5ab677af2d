package dev.sotto.replay;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.loss.SingleScore;
import dev.sotto.learner.range.NumberRange;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.RangeSettings;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.event.ForwardingDecoder;
import dev.sotto.serdes.registry.RecordPlace;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Scores events under one plan, with the models that learn under it. */
final class ModelScores {
  private final Map<String, double[]> published = new HashMap<>();
  private final Map<String, double[]> newest = new HashMap<>();
  private final Objective.Pass pass;
  private final double[] start;
  private final boolean classes;
  private final Baseline baseline;
  private final RankedScores ranked; // null where there are not two classes
  private final SquaredErrors errors; // null where labels are classes
  private final double unit; // of a label with bounds: how much 1 is in its field's unit
  private final Loss measuredLoss; // of a label without them
  private final double[] predictions;
  private final Runnable scored;
  private final RangeSettings numbers;
  private final Map<String, List<NumberRange>> measured = new HashMap<>();
  private List<NumberRange> ranges; // in force for the event's model
  private long[] scoredTo = {}; // behind the last offset that was scored, by partition
  private double[] current; // after the newest round of the event's model
  private double[] released; // its newest version; the same array where both are equal
  private long examples;
  private final long[] slots = new long[RecordStatus.values().length]; // by status
  private final boolean again; // whether slots are read more than once
  private final Map<String, BitSet> filled = new HashMap<>(); // places of the open round, by model
  private final Map<String, Long> filledRounds = new HashMap<>();
  private long contributed;
  private boolean taken; // an example was scored, and has filled no slot yet
  private long right;
  private double loss;
  private double publishedLoss;

  /**
   * Scores under a plan.
   *
   * @param scored called after every event
   */
  ModelScores(Plan plan, Runnable scored) {
    this.pass = plan.objective().pass();
    this.start = plan.optimizer().start(plan.start()).weights().clone();
    this.classes = ProgressiveScores.isOfClasses(plan.objective());
    this.scored = scored;
    this.again = plan.queriesPerRound() > 1;
    this.numbers = plan.ranges();
    this.ranges = numbers.known();
    boolean isLogLoss = ProgressiveScores.isLogLoss(plan);
    this.baseline = Baseline.of(plan.objective(), isLogLoss);
    int outputs = plan.objective().outputs();
    this.predictions = new double[outputs];
    this.ranked = isLogLoss && outputs <= 2 ? new RankedScores() : null;
    this.errors = classes || outputs > 1 ? null : new SquaredErrors();
    this.unit = numbers.numbers().ofLabel() ? 1 : SquaredErrors.unit(plan.features());
    this.measuredLoss = plan.objective() instanceof SingleScore single
        ? single.loss()
        : Losses.SQUARED.make(); // of a network
    this.current = start;
    this.released = start;
  }

  /** The next events belong to a model. */
  void of(String modelId) {
    current = newest.getOrDefault(modelId, start);
    released = published.getOrDefault(modelId, start);
    ranges = measured.getOrDefault(modelId, numbers.known());
  }

  /** The ranges of a model's numbers without bounds are known. */
  void measured(String modelId, List<NumberRange> found) {
    ranges = found;
    measured.put(modelId, found);
  }

  /** A round of a model closed. */
  void closed(String modelId, double[] weights) {
    current = weights;
    newest.put(modelId, current);
  }

  /** A version of a model was published. */
  void published(String modelId, double[] weights) {
    double[] latest = newest.get(modelId);
    released = Arrays.equals(weights, latest) ? latest : weights;
    published.put(modelId, released);
  }

  /** A slot of a model has been filled; gives whether for the first time, as only that counts. */
  boolean filled(String modelId, long round, long place, RecordStatus status) {
    contributed += taken && status == RecordStatus.USED ? 1 : 0;
    taken = false;
    boolean first = !again || isFirst(modelId, round, place);
    slots[status.ordinal()] += first ? 1 : 0;
    return first;
  }

  private boolean isFirst(String modelId, long round, long place) {
    long open = filledRounds.getOrDefault(modelId, 0L);
    if (round > open) {
      filledRounds.put(modelId, round);
      filled.put(modelId, new BitSet());
    }
    BitSet places = filled.get(modelId);
    if (round < open || places.get((int) place)) {
      return false;
    }
    places.set((int) place);
    return true;
  }

  private Map<RecordStatus, Long> slots() {
    Map<RecordStatus, Long> byStatus = new EnumMap<>(RecordStatus.class);
    for (RecordStatus each : RecordStatus.values()) {
      if (slots[each.ordinal()] > 0) {
        byStatus.put(each, slots[each.ordinal()]);
      }
    }
    return byStatus;
  }

  long examples() {
    return examples;
  }

  ProgressiveScores.Point point(long rounds, double epsilon) {
    return new ProgressiveScores.Point(
        examples,
        rounds,
        epsilon,
        new ProgressiveScores.Losses(
            loss / examples, publishedLoss / examples, baseline.baseRateSum() / examples),
        classes ? (double) right / examples : Double.NaN);
  }

  ProgressiveScores.Hindsight hindsight() {
    return new ProgressiveScores.Hindsight(
        examples == 0 ? Double.NaN : baseline.bestConstant(),
        ranked == null ? Double.NaN : ranked.area(),
        errors == null ? Double.NaN : errors.root(),
        errors == null ? Double.NaN : errors.rootOfMean(),
        contributed,
        slots());
  }

  /** The loss of the last prediction: of a label whose range was measured, in its own unit. */
  private double value(double label, double given) {
    return numbers.numbers().ofLabel() ? measuredLoss.value(predicted(), given) : pass.value(label);
  }

  /** The last prediction, on the scale of what the decoder gives. */
  private double predicted() {
    if (!numbers.numbers().ofLabel()) {
      return pass.predicted();
    }
    NumberRange range = ranges.get(ranges.size() - 1);
    return range.middle() + (range.hi() - range.lo()) * pass.predicted();
  }

  /** A decoder whose events are scored as they are decoded. */
  EventDecoder scoring(EventDecoder decoder) {
    return new Scoring(decoder);
  }

  private void score(Slot slot) {
    if (!numbers.numbers().hasLabels(ranges)) {
      return; // nobody predicts it yet: its unit is not known
    }
    double given = slot.example().label();
    numbers.numbers().complete(slot.example(), ranges);
    double label = slot.example().label();
    if (released != current) {
      pass.forward(slot.example(), released);
      publishedLoss += value(label, given);
    }
    pass.forward(slot.example(), current);
    double value = value(label, given);
    loss += value;
    if (released == current) {
      publishedLoss += value;
    }
    right += pass.isRight(label) ? 1 : 0;
    baseline.add(given);
    if (errors != null) {
      errors.add(predicted() * unit, given * unit);
    }
    if (ranked != null) {
      pass.predictions(predictions);
      ranked.add(predictions[predictions.length - 1], label >= 0.5);
    }
    examples++;
    taken = true;
    scored.run();
  }

  /** Of one task: what is read again, for another pass or after a pause, is not scored again. */
  private final class Scoring extends ForwardingDecoder {
    private RecordPlace place = RecordPlace.NONE;

    Scoring(EventDecoder decoder) {
      super(decoder);
    }

    @Override
    public void placedBy(RecordPlace newPlace) {
      place = newPlace;
      super.placedBy(newPlace);
    }

    @Override
    public RecordStatus decode(byte[] key, byte[] value, Slot into) {
      if (super.decode(key, value, into) == RecordStatus.USED && isNew()) {
        score(into);
      }
      return into.status();
    }

    private boolean isNew() {
      if (place == RecordPlace.NONE) {
        return true;
      }
      int partition = place.partition();
      long offset = place.offset();
      if (partition >= scoredTo.length) {
        scoredTo = Arrays.copyOf(scoredTo, partition + 1);
      }
      boolean isNew = offset >= scoredTo[partition];
      scoredTo[partition] = Math.max(scoredTo[partition], offset + 1);
      return isNew;
    }
  }
}
