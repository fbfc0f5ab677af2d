package dev.sotto.replay;

import dev.sotto.learner.privacy.LedgerEntry;
import dev.sotto.replay.cluster.KeyHistory;
import dev.sotto.replay.cluster.Outputs;
import dev.sotto.replay.cluster.UndisturbedRun;
import dev.sotto.replay.recording.Recording;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.topology.Layout;
import dev.sotto.topology.LearnerSettings;
import dev.sotto.topology.Names;
import dev.sotto.topology.SequencedDecoder;
import dev.sotto.topology.encryption.Encryption;
import dev.sotto.topology.encryption.TopicCipher;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Runs a learner over a recording, without a broker and without a fault, as fast as it goes: the same processors, the
 * same rounds, the same bytes. Of layouts {@code direct} and {@code rounds} the recording is of the event topic, and what
 * comes out does not depend on the seed. Of {@code funnel} it is either the recorded {@code <app>.sequence}, which
 * reproduces what was published, or the event topic, of which the seed then decides one possible order.
 *
 * <p>What comes out is what a learner would publish under this noise key. Only if it has been published is it covered by a
 * ledger that anybody can read: keep it inside the trust boundary otherwise.
 */
public final class Replay {
  /** State is written for restarts, and there are none. In rounds: more than will ever be closed. */
  private static final long NEVER = 1L << 48;

  private final LearnerSettings settings;
  private final Recording recording;
  private final boolean sequence;
  private long seed;
  private long limit = Long.MAX_VALUE;
  private LongConsumer progress = events -> {};
  private Progressive progressive;
  private KeyHistory keys = (modelId, round) -> null;

  /** A replay under seed 0, to the end. */
  public Replay(LearnerSettings settings, Recording recording) {
    this.sequence = settings.layout() == Layout.FUNNEL
        && recording.header().topic().equals(Names.sequence(settings.app()));
    LearnerSettings.Cadence cadence = settings.cadence();
    LearnerSettings lean = settings
        .with(Encryption.none())
        .with(new LearnerSettings.Cadence(
            Long.MAX_VALUE, cadence.checkpointInterval(), NEVER, cadence.releaseEvery()));
    this.settings = sequence ? overSequence(lean, settings.sequenceCipher()) : lean;
    this.recording = recording;
  }

  /** The trainer behind the funnel reads its sequence as one that learns directly reads events. */
  private static LearnerSettings overSequence(LearnerSettings settings, TopicCipher cipher) {
    int inputs = settings.plan().inputs();
    return new LearnerSettings(
        settings.app(),
        Layout.DIRECT,
        Names.sequence(settings.app()),
        settings.modelIds(),
        settings.plan(),
        settings.key(),
        settings.label(),
        () -> new SequencedDecoder(inputs, cipher),
        settings.cadence());
  }

  /** Whether the recording is the funnel's sequence rather than events. */
  public boolean isOfSequence() {
    return sequence;
  }

  /** Which of the possible orders of several partitions to take. */
  public Replay seed(long newSeed) {
    seed = newSeed;
    return this;
  }

  /** Ends it after so many events. */
  public Replay limit(long events) {
    limit = events;
    return this;
  }

  /** Told now and then how many events have been processed. */
  public Replay progress(LongConsumer newProgress) {
    progress = newProgress;
    return this;
  }

  /**
   * Draws the noise of rounds from the keys under which they were published, all of which the configuration must hold,
   * rather than from the newest.
   */
  public Replay keys(KeyHistory newKeys) {
    keys = newKeys;
    return this;
  }

  /** Has every event scored before it is learned from: exact figures, not private ones. */
  public Replay scored(Progressive newProgressive) {
    progressive = newProgressive;
    return this;
  }

  /**
   * Runs it.
   *
   * @throws dev.sotto.replay.recording.RecordingFault where the recording cannot be read to its end
   * @throws dev.sotto.topology.StartFailure where recording and configuration do not fit each other
   */
  public Result run(Outputs outputs) {
    Tally tally = new Tally(outputs);
    long began = System.nanoTime();
    long events;
    if (progressive == null) {
      events = new UndisturbedRun(settings, recording, tally, keys, seed, limit, progress).run();
    } else {
      int partitions = 1
          + recording.header().ranges().stream()
              .mapToInt(each -> each.partition())
              .max()
              .orElse(0);
      LearnerSettings watched = progressive.over(settings, partitions);
      events = new UndisturbedRun(
              watched, recording, progressive.before(tally), keys, seed, limit, progress)
          .watch(progressive)
          .run();
      progressive.end();
    }
    return new Result(events, tally.letters, (System.nanoTime() - began) / 1e9, tally.newest);
  }

  /**
   * What a replay came to.
   *
   * @param events records of the recording that were processed, used or not
   * @param deadLetters records that were set aside
   * @param seconds from before the first to behind the last
   * @param newest the last ledger entry of each model, by its id
   */
  public record Result(
      long events, long deadLetters, double seconds, Map<String, LedgerEntry> newest) {
    /** Rounds closed, of all models together. */
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

  /** Keeps the last entry of every model, and hands everything on. */
  private static final class Tally implements Outputs {
    private final Outputs next;
    private final Map<String, LedgerEntry> newest = new TreeMap<>();
    private long letters;

    Tally(Outputs next) {
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
      letters++;
      next.deadLetter(letter);
    }
  }
}
