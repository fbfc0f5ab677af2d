package dev.sotto.replay.play;

import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.text.KeyPartitioner;
import dev.sotto.topology.admin.AdminClients;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Plays a recording into a topic: original partitions, keys, values, headers and timestamps, each
 * record exactly once. Records are sent in transactions, each of which also commits the number of
 * records of every partition ({@link PlayedPositions}); the next run continues after them. Of two
 * players of one recording into one topic, the later fences the earlier: they share a transactional
 * id.
 *
 * <p>Offsets in the topic are not those of the recording: every transaction leaves a marker.
 */
public final class Player implements AutoCloseable {
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);
  private static final long LONGEST_SLEEP = 100;

  private final Recording recording;
  private final PlaySettings settings;
  private final PlayProgress progress;
  private final AtomicReference<ProducerFailures.Place> refused = new AtomicReference<>();
  private volatile boolean stopped;

  private boolean spreads;
  private Optional<KeyPartitioner> spread = Optional.empty();

  private RecordingSummary summary;
  private PlayedPositions played;
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

  /** Spreads a recording of one partition over those of the topic, by key or in turns. */
  public Player spreading() {
    spreads = true;
    return this;
  }

  /** How records were spread over partitions, in words; empty where they kept their own. */
  public Optional<String> spread() {
    return spread.map(KeyPartitioner::words);
  }

  /**
   * Plays to the end of the recording, or until {@link #stop}. To be called once.
   *
   * @throws SottoException where recording, topic or cluster do not let it; what has been committed
   *     stays
   */
  public PlayResult play() {
    summary = RecordingSummary.of(recording, progress);
    try (Admin admin = AdminClients.of(settings.clients())) {
      TargetTopic target = new TargetTopic(admin, settings);
      TopicDescription topic = target.prepare(summary, System.currentTimeMillis());
      int partitions = topic.partitions().size();
      if (spreads && summary.partitions() == 1 && partitions > 1) {
        spread = Optional.of(new KeyPartitioner(partitions));
      }
      played = new PlayedPositions(settings.topic(), topic.topicId().toString(), summary);
      ProducerFailures faults = new ProducerFailures(settings, played.name());
      long largest = summary.largest() == null ? 0 : summary.largest().bytes();
      try {
        group = PlayClients.group(settings.clients(), played.name());
        producer = PlayClients.producer(settings.clients(), played.name(), largest);
        producer.initTransactions(); // aborts the transaction of an earlier player, and fences it
        if (settings.start().again() || !played.read(group)) {
          begin(target, topic);
        }
        return run();
      } catch (RuntimeException failed) {
        throw faults.explained(failed, refused.get());
      }
    }
  }

  private void begin(TargetTopic target, TopicDescription topic) {
    PlaySettings.Start start = settings.start();
    if (!start.again() && !start.append() && target.isUsed(topic)) {
      throw new SottoException(
          FailureKind.TOPIC,
          "topic " + settings.topic()
              + " holds records, and nothing says that they are this recording's (what is said"
              + " of an earlier play is kept for offsets.retention.minutes of the brokers). To"
              + " play after them:"
              + " --append");
    }
    // The next run recognizes this one even if no record is committed by then.
    producer.beginTransaction();
    producer.sendOffsetsToTransaction(played.offsets(), group.groupMetadata());
    producer.commitTransaction();
  }

  private PlayResult run() {
    long before = played.total();
    committed = before;
    long start = System.nanoTime();
    progress.played(committed, summary.total(), 0);
    PlaybackClock clock = new PlaybackClock(settings.pace(), System::nanoTime);
    boolean ended = false;
    try (MergedRecords records = new MergedRecords(
        recording, played.counts(), record -> spread.ifPresent(each -> each.next(record.key())))) {
      while (!stopped && !ended) {
        ended = !records.next();
        if (!ended && await(clock, records.record().timestamp())) {
          send(records.partition(), records.record());
          clock.sent();
        }
      }
      commit();
    } catch (RuntimeException failed) {
      abort(failed);
      throw failed;
    }
    return new PlayResult(
        summary.digest(),
        summary.total(),
        before,
        committed - before,
        transactions,
        (System.nanoTime() - start) / 1e9);
  }

  /**
   * Waits until a record is due, and commits meanwhile what is open; false where the play was
   * stopped.
   */
  private boolean await(PlaybackClock clock, long timestamp) {
    long wait = clock.untilDue(timestamp);
    while (wait > 0 && !stopped) {
      if (open && wait > timeLeft()) {
        commit();
      }
      progress.played(committed, summary.total(), TimeUnit.NANOSECONDS.toMillis(wait));
      sleep(Math.min(LONGEST_SLEEP, TimeUnit.NANOSECONDS.toMillis(wait) + 1));
      wait = clock.untilDue(timestamp);
    }
    return !stopped;
  }

  private void sleep(long millis) {
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
    // A record without a timestamp gets one from producer or broker.
    Long timestamp =
        settings.arrivalTimes() || record.timestamp() < 0 ? null : (Long) record.timestamp();
    int target = spread.map(each -> each.next(record.key())).orElse(partition);
    ProducerFailures.Place place = new ProducerFailures.Place(partition, record.offset());
    producer.send(
        new ProducerRecord<>(
            settings.topic(), target, timestamp, record.key(), record.value(), record.headers()),
        (sent, failure) -> {
          if (failure != null) {
            refused.compareAndSet(null, place);
          }
        });
    played.add(partition);
    openRecords++;
    openBytes += RecordingSummary.bytes(record);
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
    progress.played(committed, summary.total(), 0);
  }

  private void abort(RuntimeException reason) {
    if (open) {
      try {
        producer.abortTransaction();
      } catch (RuntimeException fenced) {
        reason.addSuppressed(fenced); // a fenced producer cannot abort
      }
    }
  }

  /** Ends {@link #play} after the record being sent, which is committed; from any thread. */
  public void stop() {
    stopped = true;
  }

  /** Closes the clients. */
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
