package dev.sotto.replay;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.description.FigureFormat;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.replay.cluster.FaultFreeRun;
import dev.sotto.replay.cluster.NoiseKeyHistory;
import dev.sotto.replay.cluster.OutputListener;
import dev.sotto.replay.cluster.RecordedInput;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingException;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.topology.encryption.Encryption;
import dev.sotto.topology.processor.DeadLetters;
import dev.sotto.topology.settings.Cadence;
import dev.sotto.topology.settings.LearnerSettings;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Runs a learner over a recording of the event topic, without a broker and without a fault: the
 * same processors, the same rounds, the same bytes. In layouts {@code direct} and {@code rounds}
 * the output does not depend on the seed. In {@code ordered} it follows from the events and the
 * order together: with a recording of {@code <app>.order} it is what was published, without one the
 * seed chooses one possible order.
 *
 * <p>The output is what a learner would publish under this noise key. Unless it has been published,
 * no ledger covers it: it stays inside the trust boundary.
 */
public final class Replay {
  /** State is written for restarts, and there are none: more rounds than are ever closed. */
  private static final long NEVER = 1L << 48;

  private final LearnerSettings settings;
  private final Recording recording;
  private Recording order;
  private Recording labels;
  private long seed;
  private long limit = Long.MAX_VALUE;
  private LongConsumer progress = events -> {};
  private ProgressiveScores progressive;
  private LongSupplier clock = () -> 0;
  private NoiseKeyHistory keys = (modelId, round) -> null;

  /** A replay under seed 0, to the end. */
  public Replay(LearnerSettings settings, Recording recording) {
    Cadence cadence = settings.cadence();
    this.settings = settings
        .with(Encryption.none())
        .with(
            new Cadence(Long.MAX_VALUE, cadence.checkpointInterval(), NEVER, cadence.modelBytes()));
    this.recording = recording;
  }

  /**
   * Follows an order that was recorded.
   *
   * @param recorded the topic {@code <app>.order}, from its beginning
   */
  public Replay order(Recording recorded) {
    if (!settings.layout().keepsOrder()) {
      throw new RecordingException("layout " + settings.layout().configName()
          + " knows no order: leave the recording of " + recorded.header().topic() + " out");
    }
    order = recorded;
    return this;
  }

  /**
   * Joins the events with labels that came later, by the times at which both were recorded to have
   * been appended. Both recordings are taken as whole: behind their ends nothing comes.
   *
   * @param recorded the topic of labels, the recording being one of the topic of events
   */
  public Replay labels(Recording recorded) {
    labels = recorded;
    return this;
  }

  /** Chooses one of the possible orders of several partitions. */
  public Replay seed(long newSeed) {
    seed = newSeed;
    return this;
  }

  /** Ends it after a number of events. */
  public Replay limit(long events) {
    limit = events;
    return this;
  }

  /** Reports the number of processed events from time to time. */
  public Replay progress(LongConsumer newProgress) {
    progress = newProgress;
    return this;
  }

  /**
   * Computes the noise of each round under the key with which it was published, which the
   * configuration must hold, instead of the newest.
   */
  public Replay keys(NoiseKeyHistory newKeys) {
    keys = newKeys;
    return this;
  }

  /** Scores every event before it is learned from: exact figures, not private ones. */
  public Replay scored(ProgressiveScores newProgressive) {
    progressive = newProgressive;
    return this;
  }

  /** Has tasks look at a clock, in nanoseconds, while they read: what comes out is the same. */
  Replay clock(LongSupplier nanos) {
    clock = nanos;
    return this;
  }

  /**
   * Runs it.
   *
   * @throws dev.sotto.replay.recording.RecordingException where the recording cannot be read to its
   *     end
   * @throws dev.sotto.topology.failure.SottoException where recording and configuration do not fit
   *     each other
   */
  public Result run(OutputListener outputs) {
    Tally tally = new Tally(settings, outputs);
    long began = System.nanoTime();
    long events;
    if (progressive == null) {
      events = run(settings, tally).run();
    } else {
      LearnerSettings scored = progressive.over(settings, recording.header().partitions());
      events = run(scored, tally).events(progressive).run();
      progressive.end();
    }
    return new Result(
        events, tally.reasons, tally.faults, (System.nanoTime() - began) / 1e9, tally.newest);
  }

  private FaultFreeRun run(LearnerSettings learner, OutputListener outputs) {
    RecordedInput input = new RecordedInput(recording, null, order);
    return new FaultFreeRun(
            learner, labels == null ? input : input.labels(learner, labels), outputs, keys)
        .seed(seed)
        .limit(limit)
        .clock(clock)
        .progress(progress);
  }

  /**
   * The result of a replay.
   *
   * @param events records of the recording that were processed, used or not
   * @param reasons how many records were not usable, by the name of the status
   * @param faults which field the first of each of them is about, where that is known
   * @param seconds from before the first event to after the last
   * @param newest the last ledger entry of each model, by its id
   */
  public record Result(
      long events,
      Map<String, Long> reasons,
      Map<String, String> faults,
      double seconds,
      Map<String, LedgerEntry> newest) {
    /** Records that were not usable. */
    public long deadLetters() {
      return reasons.values().stream().mapToLong(Long::longValue).sum();
    }

    /** How many were not usable and why, and which field the first of each is about. */
    public String reasonsInWords() {
      return reasons.entrySet().stream()
          .map(each -> String.format(Locale.ROOT, "%s %,d", each.getKey(), each.getValue())
              + Optional.ofNullable(faults.get(each.getKey()))
                  .map(fault -> " (" + fault + ")")
                  .orElse(""))
          .collect(Collectors.joining(", "));
    }

    /** What is said where no record was usable. */
    public String noneUsable() {
      return "none of the " + FigureFormat.counted(events, "record")
          + " that were read can be used under this configuration: " + reasonsInWords()
          + "; check events.format, features, label and unit";
    }

    /** The number of rounds, of all models together. */
    public long rounds() {
      return newest.values().stream().mapToLong(LedgerEntry::round).sum();
    }

    /** The largest epsilon that any model has cost; 0 before the first round. */
    public double epsilon() {
      return newest.values().stream()
          .mapToDouble(each -> each.guarantee().epsilon())
          .max()
          .orElse(0);
    }
  }

  /** Keeps the last ledger entry of every model, and passes all output on. */
  private static final class Tally implements OutputListener {
    private final OutputListener next;
    private final Map<String, LedgerEntry> newest = new TreeMap<>();
    private final Map<String, Long> reasons = new TreeMap<>();
    private final Map<String, String> faults = new TreeMap<>();
    private final LearnerSettings settings;

    Tally(LearnerSettings settings, OutputListener next) {
      this.settings = settings;
      this.next = next;
    }

    @Override
    public void ledger(int partition, String modelId, byte[] entry) {
      newest.put(modelId, Codecs.LEDGER.decode(entry));
      next.ledger(partition, modelId, entry);
    }

    @Override
    public void snapshot(int partition, String key, byte[] value) {
      next.snapshot(partition, key, value);
    }

    @Override
    public void metrics(int partition, String modelId, byte[] value) {
      next.metrics(partition, modelId, value);
    }

    @Override
    public void deadLetter(Record<byte[], byte[]> letter) {
      String reason = new String(
          letter.headers().lastHeader(DeadLetters.REASON).value(), StandardCharsets.UTF_8);
      // A schema that is missing is missing to a record at its place: no other reading asks for it.
      if (reasons.merge(reason, 1L, Long::sum) == 1
          && !reason.equals(RecordStatus.UNKNOWN_SCHEMA.name())) {
        settings
            .newDecoders()
            .get(0)
            .fault(letter.value(), RecordStatus.valueOf(reason))
            .ifPresent(fault -> faults.put(reason, fault));
      }
      next.deadLetter(letter);
    }
  }
}
