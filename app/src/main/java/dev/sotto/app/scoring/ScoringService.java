package dev.sotto.app.scoring;

import dev.sotto.client.LiveModel;
import dev.sotto.client.ModelHealth;
import dev.sotto.client.ModelListener;
import dev.sotto.client.ScoringModel;
import dev.sotto.topology.admin.AdminClients;
import dev.sotto.topology.admin.ClusterInspector;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.fetch.BoundedClients;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scores a topic of events into a topic of predictions, exactly once, with whatever version is in
 * place: a Streams application without state.
 */
public final class ScoringService implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ScoringService.class);
  private static final long POLL_BYTES = 16 << 20;
  private static final Duration LAST = Duration.ofSeconds(30);
  private static final List<String> OTHERS =
      List.of("consumer.", "producer.", "main.consumer.", "admin.");

  private final ScoreSettings settings;
  private final Consumer<String> news;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final ScoringFailures failures = new ScoringFailures(System::nanoTime);
  private LiveModel model;
  private KafkaStreams streams;
  private boolean closed;

  /**
   * A service that does nothing yet.
   *
   * @param news hears in words what happens to the model
   */
  public ScoringService(ScoreSettings settings, Consumer<String> news) {
    this.settings = settings;
    this.news = news;
  }

  /**
   * Finds the topics, waits for the first version, and starts.
   *
   * @throws SottoException where something is missing or wrong; nothing runs then
   */
  public void start() throws InterruptedException {
    prepareTopics();
    LiveModel live = open();
    ScoringModel first = awaitFirst(live);
    if (first == null) {
      return; // closed meanwhile
    }
    try {
      settings.schemas().scorer(first);
    } catch (IllegalArgumentException | IllegalStateException unfit) {
      throw new SottoException(FailureKind.CONFIGURATION, unfit.getMessage(), unfit);
    }
    synchronized (this) {
      if (closed) {
        return;
      }
      streams = streams(() -> live.current().orElse(first));
    }
    streams.start();
    news.accept("scoring " + settings.topics().from() + " into "
        + settings.topics().to() + " as " + settings.streams().id());
  }

  private synchronized LiveModel open() {
    ModelListener listener = new ModelListener() {
      private ModelHealth.State last;

      @Override
      public void health(ModelHealth health) {
        boolean good = health.state() == ModelHealth.State.CURRENT;
        LOG.info("{}: {}", health.state(), health.text());
        if (!good || health.state() != last) { // not each new version
          news.accept((good ? "" : "warning: ") + health.text());
        }
        last = health.state();
      }
    };
    model = LiveModel.open(
        clients(settings.clients()),
        settings.model().app(),
        options -> options.with(settings.model().choice()).withListener(listener));
    return model;
  }

  /** Settings of Streams and of clients of one kind are not the reader's. */
  private static Map<String, String> clients(Map<String, String> all) {
    Map<String, String> own = new HashMap<>();
    all.forEach((name, value) -> {
      boolean anybodys = OTHERS.stream().noneMatch(name::startsWith);
      if (anybodys
          && (ConsumerConfig.configNames().contains(name) || name.startsWith("config.providers"))) {
        own.put(name, value);
      }
    });
    return own;
  }

  private ScoringModel awaitFirst(LiveModel live) throws InterruptedException {
    while (live.current().isEmpty()) {
      synchronized (this) {
        if (closed) {
          return null;
        }
      }
      Thread.sleep(100);
    }
    return live.current().orElseThrow();
  }

  private void prepareTopics() {
    Map<String, String> clients = settings.clients();
    try (Admin admin = AdminClients.of(clients)) {
      ClusterInspector cluster = new ClusterInspector(admin, clients.get("bootstrap.servers"));
      String from = settings.topics().from();
      Optional<TopicDescription> events = cluster.topic(from);
      if (events.isEmpty()) {
        throw new SottoException(
            FailureKind.TOPIC,
            "topic " + from + " does not exist on " + clients.get("bootstrap.servers")
                + "; check --from, or create it");
      }
      int partitions = events.get().partitions().size();
      create(cluster, settings.topics().to(), partitions);
      settings.topics().deadLetters().ifPresent(each -> create(cluster, each, partitions));
    }
  }

  private void create(ClusterInspector cluster, String topic, int partitions) {
    if (cluster.topic(topic).isPresent()) {
      return;
    }
    short replication = settings.streams().replication();
    NewTopic fresh = new NewTopic(
        topic,
        Optional.of(partitions),
        replication < 0 ? Optional.empty() : Optional.of(replication));
    try {
      cluster.await(cluster.admin().createTopics(List.of(fresh)).all(), "create topic " + topic);
      news.accept("created topic " + topic + " with " + partitions
          + (partitions == 1 ? " partition" : " partitions"));
    } catch (TopicExistsException other) {
      return; // another instance was faster
    }
  }

  private KafkaStreams streams(Supplier<ScoringModel> current) {
    Properties config = new Properties();
    config.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, "100");
    config.put(StreamsConfig.consumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), "6000");
    config.put(StreamsConfig.consumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG), "500");
    // Without a prefix it is meant for all clients; Streams takes one with a prefix first.
    settings.clients().keySet().forEach(name -> config.remove(StreamsConfig.consumerPrefix(name)));
    config.putAll(settings.clients());
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, settings.streams().id());
    config.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, settings.streams().threads());
    config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    config.put("enable.metrics.push", "false");
    KafkaStreams fresh;
    try {
      fresh = new KafkaStreams(
          ScoreTopology.build(settings, current), config, new BoundedClients(POLL_BYTES));
    } catch (ConfigException wrong) {
      throw new SottoException(
          FailureKind.CONFIGURATION, "Kafka refuses a setting: " + wrong.getMessage(), wrong);
    }
    fresh.setUncaughtExceptionHandler(failures);
    fresh.setStateListener((now, before) -> {
      if (now == KafkaStreams.State.ERROR || now == KafkaStreams.State.NOT_RUNNING) {
        ended.countDown();
      }
    });
    return fresh;
  }

  /**
   * Waits until it is closed, or stops by itself.
   *
   * @throws SottoException why it stopped by itself
   */
  public void awaitEnd() throws InterruptedException {
    synchronized (this) {
      if (closed || streams == null) {
        return;
      }
    }
    ended.await();
    failures.failure().ifPresent(failure -> {
      throw failure;
    });
  }

  @Override
  public void close() {
    KafkaStreams running;
    LiveModel live;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      running = streams;
      live = model;
    }
    if (running != null) {
      running.close(
          CloseOptions.groupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP)
              .withTimeout(LAST));
    }
    if (live != null) {
      live.close();
    }
    ended.countDown();
  }
}
