package dev.sotto.topology.runtime;

import dev.sotto.learner.release.StateReading;
import dev.sotto.topology.LearnerTopology;
import dev.sotto.topology.TaskWatch;
import dev.sotto.topology.admin.AbandonedTransactions;
import dev.sotto.topology.admin.AdminClients;
import dev.sotto.topology.admin.JoinPartitions;
import dev.sotto.topology.admin.TopicSetup;
import dev.sotto.topology.client.WatchedClients;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.fetch.TopicIds;
import dev.sotto.topology.log.KafkaLogs;
import dev.sotto.topology.log.Logs;
import dev.sotto.topology.registry.RegistryCopies;
import dev.sotto.topology.registry.SchemaRegistry;
import dev.sotto.topology.settings.EventPartitions;
import dev.sotto.topology.settings.LateLabels;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ServiceSettings;
import dev.sotto.topology.settings.SourceTopics;
import dev.sotto.topology.status.LearnerStatus;
import dev.sotto.topology.status.LifecyclePhase;
import dev.sotto.topology.status.RestoreProgress;
import dev.sotto.topology.status.ThreadStatus;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A learner's life: checks and creates what it needs, starts, waits, closes. Everything that can be
 * found out beforehand is found out before Streams starts.
 */
public final class LearnerService implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LearnerService.class);

  /**
   * What is logged as an error where it stops by itself, with the message of {@link #failure()}.
   */
  public static final String STOPPING = "stopping: {}";

  /** For writing what is held on the heap alone, before Streams is closed. */
  private static final Duration UNTIL_SAVED = Duration.ofSeconds(10);

  private final LearnerSettings settings;
  private final ServiceSettings service;
  private final Logs logs;
  private final StateFolder folder;
  private final FailurePolicy faults;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final RestoreProgress restores = new RestoreProgress();
  private final LearnerStatus status;
  private volatile KafkaStreams streams;
  private volatile int eventPartitions;
  private volatile boolean ran;
  private volatile boolean closing;
  private volatile AbandonedTransactions deadTransactions;

  /** A learner on a cluster. */
  public LearnerService(LearnerSettings settings, ServiceSettings service) {
    this(settings, service, new KafkaLogs(service.transactionTimeout()));
  }

  /** A learner that re-reads through other logs: for tests that break something. */
  public LearnerService(LearnerSettings settings, ServiceSettings service, Logs logs) {
    this(settings, service, logs, new LearnerStatus(LearnerStatus.MOST_MODELS));
  }

  /** A learner that tells a status what it does. */
  public LearnerService(LearnerSettings settings, ServiceSettings service, LearnerStatus status) {
    this(settings, service, new KafkaLogs(service.transactionTimeout()), status);
  }

  private LearnerService(
      LearnerSettings settings, ServiceSettings service, Logs logs, LearnerStatus status) {
    this.settings = settings;
    this.service = service;
    this.logs = logs;
    this.status = status;
    status.waits(() -> service
        .copies()
        .flatMap(RegistryCopies::waiting)
        .or(() -> settings.events().registry().flatMap(SchemaRegistry::waiting)));
    status.threads().stop().expect();
    this.folder = new StateFolder(service.stateFolder());
    this.faults = new FailurePolicy(
        settings.app(), settings.topicsRead(), folder, this::otherPartitions, System::nanoTime);
  }

  /**
   * Checks, creates and starts.
   *
   * @throws SottoException with a message; nothing runs then
   */
  public void start() {
    start(new Topology());
  }

  /**
   * The same in one Kafka Streams application with processors of one's own, exactly once: what
   * these write to the event topic is learned from. The settings in force are the learner's.
   *
   * @param own gets the learner's processors beside its own
   * @throws SottoException with a message; nothing runs then
   */
  public void start(Topology own) {
    ExactMetricsWarning.warning(settings).forEach(LOG::warn);
    folder.prepare();
    prepareReading();
    ClusterPreparation.Prepared prepared =
        new ClusterPreparation(settings, service, () -> closing).prepare();
    SourceTopics source = prepared.source();
    eventPartitions = prepared.eventPartitions();
    if (closing) {
      return; // while it waited
    }
    LearnerTopology.addTo(own, settings, source, logs, new TaskWatch(status, service.copies()));
    streams = streams(own, source, prepared.ids());
    streams.setUncaughtExceptionHandler(faults);
    streams.setGlobalStateRestoreListener(restores);
    AbandonedTransactions dead = new AbandonedTransactions(
        AdminClients.of(service),
        settings.app(),
        StreamsSettings.streamsGroup(service),
        this::isRunning);
    deadTransactions = dead;
    streams.setStateListener((now, before) -> {
      ran |= now == KafkaStreams.State.RUNNING;
      if (now == KafkaStreams.State.REBALANCING) {
        dead.look();
      }
      if (now == KafkaStreams.State.ERROR
          || now == KafkaStreams.State.NOT_RUNNING
          || now == KafkaStreams.State.PENDING_ERROR) {
        ended.countDown();
      }
    });
    streams.start();
  }

  /** While brokers and the group are waited for. */
  private void prepareReading() {
    if (settings.plan().dimension() >= StateReading.LEAST_DIMENSION) {
      Thread thread = new Thread(StateReading::prepare, "sotto-warm-up");
      thread.setDaemon(true);
      thread.start();
    }
  }

  private KafkaStreams streams(Topology topology, SourceTopics source, TopicIds ids) {
    try {
      Properties config = StreamsSettings.of(settings, service);
      StreamsSettings.name(config, service, folder.member());
      config.put(TopicIds.SETTING, ids.setting());
      return new KafkaStreams(
          topology,
          new StreamsConfig(config),
          new WatchedClients(
              status.threads().buffered(),
              status,
              service.memory().events() / service.threads(),
              Math.max(1, eventPartitions),
              LearnerTopology.inputs(settings),
              LearnerTopology.batched(settings, source)));
    } catch (ConfigException wrong) {
      throw new SottoException(
          FailureKind.CONFIGURATION, "Kafka refuses a setting: " + wrong.getMessage(), wrong);
    } catch (StreamsException unusable) {
      throw new SottoException(
          FailureKind.STATE_FOLDER,
          "the state folder " + service.stateFolder() + " cannot be used: " + unusable.getMessage()
              + "; does another instance run on it? Give each a state.dir of its own",
          unusable);
    }
  }

  /**
   * What it means if there are other partitions now than at the start; an order has one whatever
   * the events have.
   */
  private Optional<SottoException> otherPartitions() {
    Optional<LateLabels> labels = settings.labels();
    boolean ordered = settings.layout().keepsOrder();
    if (ordered && labels.isEmpty()) {
      return Optional.empty();
    }
    try (Admin admin = AdminClients.of(service)) {
      int now = topics(admin).partitions(settings.sourceTopic());
      int ofLabels = labels.isPresent() ? topics(admin).partitions(labels.get().topic()) : now;
      if (now == eventPartitions && ofLabels == eventPartitions) {
        return Optional.empty();
      }
      return Optional.of(
          ordered || now == eventPartitions
              ? new SottoException(
                  FailureKind.TOPIC, JoinPartitions.other(settings, eventPartitions, now, ofLabels))
              : new UnsafeToContinueException(
                  EventPartitions.others(settings, eventPartitions, now)));
    } catch (SottoException unknown) {
      return Optional.empty();
    }
  }

  private TopicSetup topics(Admin admin) {
    return new TopicSetup(admin, service.bootstrapServers(), service.replication());
  }

  /** Waits until the learner stops by itself, which it does only for a reason. */
  public void awaitEnd() throws InterruptedException {
    ended.await();
  }

  /** Whether it has stopped by itself. */
  public boolean hasEnded() {
    return ended.getCount() == 0;
  }

  /** Why it stopped by itself; null while it runs, or when it was closed. */
  public SottoException failure() {
    return faults.failure();
  }

  /** Whether all its tasks are restored and running. */
  public boolean isRunning() {
    return streams != null && streams.state() == KafkaStreams.State.RUNNING;
  }

  /** What its tasks have committed. */
  public LearnerStatus status() {
    return status;
  }

  /** Which stores it restores. */
  public RestoreProgress restores() {
    return restores;
  }

  /** Whether all its tasks were running at some time, or any restore has got on. */
  public boolean hasStarted() {
    return ran || restores.haveProgressed();
  }

  /** Stream threads that it was set up with. */
  public int threadsWanted() {
    return service.threads();
  }

  /** Its stream threads; none before it has begun to start them and after it has stopped. */
  public List<ThreadStatus> threads() {
    KafkaStreams now = streams;
    try {
      return now == null
          ? List.of()
          : now.metadataForLocalThreads().stream()
              .map(each -> new ThreadStatus(
                  each.threadName(),
                  each.threadState(),
                  each.activeTasks().size(),
                  each.standbyTasks().size()))
              .toList();
    } catch (IllegalStateException notRunning) {
      return List.of();
    }
  }

  /**
   * The partitions from which its active tasks read, by topic: those of the events, and of topics
   * of its own in between. Empty unless all its tasks are running.
   */
  public SortedMap<String, SortedSet<Integer>> inputs() {
    SortedMap<String, SortedSet<Integer>> inputs = new TreeMap<>();
    KafkaStreams now = streams;
    if (now != null && isRunning()) {
      try {
        now.metadataForLocalThreads().stream()
            .flatMap(thread -> thread.activeTasks().stream())
            .flatMap(task -> task.topicPartitions().stream())
            .forEach(each -> inputs
                .computeIfAbsent(each.topic(), topic -> new TreeSet<>())
                .add(each.partition()));
      } catch (IllegalStateException notRunning) {
        return Collections.emptySortedMap();
      }
    }
    return inputs;
  }

  /** Where in its life it is. */
  public LifecyclePhase phase() {
    KafkaStreams now = streams;
    if (failure() != null) {
      return LifecyclePhase.FAILED;
    }
    if (now == null) {
      return closing ? LifecyclePhase.STOPPED : LifecyclePhase.STARTING;
    }
    return switch (now.state()) {
      case CREATED -> LifecyclePhase.STARTING;
      case REBALANCING -> LifecyclePhase.RESTORING;
      case RUNNING -> LifecyclePhase.RUNNING;
      case PENDING_SHUTDOWN -> LifecyclePhase.STOPPING;
      case NOT_RUNNING -> LifecyclePhase.STOPPED;
      case PENDING_ERROR, ERROR -> LifecyclePhase.FAILED;
    };
  }

  /** What is not written within the time is read again by the next start. */
  private void saveAll() {
    try {
      if (isRunning() && !status.threads().stop().ask(UNTIL_SAVED)) {
        LOG.info("stops before all was written: the next start reads the rest again");
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Stops, and leaves the group, so that the next start need not wait for the session to end. A
   * member that {@code group.instance.id} names stays: its tasks wait for it until the session
   * ends.
   */
  @Override
  public void close() {
    closing = true;
    if (streams != null) {
      saveAll();
      streams.close(CloseOptions.groupMembershipOperation(
              StreamsSettings.staticMembers(service)
                  ? CloseOptions.GroupMembershipOperation.REMAIN_IN_GROUP
                  : CloseOptions.GroupMembershipOperation.LEAVE_GROUP)
          .withTimeout(Duration.ofSeconds(30)));
    }
    if (deadTransactions != null) {
      deadTransactions.close();
    }
  }
}
