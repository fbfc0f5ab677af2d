package dev.sotto.replay;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.range.NumberRange;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.RangeSettings;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.event.ForwardingDecoder;
import java.util.Arrays;
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
  private final Runnable scored;
  private final RangeSettings numbers;
  private final Map<String, List<NumberRange>> measured = new HashMap<>();
  private List<NumberRange> ranges; // in force for the event's model
  private double[] current; // after the newest round of the event's model
  private double[] released; // its newest version; the same array where both are equal
  private long examples;
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
    this.numbers = plan.ranges();
    this.ranges = numbers.known();
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

  long examples() {
    return examples;
  }

  ProgressiveScores.Point point(long rounds, double epsilon) {
    return new ProgressiveScores.Point(
        examples,
        rounds,
        epsilon,
        loss / examples,
        publishedLoss / examples,
        classes ? (double) right / examples : Double.NaN);
  }

  /** A decoder whose events are scored as they are decoded. */
  EventDecoder scoring(EventDecoder decoder) {
    return new Scoring(decoder);
  }

  private void score(Slot slot) {
    double label = slot.example().label();
    numbers.numbers().complete(slot.example(), ranges);
    if (released != current) {
      pass.forward(slot.example(), released);
      publishedLoss += pass.value(label);
    }
    pass.forward(slot.example(), current);
    double value = pass.value(label);
    loss += value;
    if (released == current) {
      publishedLoss += value;
    }
    right += pass.isRight(label) ? 1 : 0;
    examples++;
    scored.run();
  }

  private final class Scoring extends ForwardingDecoder {
    Scoring(EventDecoder decoder) {
      super(decoder);
    }

    @Override
    public RecordStatus decode(byte[] key, byte[] value, Slot into) {
      if (super.decode(key, value, into) == RecordStatus.USED) {
        score(into);
      }
      return into.status();
    }
  }
}
