package dev.sotto.app.command;

import dev.sotto.app.cluster.Brokers;
import dev.sotto.app.http.HttpEndpoint;
import dev.sotto.app.page.StatusPage;
import dev.sotto.app.quality.QualityWatch;
import dev.sotto.app.view.GuaranteeText;
import dev.sotto.broker.BrokerSettings;
import dev.sotto.broker.EmbeddedBroker;
import dev.sotto.config.SottoConfig;
import dev.sotto.config.settings.HttpSettings;
import dev.sotto.topology.admin.AdminClients;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.failure.TransientException;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.runtime.NativeLibraries;
import dev.sotto.topology.settings.ApplicationKeys;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LayoutChoice;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.ServiceSettings;
import dev.sotto.topology.status.LearnerStatus;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.errors.TopicExistsException;

/**
 * One learner, with its broker where one is embedded, from start to end. What it prints and logs is
 * public: states, never figures that depend on data.
 */
final class LearnerRun {
  private static final long LOOK_MILLIS = 500;
  private static final long TOPIC_SECONDS = 30;
  private static final long REMINDER_HOURS = 24;

  private final SottoConfig config;
  private final boolean embedded;
  private final RunEvents events;
  private final QualityWatch quality;
  private final StatusPage page;
  private EmbeddedBroker broker;
  private LearnerService service;
  private HttpEndpoint http;
  private RegistryReport registry;
  private boolean started;
  private boolean stopped;

  /** A learner that says what happens to it. */
  LearnerRun(SottoConfig config, boolean embedded, RunEvents events) {
    this.config = config;
    this.embedded = embedded;
    this.events = events;
    this.quality = new QualityWatch(models());
    this.page = new StatusPage(config.learner().app(), quality::drifts);
  }

  private int models() {
    return config.http().map(HttpSettings::models).orElse(LearnerStatus.MOST_MODELS);
  }

  /**
   * Starts, and waits until the learner stops by itself or the process is asked to stop.
   *
   * @return the exit code
   * @throws SottoException why it could not start or go on
   */
  int untilEnd() throws InterruptedException {
    StopHook hook = new StopHook(this::stop);
    boolean stopAsked;
    try {
      begin();
      watch();
    } finally {
      stopAsked = stopped();
      stop();
      hook.close();
    }
    SottoException failure = service == null ? null : service.failure();
    if (failure != null) {
      throw failure;
    }
    if (!stopAsked) {
      throw new SottoException(
          FailureKind.UNEXPECTED,
          "the learner stopped by itself and gave no reason; the log inside has the details. Start"
              + " it again: nothing that is committed is lost");
    }
    return ExitCode.OK.code();
  }

  private synchronized boolean stopped() {
    return stopped;
  }

  private synchronized Optional<LearnerService> service() {
    return Optional.ofNullable(service);
  }

  private void begin() {
    NativeLibraries.require();
    requireFreePort();
    if (!embedded) {
      Brokers.requireAnswer(config.service().bootstrapServers());
    }
    http().ifPresent(this::listen);
    SottoConfig placed = embedded ? config.withBootstrapServers(brokerWithTopic()) : config;
    LearnerStatus status = new LearnerStatus(models());
    LearnerService fresh = new LearnerService(placed.learner(), placed.service(), status);
    synchronized (this) {
      if (stopped) {
        return;
      }
      service = fresh;
      registry = new RegistryReport(status, text -> events.tell("registry", text)).start();
    }
    events.tell("learning", GuaranteeText.line(placed));
    events.tell("layout", layout(placed));
    service.start();
    synchronized (this) {
      started = true;
    }
    quality.start(placed, fresh);
    if (http().isPresent()) {
      page.start(placed.service(), placed.learner());
    } else {
      page.startAtNewest(placed.service(), placed.learner());
    }
    String app = placed.learner().app();
    String metrics =
        placed.learner().plan().metrics() == null ? "" : ", metrics to " + Names.metrics(app);
    events.tell(
        "started",
        "started; snapshots go to " + Names.snapshots(app) + ", costs to " + Names.ledger(app)
            + metrics);
    events.tell("dead-letters", deadLetters());
  }

  /** The same words whether there are any: how many would tell what records hold. */
  private String deadLetters() {
    return "records that cannot be used go to "
        + Names.deadLetters(config.learner().app())
        + ", each with its reason: look there now and then, since nothing here says whether there"
        + " are any";
  }

  private static String layout(SottoConfig config) {
    Layout layout = config.learner().layout();
    boolean chosen = config.effective().get(ApplicationKeys.LAYOUT).equals(LayoutChoice.AUTO);
    return "layout " + layout.configName() + (chosen ? ", which auto takes: " + layout.why() : "");
  }

  /** A newcomer with a broker of their own sees the page without a setting. */
  private Optional<HttpSettings> http() {
    return config
        .http()
        .or(() -> embedded ? Optional.of(HttpSettings.anyPort()) : Optional.empty());
  }

  private void listen(HttpSettings settings) {
    HttpEndpoint fresh = HttpEndpoint.start(
        config.learner().app(),
        settings,
        config.learner().plan(),
        this::service,
        quality::drifts,
        page.paths());
    synchronized (this) {
      http = fresh;
      if (stopped) {
        fresh.close();
      }
    }
    events.tell("http", "health and metrics at " + fresh.address());
    events.tell("page", "watch it learn in a browser: " + fresh.address() + "/");
  }

  private String brokerWithTopic() {
    Path folder = config.service().stateFolder().resolve(ApplicationKeys.BROKER_FOLDER);
    BrokerSettings settings = BrokerSettings.temporary().withFolder(folder);
    String servers = embeddedServers();
    if (servers != null) {
      settings = settings.withPort(port(servers));
    }
    events.tell("broker", "starting a broker in " + folder);
    EmbeddedBroker fresh;
    try {
      fresh = EmbeddedBroker.start(settings);
    } catch (RuntimeException broken) {
      throw new TransientException(
          FailureKind.UNREACHABLE,
          "the embedded broker did not start in " + folder + ": " + broken.getMessage()
              + "; is another one running there? Otherwise look into the log, or move state.dir",
          broken);
    }
    synchronized (this) {
      broker = fresh;
      if (stopped) {
        fresh.close();
      }
    }
    fresh
        .formerPort()
        .ifPresent(port -> events.tell(
            "broker",
            "port " + port
                + ", where this broker was before, is taken: whoever connects there needs the"
                + " new address"));
    events.tell("broker", "the broker is at " + fresh.bootstrapServers());
    createTopic(config.withBootstrapServers(fresh.bootstrapServers()).service());
    return fresh.bootstrapServers();
  }

  /** Where the embedded broker is to be; null where any port will do. */
  private String embeddedServers() {
    return config.service().clients().get(ApplicationKeys.BOOTSTRAP_SERVERS.name());
  }

  private static int port(String servers) {
    return Integer.parseInt(servers.substring(servers.lastIndexOf(':') + 1));
  }

  /** Before anything is said of what runs. */
  private void requireFreePort() {
    String servers = embedded ? embeddedServers() : null;
    if (servers != null && !BrokerSettings.isFree(port(servers))) {
      throw new SottoException(
          FailureKind.LISTEN,
          "the embedded broker is to be at bootstrap.servers " + servers
              + ", but something listens there. If it is the broker that you mean, leave"
              + " --embedded out; otherwise end it, or set bootstrap.servers to another port of"
              + " this machine");
    }
  }

  private void createTopic(ServiceSettings where) {
    createTopic(where, config.learner().sourceTopic());
    config.learner().labels().ifPresent(labels -> createTopic(where, labels.topic()));
  }

  private void createTopic(ServiceSettings where, String topic) {
    // Arrival times: old event times would make records deletable at once.
    NewTopic fresh = new NewTopic(topic, Optional.empty(), Optional.empty())
        .configs(Map.of("message.timestamp.type", "LogAppendTime"));
    try (Admin admin = AdminClients.of(where)) {
      admin.createTopics(List.of(fresh)).all().get(TOPIC_SECONDS, TimeUnit.SECONDS);
      events.tell("topic", "created topic " + topic);
    } catch (ExecutionException failed) {
      if (!(failed.getCause() instanceof TopicExistsException)) {
        throw noTopic(topic, failed.getCause());
      }
    } catch (TimeoutException late) {
      throw noTopic(topic, late);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw noTopic(topic, stop);
    }
  }

  private static SottoException noTopic(String topic, Throwable cause) {
    return new SottoException(
        FailureKind.TOPIC,
        "the topic " + topic + " could not be created on the embedded broker: " + cause,
        cause);
  }

  /** Waits in a thread of the service's own, and says what has happened meanwhile. */
  private void watch() throws InterruptedException {
    RunWatch watch = new RunWatch(
        config.learner().eventTopic(), events, System::nanoTime, System.currentTimeMillis());
    long reminder = System.nanoTime() + TimeUnit.HOURS.toNanos(REMINDER_HOURS);
    while (service != null && !service.hasEnded()) {
      if (broker != null && broker.failure().isPresent()) {
        throw new TransientException(
            FailureKind.UNREACHABLE,
            "the embedded broker stopped: " + broker.failure().get().getClass().getSimpleName()
                + "; the log inside has the details",
            broker.failure().get());
      }
      if (!stopped()) {
        watch.look(new RunWatch.Now(service.phase(), service.inputs(), page.newest()));
      }
      if (System.nanoTime() - reminder >= 0) {
        events.tell("dead-letters", deadLetters());
        reminder += TimeUnit.HOURS.toNanos(REMINDER_HOURS);
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  private void stop() {
    LearnerService learner;
    EmbeddedBroker cluster;
    HttpEndpoint endpoint;
    boolean leaves;
    synchronized (this) {
      if (stopped) {
        return;
      }
      endpoint = http;
      stopped = true;
      leaves = started;
      learner = service;
      cluster = broker;
    }
    if (registry != null) {
      registry.close();
    }
    events.close();
    if (leaves) {
      events.tell("closing", "closing: what is held is written, then it leaves the group");
    }
    page.close();
    quality.close();
    if (learner != null) {
      learner.close();
    }
    if (leaves) {
      events.tell("closed", "closed");
    }
    if (cluster != null) {
      cluster.close();
    }
    if (endpoint != null) {
      endpoint.close(); // last, so that a probe hears what happens
    }
  }
}
