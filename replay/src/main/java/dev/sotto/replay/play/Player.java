package dev.sotto.replay.play;

import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.Recording;
import dev.sotto.topology.ExitCode;
import dev.sotto.topology.LearnerService;
import dev.sotto.topology.StartFailure;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Plays a recording into a topic: original partitions, keys, values, headers and timestamps, each record exactly once.
 * Records travel in transactions, each of which commits how many records of every partition are there with it
 * ({@link Played}); whoever starts again goes on behind them. Of two players of one recording into one topic the later
 * puts an end to the earlier: they share a transactional id.
 *
 * <p>Offsets in the topic are not those of the recording: every transaction leaves a marker.
 */
public final class Player implements AutoCloseable {
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);
  private static final long LONGEST_NAP = 100;

  private final Recording recording;
  private final PlaySettings settings;
  private final PlayProgress progress;
  private final AtomicReference<PlayFaults.Place> refused = new AtomicReference<>();
  private volatile boolean stopped;

  private Survey survey;
  private Played played;
  private Consumer<byte[], byte[]> group;
  private Producer<byte[], byte[]> producer;
  private boolean open;
  private long committed;
  private long transactions;
  private long openRecords;
  private long openBytes;
  private long openSince;

  /** A player of a recording, which it does not close. */
  public Player(Recording recording, PlaySettings settings, PlayProgress progress) {
    this.recording = recording;
    this.settings = settings;
    this.progress = progress;
  }

  /**
   * Plays to the end of the recording, or until {@link #stop}. To be called once.
   *
   * @throws StartFailure where recording, topic or cluster do not let it; what has been committed stays
   */
  public PlayResult play() {
    survey = Survey.of(recording, progress);
    try (Admin admin = LearnerService.admin(settings.clients())) {
      Target target = new Target(admin, settings);
      TopicDescription topic = target.prepare(survey, System.currentTimeMillis());
      played = new Played(settings.topic(), topic.topicId().toString(), survey);
      PlayFaults faults = new PlayFaults(settings, played.name());
      long largest = survey.largest() == null ? 0 : survey.largest().bytes();
      try {
        group = Connections.group(settings.clients(), played.name());
        producer = Connections.producer(settings.clients(), played.name(), largest);
        producer.initTransactions(); // ends what an earlier player has begun, and that player
        if (settings.start().again() || !played.read(group)) {
          begin(target, topic);
        }
        return run();
      } catch (RuntimeException failed) {
        throw faults.explained(failed, refused.get());
      }
    }
  }

  private void begin(Target target, TopicDescription topic) {
    PlaySettings.Start start = settings.start();
    if (!start.again() && !start.append() && target.isUsed(topic)) {
      throw new StartFailure(
          ExitCode.TOPIC,
          "topic " + settings.topic()
              + " holds records, and nothing says that they are this recording's (what is said"
              + " of an earlier play is kept for offsets.retention.minutes of the brokers). To play behind them:"
              + " --append");
    }
    // So that the next run knows this one, although not a single record may be committed by then.
    producer.beginTransaction();
    producer.sendOffsetsToTransaction(played.offsets(), group.groupMetadata());
    producer.commitTransaction();
  }

  private PlayResult run() {
    long before = played.total();
    committed = before;
    long start = System.nanoTime();
    progress.played(committed, survey.total(), 0);
    Metronome metronome = new Metronome(settings.pace(), System::nanoTime);
    boolean ended = false;
    try (MergedRecords records = new MergedRecords(recording, played.counts())) {
      while (!stopped && !ended) {
        ended = !records.next();
        if (!ended && await(metronome, records.record().timestamp())) {
          send(records.partition(), records.record());
          metronome.sent();
        }
      }
      commit();
    } catch (RuntimeException failed) {
      abort(failed);
      throw failed;
    }
    return new PlayResult(
        settings.topic(),
        survey.digest(),
        survey.total(),
        before,
        committed - before,
        transactions,
        (System.nanoTime() - start) / 1e9,
        committed == survey.total());
  }

  /** Waits until a record is due, and commits meanwhile what is open; false where the play was stopped. */
  private boolean await(Metronome metronome, long timestamp) {
    long wait = metronome.untilDue(timestamp);
    while (wait > 0 && !stopped) {
      if (open && wait > timeLeft()) {
        commit();
      }
      progress.played(committed, survey.total(), TimeUnit.NANOSECONDS.toMillis(wait));
      nap(Math.min(LONGEST_NAP, TimeUnit.NANOSECONDS.toMillis(wait) + 1));
      wait = metronome.untilDue(timestamp);
    }
    return !stopped;
  }

  private void nap(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      stopped = true;
    }
  }

  /** Nanoseconds until the open transaction is to be committed. */
  private long timeLeft() {
    return settings.bounds().time().toNanos() - (System.nanoTime() - openSince);
  }

  private void send(int partition, RecordCursor record) {
    if (!open) {
      producer.beginTransaction();
      open = true;
      openRecords = 0;
      openBytes = 0;
      openSince = System.nanoTime();
    }
    // What has no time gets one on its way, as the topic's brokers would have it.
    Long timestamp =
        settings.arrivalTimes() || record.timestamp() < 0 ? null : (Long) record.timestamp();
    PlayFaults.Place place = new PlayFaults.Place(partition, record.offset());
    producer.send(
        new ProducerRecord<>(
            settings.topic(), partition, timestamp, record.key(), record.value(), record.headers()),
        (sent, failure) -> {
          if (failure != null) {
            refused.compareAndSet(null, place);
          }
        });
    played.add(partition);
    openRecords++;
    openBytes += Sizes.of(record);
    if (openRecords >= settings.bounds().records()
        || openBytes >= settings.bounds().bytes()
        || timeLeft() <= 0) {
      commit();
    }
  }

  private void commit() {
    if (!open) {
      return;
    }
    producer.sendOffsetsToTransaction(played.offsets(), group.groupMetadata());
    producer.commitTransaction();
    open = false;
    transactions++;
    committed = played.total();
    progress.played(committed, survey.total(), 0);
  }

  private void abort(RuntimeException reason) {
    if (open) {
      try {
        producer.abortTransaction();
      } catch (RuntimeException fenced) {
        reason.addSuppressed(fenced); // one that was fenced cannot even abort
      }
    }
  }

  /** Ends {@link #play} after the record being sent, which is committed; from any thread. */
  public void stop() {
    stopped = true;
  }

  /** Lets go of the cluster. */
  @Override
  public void close() {
    stop();
    if (producer != null) {
      producer.close(CLOSE_TIMEOUT);
    }
    if (group != null) {
      group.close(CloseOptions.timeout(CLOSE_TIMEOUT));
    }
  }
}
