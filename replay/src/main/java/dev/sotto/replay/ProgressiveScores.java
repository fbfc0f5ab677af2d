package dev.sotto.replay;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.range.NumberRange;
import dev.sotto.learner.training.Plan;
import dev.sotto.replay.cluster.EventListener;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.snapshot.SnapshotAssembler;
import dev.sotto.topology.log.SourceReading;
import dev.sotto.topology.settings.CandidateModels;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import dev.sotto.topology.settings.ModelRouting;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.RoundObserver;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Scores every usable event before it is learned from, with the weights of its model after the
 * newest round and with its newest published version: progressive validation ("test, then train").
 * Not while the range of its label is measured: nobody can predict it then.
 * The figures are exact functions of the data:
 * they stay inside the trust boundary, and no guarantee covers them.
 */
public final class ProgressiveScores implements EventListener {
  private final long every;
  private final Consumer<Point> listener;
  private final SnapshotAssembler assembler = new SnapshotAssembler();
  private final Map<String, ModelScores> byCandidate = new LinkedHashMap<>();
  private final Map<String, Long> roundsOf = new HashMap<>();
  private CandidateModels candidates;
  private final Map<Integer, ModelRouting> routings = new HashMap<>(); // by partition
  private SourceReading reading;
  private ModelIdRule ids;
  private int partitions;
  private long rounds;
  private double epsilon;
  private Map<ByteBuffer, Long> recordsOf; // by unit; null where nobody asks
  private long reported; // the number of examples at the last report

  /**
   * Reports figures from time to time, and at the end.
   *
   * @param every number of scored events between two reports, at least 1
   */
  public ProgressiveScores(long every, Consumer<Point> listener) {
    if (every < 1) {
      throw new IllegalArgumentException("every must be at least 1, but was " + every);
    }
    this.every = every;
    this.listener = listener;
  }

  /** Only the figures at the end. */
  public ProgressiveScores() {
    this(Long.MAX_VALUE, point -> {});
  }

  /**
   * Mean losses over the same examples, in the loss's own unit (nats for a log-loss).
   *
   * @param newest under the weights after the round before each example
   * @param published under the newest published version, which is what readers have
   * @param baseRate of the base rate of the labels before each; NaN where there is none
   */
  public record Losses(double newest, double published, double baseRate) {}

  /**
   * Figures after some events.
   *
   * @param examples scored so far
   * @param rounds closed so far, of all models together
   * @param epsilon the largest of any model
   * @param losses over all examples; NaN where there are none
   * @param accuracy share of right decisions after the round before; NaN where labels are no
   *     classes
   */
  public record Point(long examples, long rounds, double epsilon, Losses losses, double accuracy) {
    /** {@link Losses#newest}. */
    public double loss() {
      return losses.newest();
    }

    /** {@link Losses#published}. */
    public double publishedLoss() {
      return losses.published();
    }

    /** {@link Losses#baseRate}. */
    public double baseRateLoss() {
      return losses.baseRate();
    }
  }

  /**
   * What can be said of all examples together, beside a {@link Point}.
   *
   * @param constantLoss mean loss of the best prediction that is the same for all; NaN where it is
   *     not known
   * @param auc area under the ROC curve, after the round before; NaN unless there are two classes
   * @param rootMeanSquareError of predictions after the round before, in the unit of the label's
   *     field; NaN where labels are classes
   * @param rootMeanSquareErrorOfMean the same of the mean of all labels
   * @param contributed how many were learned from: not those of units that may give no more, nor
   *     those after the end of the budget
   * @param slots how many were filled, by what became of their records: all but {@link
   *     RecordStatus#USED} are empty
   */
  public record Hindsight(
      double constantLoss,
      double auc,
      double rootMeanSquareError,
      double rootMeanSquareErrorOfMean,
      long contributed,
      Map<RecordStatus, Long> slots) {
    /** Of nothing. */
    public static final Hindsight NONE =
        new Hindsight(Double.NaN, Double.NaN, Double.NaN, Double.NaN, 0, Map.of());

    /** All slots, empty ones included: what the ledger counts. */
    public long filled() {
      return slots.values().stream().mapToLong(each -> each).sum();
    }

    /** The empty ones, by what became of their records. */
    public Map<RecordStatus, Long> empty() {
      Map<RecordStatus, Long> empty = new EnumMap<>(RecordStatus.class);
      empty.putAll(slots);
      empty.remove(RecordStatus.USED);
      return empty;
    }
  }

  /** The figures now; of the first where there are several candidates. */
  public Point point() {
    return byCandidate.isEmpty()
        ? new Point(0, rounds, epsilon, new Losses(Double.NaN, Double.NaN, Double.NaN), Double.NaN)
        : first().point(rounds, epsilon);
  }

  /** The figures of each candidate by its name; empty where a model learns alone. */
  public Map<String, Point> candidates() {
    Map<String, Point> all = new LinkedHashMap<>();
    if (byCandidate.size() > 1) {
      byCandidate.forEach((name, each) -> all.put(name, each.point(rounds, epsilon)));
    }
    return all;
  }

  /**
   * How often units came.
   *
   * @param units that sent something
   * @param records that they sent, admitted or not
   * @param most records of one of them
   */
  public record UnitRecords(long units, long records, long most) {}

  /** Counts the records of each unit too: for events that everybody may know. */
  public ProgressiveScores countingUnits() {
    recordsOf = new HashMap<>();
    return this;
  }

  /** How often units came; empty where that is not counted, or no record has a unit. */
  public Optional<UnitRecords> records() {
    return recordsOf == null || recordsOf.isEmpty()
        ? Optional.empty()
        : Optional.of(new UnitRecords(
            recordsOf.size(),
            recordsOf.values().stream().mapToLong(each -> each).sum(),
            recordsOf.values().stream().mapToLong(each -> each).max().orElseThrow()));
  }

  private void count(Slot slot) {
    if (recordsOf != null && slot.unitLength() >= 0) {
      ByteBuffer unit = ByteBuffer.wrap(Arrays.copyOf(slot.unit(), slot.unitLength()));
      recordsOf.merge(unit, 1L, Long::sum);
    }
  }

  /** The rest of the figures; of the first where there are several candidates. */
  public Hindsight hindsight() {
    return byCandidate.isEmpty() ? Hindsight.NONE : first().hindsight();
  }

  /** The same of each candidate by its name; empty where a model learns alone. */
  public Map<String, Hindsight> hindsightOfCandidates() {
    Map<String, Hindsight> all = new LinkedHashMap<>();
    if (byCandidate.size() > 1) {
      byCandidate.forEach((name, each) -> all.put(name, each.hindsight()));
    }
    return all;
  }

  private ModelScores first() {
    return byCandidate.values().iterator().next();
  }

  /** What scores the models of an id. */
  private ModelScores of(String modelId) {
    return candidates.of(modelId).map(one -> byCandidate.get(one.name())).orElseGet(this::first);
  }

  /** Whether a plan's loss is a negative logarithm of a probability. */
  public static boolean isLogLoss(Plan plan) {
    String loss = plan.lossName();
    return loss.equals("logistic") || loss.startsWith("softmax(");
  }

  /** Whether labels are classes or their probabilities, so that a decision can be right. */
  public static boolean isOfClasses(Objective objective) {
    return objective.admits(0)
        && objective.admits(1)
        && !(objective.admits(0.5) && objective.admits(2));
  }

  LearnerSettings over(LearnerSettings settings, int ofPartitions) {
    ids = settings.modelIds();
    reading = SourceReading.of(settings, settings.eventTopic());
    partitions = ofPartitions;
    routings.clear();
    candidates = settings.run().candidates();
    byCandidate.clear();
    candidates
        .all()
        .forEach(each -> byCandidate.put(
            each.name(),
            new ModelScores(
                each.plan(), byCandidate.isEmpty() ? this::scored : ProgressiveScores::silent)));
    return settings
        .withDecoders((each, decoder) -> byCandidate.get(each.name()).scoring(decoder))
        .with(new Rounds());
  }

  private static void silent() {}

  void end() {
    long examples = byCandidate.isEmpty() ? 0 : first().examples();
    if (examples > reported || examples == 0) {
      report();
    }
  }

  /** Finds the model that the event belongs to, where there are several. */
  @Override
  public void taken(int partition, Record<byte[], byte[]> event) {
    if (!ids.isOne()) {
      String model = reading
          .record(0, event.timestamp(), event.key(), event.value(), event.headers())
          .modelBy(routings.computeIfAbsent(partition, each -> ids.routing(each, partitions)));
      List<String> all = candidates.idsOf(model == null ? "" : model);
      int at = 0;
      for (ModelScores each : byCandidate.values()) {
        each.of(all.get(at++));
      }
    }
  }

  /** Takes a version as it is made: what is decoded next is scored under it. */
  @Override
  public void made(String sink, Record<byte[], byte[]> output) {
    if (sink.equals(Names.TO_LEDGER)) {
      LedgerEntry entry = Codecs.LEDGER.decode(output.value());
      Long before = roundsOf.put(entry.modelId(), entry.round());
      rounds += entry.round() - (before == null ? 0 : before);
      epsilon = Math.max(epsilon, entry.guarantee().epsilon());
    } else if (sink.equals(Names.TO_SNAPSHOTS)) {
      assembler.accept(output.key(), output.value()).ifPresent(model -> {
        String modelId = model.manifest().modelId();
        of(modelId).published(modelId, model.weights());
      });
    }
  }

  private final class Rounds implements RoundObserver {
    @Override
    public void closed(String modelId, Supplier<double[]> weights) {
      of(modelId).closed(modelId, weights.get());
    }

    @Override
    public void measured(String modelId, List<NumberRange> ranges) {
      of(modelId).measured(modelId, ranges);
    }

    @Override
    public void filled(String modelId, long round, long place, Slot slot) {
      if (of(modelId).filled(modelId, round, place, slot.status())) {
        count(slot);
      }
    }
  }

  private void scored() {
    if (first().examples() - reported >= every) {
      report();
    }
  }

  private void report() {
    listener.accept(point());
    reported = byCandidate.isEmpty() ? 0 : first().examples();
  }
}
