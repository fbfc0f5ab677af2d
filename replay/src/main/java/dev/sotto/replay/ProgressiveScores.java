package dev.sotto.replay;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.training.Plan;
import dev.sotto.replay.cluster.EventListener;
import dev.sotto.replay.cluster.OutputListener;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.snapshot.SnapshotAssembler;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Scores every usable event before it is learned from, with the weights of its model after the
 * newest round and with its newest published version: progressive validation ("test, then train").
 * The figures are exact functions of the data:
 * they stay inside the trust boundary, and no guarantee covers them.
 */
public final class ProgressiveScores implements EventListener {
  private final long every;
  private final Consumer<Point> listener;
  private final SnapshotAssembler assembler = new SnapshotAssembler();
  private final Map<String, double[]> published = new HashMap<>();
  private final Map<String, double[]> newest = new HashMap<>();
  private Plan plan;
  private Objective.Pass pass;
  private ModelIdRule ids;
  private int partitions;
  private double[] start;
  private double[] current; // after the newest round of the event's model
  private double[] released; // its newest version; the same array where both are equal
  private long rounds;
  private double epsilon;
  private long examples;
  private long right;
  private double loss;
  private double publishedLoss;
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
   * Figures after some events.
   *
   * @param examples scored so far
   * @param rounds closed so far, of all models together
   * @param epsilon the largest of any model
   * @param loss mean over all examples under the weights after the round before each, in the loss's
   *     own unit (nats for a log-loss); NaN where there are none
   * @param publishedLoss the same under the newest published version, which is what readers have
   * @param accuracy share of right decisions after the round before; NaN where labels are no
   *     classes
   */
  public record Point(
      long examples,
      long rounds,
      double epsilon,
      double loss,
      double publishedLoss,
      double accuracy) {}

  /** The figures now. */
  public Point point() {
    boolean classes = plan != null && isOfClasses(plan.objective());
    return new Point(
        examples,
        rounds,
        epsilon,
        loss / examples,
        publishedLoss / examples,
        classes ? (double) right / examples : Double.NaN);
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
    released = start;
    Supplier<EventDecoder> decoder = settings::newDecoder;
    return settings.with(() -> new Scoring(decoder.get())).with(this::closed);
  }

  OutputListener before(OutputListener next) {
    return new Listening(next);
  }

  void end() {
    if (examples > reported || examples == 0) {
      report();
    }
  }

  /** Finds the model that the event belongs to, where there are several. */
  @Override
  public void taken(int partition, Record<byte[], byte[]> event) {
    if (ids.source() != ModelIdRule.Source.CONSTANT) {
      Header last = ids.header() == null ? null : event.headers().lastHeader(ids.header());
      byte[] header = last == null ? null : last.value();
      String model = ids.modelOf(event.key(), header, partition, partitions).orElse("");
      current = newest.getOrDefault(model, start);
      released = published.getOrDefault(model, start);
    }
  }

  private void closed(String modelId, Supplier<double[]> weights) {
    current = weights.get();
    newest.put(modelId, current);
  }

  private void score(Slot slot) {
    double label = slot.example().label();
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
    if (examples - reported >= every) {
      report();
    }
  }

  private void report() {
    listener.accept(point());
    reported = examples;
  }

  /** Scores each event after it is decoded. */
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
    public RecordStatus decode(byte[] key, byte[] value, Slot into) {
      if (decoder.decode(key, value, into) == RecordStatus.USED) {
        score(into);
      }
      return into.verdict();
    }
  }

  private final class Listening implements OutputListener {
    private final OutputListener next;
    private final Map<String, Long> roundsOf = new HashMap<>();

    Listening(OutputListener next) {
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
        String modelId = model.manifest().modelId();
        double[] latest = newest.get(modelId);
        released = Arrays.equals(model.weights(), latest) ? latest : model.weights();
        published.put(modelId, released);
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
