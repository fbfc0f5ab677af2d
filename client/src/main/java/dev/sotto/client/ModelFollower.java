package dev.sotto.client;

import dev.sotto.client.ModelHealth.State;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.serdes.avro.UnreadableRecordException;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.snapshot.PublishedModel;
import dev.sotto.serdes.snapshot.SnapshotAssembler;
import dev.sotto.serdes.topic.PublishedTopicNames;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread of a {@link LiveModel}: finds the version that is asked for, then what follows. */
final class ModelFollower implements Runnable, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ModelFollower.class);
  private static final Duration POLL = Duration.ofMillis(500);
  private static final long AGAIN_MILLIS = 1_000;

  private final LiveModel.Options options;
  private final LiveModel model;
  private final Thread thread;
  private volatile boolean closed;
  private volatile TopicReader waiting; // what a poll may have to be woken from

  ModelFollower(LiveModel.Options options, LiveModel model) {
    this.options = options;
    this.model = model;
    this.thread = new Thread(this, "sotto-model-" + options.app() + "-" + options.modelId());
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  @Override
  public void run() {
    while (!closed) {
      try (TopicReader snapshots = reader(PublishedTopicNames.snapshots(options.app()));
          TopicReader ledger = reader(PublishedTopicNames.ledger(options.app()))) {
        waiting = snapshots;
        follow(snapshots, ledger);
      } catch (WakeupException | InterruptException ended) {
        return;
      } catch (UnknownTopicOrPartitionException missing) {
        model.say(State.WAITING, missing.getMessage() + "; check app.id, or start the learner");
      } catch (OffsetOutOfRangeException cut) {
        continue; // retention has overtaken it: look for the newest version again
      } catch (KafkaException failed) {
        model.say(
            State.UNREACHABLE,
            "the brokers " + options.clients().get("bootstrap.servers") + " cannot be read from: "
                + failed.getMessage());
      } catch (RuntimeException unforeseen) {
        LOG.warn("reading model {} failed", options.modelId(), unforeseen);
        model.say(State.UNREACHABLE, "reading failed: " + unforeseen);
      } finally {
        waiting = null;
      }
      pause();
    }
  }

  private TopicReader reader(String topic) {
    return new TopicReader(options.clients(), topic);
  }

  private void pause() {
    try {
      Thread.sleep(AGAIN_MILLIS);
    } catch (InterruptedException ended) {
      closed = true;
    }
  }

  private void follow(TopicReader snapshots, TopicReader ledger) {
    VersionSearch search = new VersionSearch(snapshots, options.modelId());
    List<TopicPartition> partitions = snapshots.partitions();
    Map<TopicPartition, Long> ends = new HashMap<>(snapshots.ends(partitions));
    OptionalLong pinned =
        options.version() == null ? OptionalLong.empty() : OptionalLong.of(options.version());
    Optional<VersionSearch.Found> found = search.find(pinned, partitions, ends);
    if (found.isPresent()) {
      offer(found.get(), ledger);
      if (pinned.isPresent() && model.current().isPresent()) {
        rest();
        return;
      }
    } else {
      String wanted = pinned.isPresent() ? "version " + pinned.getAsLong() + " is not there: " : "";
      model.say(State.WAITING, wanted + search.met());
    }
    tail(search, snapshots, ledger, ends);
  }

  /** A version that is pinned does not change. */
  private void rest() {
    while (!closed) {
      pause();
    }
  }

  private void tail(
      VersionSearch search,
      TopicReader snapshots,
      TopicReader ledger,
      Map<TopicPartition, Long> ends) {
    SnapshotAssembler assembler = new SnapshotAssembler();
    snapshots.follow(ends);
    while (!closed) {
      for (ConsumerRecord<byte[], byte[]> each : snapshots.poll(POLL)) {
        if (search.isOfModel(each.key())) {
          accept(each, assembler, ledger);
        }
      }
    }
  }

  private void accept(
      ConsumerRecord<byte[], byte[]> record, SnapshotAssembler assembler, TopicReader ledger) {
    long damaged = assembler.damaged();
    Optional<PublishedModel> whole = assembler.acceptAny(record.key(), record.value());
    if (whole.isPresent()) {
      long version = whole.get().manifest().version();
      if (options.version() == null || options.version() == version) {
        offer(new VersionSearch.Found(whole.get(), record.timestamp()), ledger);
      }
    } else if (assembler.damaged() > damaged) {
      model.say(State.DAMAGED, damage(record));
    }
  }

  private static String damage(ConsumerRecord<byte[], byte[]> record) {
    String where =
        record.topic() + ", partition " + record.partition() + ", offset " + record.offset();
    if (!SnapshotAssembler.isManifest(record.key())) {
      return where + " holds no chunk of weights";
    }
    try {
      ModelSnapshot manifest = Codecs.SNAPSHOT.decode(record.value());
      return "version " + manifest.version() + " of model " + manifest.modelId() + " (" + where
          + ") does not verify: a chunk of its weights is missing, or its digest differs";
    } catch (UnreadableRecordException unreadable) {
      return where + " holds no manifest: " + unreadable.getMessage();
    }
  }

  /** Puts a whole version in place, if it is what the ledger says and can be scored. */
  private void offer(VersionSearch.Found found, TopicReader ledger) {
    ModelSnapshot manifest = found.model().manifest();
    Optional<String> fault =
        options.ledger() ? new LedgerSearch(ledger).fault(manifest) : Optional.empty();
    if (fault.isPresent()) {
      refuse(manifest, fault.get());
      return;
    }
    try {
      model.put(found, ScoringModel.of(found.model()));
    } catch (IllegalArgumentException future) {
      refuse(manifest, future.getMessage());
    }
  }

  private void refuse(ModelSnapshot version, String why) {
    model.say(
        State.DAMAGED,
        "version " + version.version() + " of model " + version.modelId() + " is not used: " + why);
  }

  @Override
  public void close() {
    closed = true;
    TopicReader blocked = waiting;
    if (blocked != null) {
      blocked.wakeUp();
    }
    thread.interrupt();
    try {
      thread.join(10_000);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
