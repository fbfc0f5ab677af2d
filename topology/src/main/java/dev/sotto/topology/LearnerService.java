package dev.sotto.topology;

import dev.sotto.topology.status.LearnerStatus;
import dev.sotto.topology.status.Phase;
import dev.sotto.topology.status.Restores;
import dev.sotto.topology.status.ThreadStatus;
import dev.sotto.topology.status.WatchedClients;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A learner's life: checks and creates what it needs, starts, waits, closes. Everything that can be found out
 * beforehand is found out before Streams starts.
 */
public final class LearnerService implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LearnerService.class);
  private static final long LEAST_SPACE = 16L << 20;
  private static final String ADMIN = "admin.";
  private static final List<String> OTHERS = List.of(
      "consumer.",
      "producer.",
      "main.consumer.",
      "restore.consumer.",
      "global.consumer.",
      "topic.");

  private final LearnerSettings settings;
  private final ServiceSettings service;
  private final Logs logs;
  private final FaultPolicy faults;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Restores restores = new Restores();
  private final LearnerStatus status;
  private volatile KafkaStreams streams;
  private volatile boolean ran;
  private volatile boolean closing;
  private volatile DeadTransactions deadTransactions;

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
    this.faults = new FaultPolicy(settings.eventTopic());
  }

  /**
   * Checks, creates and starts.
   *
   * @throws StartFailure with a message and an exit code; nothing runs then
   */
  public void start() {
    ExactMetrics.warning(settings).forEach(LOG::warn);
    checkStateFolder(service.stateFolder());
    Source source;
    try (Admin admin = admin(service)) {
      Topics topics = new Topics(admin, service.bootstrapServers(), service.replication());
      topics.await(admin.describeCluster().nodes(), "reach the cluster");
      source = topics.prepare(settings, service.historyHorizon());
      if (settings.layout() == Layout.ROUNDS) {
        source = source.with(new Genesis(settings, service).find(admin, topics, source));
        FirstOffsets.ofRounds(admin, topics, settings, source);
      } else {
        FirstOffsets.commit(
            admin,
            topics,
            settings.app(),
            settings.eventTopic(),
            topics.partitions(settings.eventTopic()),
            service.fromLatest());
      }
      if (settings.layout() == Layout.FUNNEL) {
        FirstOffsets.commit(
            admin, topics, settings.app(), source.topic(), source.partitions(), false);
      }
    }
    streams = streams(LearnerTopology.draw(settings, source, logs, status));
    streams.setUncaughtExceptionHandler(faults);
    streams.setGlobalStateRestoreListener(restores);
    DeadTransactions dead = new DeadTransactions(
        admin(service), settings.app(), StreamsSettings.streamsGroup(service), this::isRunning);
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

  private KafkaStreams streams(Topology drawing) {
    try {
      return new KafkaStreams(
          drawing,
          new StreamsConfig(StreamsSettings.of(settings, service)),
          new WatchedClients(status));
    } catch (ConfigException wrong) {
      throw new StartFailure(
          ExitCode.CONFIGURATION, "Kafka refuses a setting: " + wrong.getMessage(), wrong);
    } catch (StreamsException unusable) {
      throw new StartFailure(
          ExitCode.STATE_FOLDER,
          "the state folder " + service.stateFolder() + " cannot be used: " + unusable.getMessage()
              + "; does another instance run on it? Give each a state.dir of its own",
          unusable);
    }
  }

  /** An admin client with the settings of a service. */
  public static Admin admin(ServiceSettings service) {
    return admin(service.clients());
  }

  /** An admin client with these client settings. */
  public static Admin admin(Map<String, String> clients) {
    Map<String, Object> config = adminSettings(clients);
    config.put("enable.metrics.push", "false");
    config.putIfAbsent("default.api.timeout.ms", "15000");
    config.putIfAbsent("request.timeout.ms", "10000");
    try {
      return Admin.create(config);
    } catch (KafkaException wrong) {
      Throwable root = wrong.getCause() == null ? wrong : wrong.getCause();
      throw new StartFailure(
          ExitCode.UNREACHABLE,
          "no client could be made for bootstrap.servers " + clients.get("bootstrap.servers") + ": "
              + root.getMessage(),
          wrong);
    }
  }

  /** What is set for all clients, then what is set for admin clients alone; nothing of other clients. */
  static Map<String, Object> adminSettings(Map<String, String> clients) {
    Map<String, Object> config = new HashMap<>();
    Map<String, Object> own = new HashMap<>();
    clients.forEach((name, value) -> {
      if (name.startsWith(ADMIN)) {
        own.put(name.substring(ADMIN.length()), value);
      } else if (OTHERS.stream().noneMatch(name::startsWith)) {
        config.put(name, value);
      }
    });
    config.putAll(own);
    return config;
  }

  private static void checkStateFolder(Path folder) {
    try {
      Files.createDirectories(folder);
      Path probe = Files.createTempFile(folder, "probe", ".tmp");
      Files.write(probe, new byte[4096]);
      Files.delete(probe);
      long space = Files.getFileStore(folder).getUsableSpace();
      if (space < LEAST_SPACE) {
        throw new IOException(
            "only " + (space >> 20) + " MB are free, " + (LEAST_SPACE >> 20) + " are needed");
      }
    } catch (IOException unusable) {
      throw new StartFailure(
          ExitCode.STATE_FOLDER,
          "the state folder " + folder + " cannot be used: " + reason(unusable)
              + "; correct state.dir, its permissions, or free some space",
          unusable);
    }
  }

  /** Java's own message is often but the path. */
  private static String reason(IOException unusable) {
    if (unusable instanceof FileAlreadyExistsException there) {
      return there.getFile() + " is a file, not a folder";
    }
    if (unusable instanceof AccessDeniedException closed) {
      return "permission denied for " + closed.getFile();
    }
    return unusable.getMessage();
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
  public StartFailure failure() {
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
  public Restores restores() {
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

  /** Where in its life it is. */
  public Phase phase() {
    KafkaStreams now = streams;
    if (failure() != null) {
      return Phase.FAILED;
    }
    if (now == null) {
      return closing ? Phase.STOPPED : Phase.STARTING;
    }
    return switch (now.state()) {
      case CREATED -> Phase.STARTING;
      case REBALANCING -> Phase.RESTORING;
      case RUNNING -> Phase.RUNNING;
      case PENDING_SHUTDOWN -> Phase.STOPPING;
      case NOT_RUNNING -> Phase.STOPPED;
      case PENDING_ERROR, ERROR -> Phase.FAILED;
    };
  }

  /** Stops, and leaves the group, so that the next start need not wait for the session to end. */
  @Override
  public void close() {
    closing = true;
    if (streams != null) {
      streams.close(
          CloseOptions.groupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP)
              .withTimeout(Duration.ofSeconds(30)));
    }
    if (deadTransactions != null) {
      deadTransactions.close();
    }
  }
}
