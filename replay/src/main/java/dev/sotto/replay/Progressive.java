package dev.sotto.replay;

import dev.sotto.learner.example.Slot;
import dev.sotto.learner.example.Verdict;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.privacy.LedgerEntry;
import dev.sotto.learner.round.ModelLearner;
import dev.sotto.learner.round.Plan;
import dev.sotto.replay.cluster.EventWatcher;
import dev.sotto.replay.cluster.Outputs;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.snapshot.SnapshotAssembler;
import dev.sotto.topology.LearnerSettings;
import dev.sotto.topology.ModelIds;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Scores every usable event by the newest published version of its model, before it is learned from: progressive
 * ("test, then train") loss and accuracy. Exact figures of the data: inside the trust boundary, and no guarantee covers
 * them.
 */
public final class Progressive implements EventWatcher {
  private final long every;
  private final Consumer<Point> listener;
  private final SnapshotAssembler assembler = new SnapshotAssembler();
  private final Map<String, double[]> weights = new HashMap<>();
  private Plan plan;
  private Objective.Pass pass;
  private ModelIds ids;
  private int partitions;
  private double[] start;
  private double[] current;
  private long rounds;
  private double epsilon;
  private final Sums whole = new Sums();
  private final Sums window = new Sums();

  /**
   * Tells figures after every so many scored events, and at the end.
   *
   * @param every at least 1
   */
  public Progressive(long every, Consumer<Point> listener) {
    if (every < 1) {
      throw new IllegalArgumentException("every must be at least 1, but was " + every);
    }
    this.every = every;
    this.listener = listener;
  }

  /** Only the figures at the end. */
  public Progressive() {
    this(Long.MAX_VALUE, point -> {});
  }

  /**
   * Figures after some events.
   *
   * @param examples scored so far
   * @param rounds closed so far, of all models together
   * @param epsilon the largest that any model has cost
   * @param loss mean over all of them, in the loss's own unit (nats for a log-loss); NaN where there are none
   * @param windowLoss mean over those since the last point
   * @param accuracy share of right decisions; NaN where labels are no classes
   * @param windowAccuracy the same since the last point
   */
  public record Point(
      long examples,
      long rounds,
      double epsilon,
      double loss,
      double windowLoss,
      double accuracy,
      double windowAccuracy) {}

  /** The figures now. */
  public Point point() {
    boolean classes = plan != null && isOfClasses(plan.objective());
    return new Point(
        whole.count,
        rounds,
        epsilon,
        whole.loss(),
        window.loss(),
        classes ? whole.accuracy() : Double.NaN,
        classes ? window.accuracy() : Double.NaN);
  }

  /** Whether labels are classes or their probabilities, so that a decision can be right. */
  public static boolean isOfClasses(Objective objective) {
    return objective.admits(0)
        && objective.admits(1)
        && !(objective.admits(0.5) && objective.admits(2));
  }

  LearnerSettings over(LearnerSettings settings, int ofPartitions) {
    plan = settings.plan();
    pass = plan.objective().pass();
    ids = settings.modelIds();
    partitions = ofPartitions;
    start = plan.optimizer().start(plan.start()).weights().clone();
    current = start;
    Supplier<EventDecoder> decoder = settings.decoder();
    return settings.with(() -> new Scoring(decoder.get()));
  }

  Outputs before(Outputs next) {
    return new Listening(next);
  }

  void end() {
    if (window.count > 0 || whole.count == 0) {
      tell();
    }
  }

  /** Of several models, finds the one that the event belongs to. */
  @Override
  public void taken(int partition, Record<byte[], byte[]> event) {
    if (ids.source() != ModelIds.Source.CONSTANT) {
      Header last = ids.header() == null ? null : event.headers().lastHeader(ids.header());
      byte[] header = last == null ? null : last.value();
      current = ids.modelOf(event.key(), header, partition, partitions)
          .map(id -> weights.getOrDefault(id, start))
          .orElse(start);
    }
  }

  private void score(Slot slot) {
    double label = slot.example().label();
    pass.forward(slot.example(), current);
    double loss = pass.value(label);
    boolean right = pass.isRight(label);
    whole.add(loss, right);
    window.add(loss, right);
    if (window.count >= every) {
      tell();
    }
  }

  private void tell() {
    listener.accept(point());
    window.clear();
  }

  private static final class Sums {
    private long count;
    private long right;
    private double loss;

    void add(double value, boolean isRight) {
      count++;
      loss += value;
      right += isRight ? 1 : 0;
    }

    double loss() {
      return loss / count;
    }

    double accuracy() {
      return (double) right / count;
    }

    void clear() {
      count = 0;
      right = 0;
      loss = 0;
    }
  }

  /** Scores what it has decoded. */
  private final class Scoring implements EventDecoder {
    private final EventDecoder decoder;

    Scoring(EventDecoder decoder) {
      this.decoder = decoder;
    }

    @Override
    public int dimension() {
      return decoder.dimension();
    }

    @Override
    public Verdict decode(byte[] key, byte[] value, Slot into) {
      if (decoder.decode(key, value, into) == Verdict.USED) {
        ModelLearner.admit(into, plan.objective());
        if (into.verdict() == Verdict.USED) {
          score(into);
        }
      }
      return into.verdict();
    }
  }

  private final class Listening implements Outputs {
    private final Outputs next;
    private final Map<String, Long> roundsOf = new HashMap<>();

    Listening(Outputs next) {
      this.next = next;
    }

    @Override
    public void ledger(int partition, String modelId, byte[] entry) {
      LedgerEntry decoded = Codecs.LEDGER.decode(entry);
      Long before = roundsOf.put(modelId, decoded.round());
      rounds += decoded.round() - (before == null ? 0 : before);
      epsilon = Math.max(epsilon, decoded.guarantee().epsilon());
      next.ledger(partition, modelId, entry);
    }

    @Override
    public void snapshot(int partition, String key, byte[] value) {
      assembler.accept(key.getBytes(StandardCharsets.UTF_8), value).ifPresent(model -> {
        weights.put(model.manifest().modelId(), model.weights());
        current = model.weights();
      });
      next.snapshot(partition, key, value);
    }

    @Override
    public void metrics(int partition, String modelId, byte[] value) {
      next.metrics(partition, modelId, value);
    }

    @Override
    public void deadLetter(Record<byte[], byte[]> letter) {
      next.deadLetter(letter);
    }
  }
}
