package dev.sotto.client;

import dev.sotto.client.ModelHealth.State;
import dev.sotto.client.alias.AliasReader;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.serdes.record.AliasTarget;
import dev.sotto.serdes.snapshot.PublishedModel;
import dev.sotto.serdes.snapshot.SnapshotAssembler;
import dev.sotto.serdes.topic.PublishedTopicNames;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread of a {@link LiveModel}: finds the version that is asked for, then what follows. */
final class ModelFollower implements Runnable, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ModelFollower.class);
  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration SEARCH = Duration.ofMillis(5);
  private static final int MOST_NAMED = 5;
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private final LiveModel.Options options;
  private final LiveModel model;
  private final Thread thread;
  private final AtomicLong undecided = new AtomicLong();
  private volatile boolean closed;
  private volatile TopicReader waiting; // what a poll may have to be woken from

  ModelFollower(LiveModel.Options options, LiveModel model) {
    this.options = options;
    this.model = model;
    this.thread = new Thread(this, "sotto-model-" + options.app());
    thread.setDaemon(true);
  }

  /** How many looks have ended without a decision, since a transaction was open. */
  long undecidedLooks() {
    return undecided.get();
  }

  void start() {
    thread.start();
  }

  @Override
  public void run() {
    while (!closed) {
      try (TopicReader snapshots = reader(PublishedTopicNames.snapshots(options.app()));
          TopicReader ledger = reader(PublishedTopicNames.ledger(options.app()))) {
        boolean older = options.choice() instanceof ModelChoice.Newest;
        follow(snapshots, new VersionOffer(model, options.ledger() ? ledger : null, older));
      } catch (WakeupException | InterruptException ended) {
        return;
      } catch (UnknownTopicOrPartitionException missing) {
        model.say(State.WAITING, missing.getMessage() + "; check app.id, or start the learner");
      } catch (OffsetOutOfRangeException cut) {
        continue; // retention has overtaken it: look for the newest version again
      } catch (TimeoutException late) {
        model.say(
            State.UNREACHABLE,
            "no broker answered at " + options.clients().get("bootstrap.servers") + " ("
                + late.getMessage() + "); check bootstrap.servers, the network and the security"
                + " settings");
      } catch (KafkaException failed) {
        Throwable cause = failed.getCause() == null ? failed : failed.getCause();
        model.say(
            State.UNREACHABLE,
            "the brokers " + options.clients().get("bootstrap.servers") + " cannot be read from: "
                + cause.getMessage());
      } catch (RuntimeException unforeseen) {
        LOG.warn("reading {} failed", LiveModel.text(options.choice()), unforeseen);
        model.say(State.UNREACHABLE, "reading failed: " + unforeseen);
      }
      if (!closed) {
        pause(AGAIN);
      }
    }
  }

  private TopicReader reader(String topic) {
    return new TopicReader(options.clients(), topic, SEARCH);
  }

  private void pause(Duration time) {
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException ended) {
      closed = true;
    }
  }

  private void follow(TopicReader snapshots, VersionOffer offer) {
    if (options.choice() instanceof ModelChoice.Alias alias) {
      followAlias(alias.name(), snapshots, offer);
    } else if (options.choice() instanceof ModelChoice.Pinned pinned) {
      search(pinned.modelId(), snapshots)
          .ifPresent(search ->
              follow(each -> each.version() == pinned.version(), search, snapshots, offer));
    } else if (options.choice() instanceof ModelChoice.Newest newest) {
      search(newest.modelId(), snapshots)
          .ifPresent(search -> follow(each -> true, search, snapshots, offer));
    }
  }

  /** A search for versions of a model; empty where it is not clear which model is meant. */
  private Optional<VersionSearch> search(String modelId, TopicReader snapshots) {
    if (modelId != null) {
      return Optional.of(new VersionSearch(snapshots, modelId));
    }
    SortedSet<String> models = new ModelNames(snapshots).find();
    if (models.size() == 1) {
      return Optional.of(new VersionSearch(snapshots, models.first()));
    }
    if (models.isEmpty()) {
      model.say(
          State.WAITING,
          PublishedTopicNames.snapshots(options.app()) + " holds no version of any model yet");
    } else {
      model.say(
          State.MISSING,
          options.app() + " learns several models, and none is named; some are: "
              + models.stream().limit(MOST_NAMED).collect(Collectors.joining(", ")));
    }
    return Optional.empty();
  }

  private void follow(
      Predicate<ModelSnapshot> wanted,
      VersionSearch search,
      TopicReader snapshots,
      VersionOffer offer) {
    boolean pinned = options.choice() instanceof ModelChoice.Pinned;
    VersionLook look = new VersionLook(search, wanted, snapshots, offer);
    while (!closed) {
      look.look();
      if (!look.isFound() && look.isTold()) {
        model.say(
            pinned ? State.MISSING : State.WAITING,
            (pinned ? LiveModel.text(options.choice()) + " is not there: " : "") + look.met());
      }
      if (!look.isDecided()) {
        undecided.incrementAndGet();
        if (look.isFound() && look.isTold()) {
          model.say(State.DAMAGED, look.fault());
        }
        pause(look.pause());
        continue;
      }
      if (pinned && model.current().isPresent()) {
        rest();
        return;
      }
      if (look.isFound() && !pinned) {
        search.damage().ifPresent(damage -> model.say(State.DAMAGED, damage));
      }
      tail(search, wanted, offer, look.ends());
      look = new VersionLook(search, wanted, snapshots, offer);
    }
  }

  /** Follows what comes, until something has come that is not decided. */
  private void tail(
      VersionSearch search,
      Predicate<ModelSnapshot> wanted,
      VersionOffer offer,
      Map<TopicPartition, Long> ends) {
    SnapshotAssembler assembler = new SnapshotAssembler();
    String topic = PublishedTopicNames.snapshots(options.app());
    try (TopicReader tail = new TopicReader(options.clients(), topic, POLL)) {
      waiting = tail;
      tail.follow(ends);
      while (!closed) {
        for (ConsumerRecord<byte[], byte[]> each : tail.poll(POLL)) {
          if (search.isOfModel(each.key()) && !accept(each, assembler, wanted, offer)) {
            return;
          }
        }
      }
    } finally {
      waiting = null;
    }
  }

  /** A version that is pinned does not change. */
  private void rest() {
    while (!closed) {
      pause(AGAIN);
    }
  }

  private boolean accept(
      ConsumerRecord<byte[], byte[]> record,
      SnapshotAssembler assembler,
      Predicate<ModelSnapshot> wanted,
      VersionOffer offer) {
    long damaged = assembler.damaged();
    Optional<PublishedModel> whole = assembler.acceptAny(record.key(), record.value());
    if (whole.isPresent()) {
      if (wanted.test(whole.get().manifest())) {
        return offer.put(
            new VersionSearch.Found(whole.get(), record.timestamp(), record.partition()));
      }
    } else if (assembler.damaged() > damaged) {
      model.say(State.DAMAGED, VersionSearch.damage(record));
    }
    return true;
  }

  private void followAlias(String name, TopicReader snapshots, VersionOffer offer) {
    try (AliasReader aliases = new AliasReader(options.clients(), options.app())) {
      aliases.readToEnd();
      Optional<AliasTarget> at = null; // nothing has been looked at yet
      VersionLook look = null; // nothing is to be looked for
      while (!closed) {
        Optional<AliasTarget> target = aliases.target(name);
        if (!target.equals(at)) {
          at = target;
          look = target.map(each -> look(each, snapshots, offer)).orElse(null);
          if (look == null) {
            model.say(
                State.MISSING,
                "alias " + name + " names no version; set it with: sotto alias set " + name
                    + " MODEL@VERSION");
          }
        }
        if (look != null) {
          look.look();
          if (!look.isFound() && look.isTold()) {
            model.say(
                State.MISSING,
                "alias " + name + " names " + target.get()
                    + ", which is not there (compaction takes old versions): " + look.met());
          }
          if (look.isDecided()) {
            look = null;
          } else {
            undecided.incrementAndGet();
            if (look.isFound() && look.isTold()) {
              model.say(State.DAMAGED, look.fault());
            }
          }
        }
        aliases.poll(look == null ? POLL : look.pause());
      }
    }
  }

  private static VersionLook look(AliasTarget target, TopicReader snapshots, VersionOffer offer) {
    return new VersionLook(
        new VersionSearch(snapshots, target.modelId()),
        each -> each.version() == target.version() && Arrays.equals(each.runId(), target.runId()),
        snapshots,
        offer);
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
