package dev.sotto.app.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sotto.config.settings.HttpSettings;
import dev.sotto.learner.monitoring.Drift;
import dev.sotto.learner.training.Plan;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.runtime.LearnerService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Paths to be read and nothing else: {@code /health/live}, {@code /health/ready},
 * {@code /health/started}, {@code /metrics}, and those of a page. What it says may be public: it
 * does not depend on what records hold, or is published already.
 */
public final class HttpEndpoint implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HttpEndpoint.class);
  private static final int THREADS = 4;
  private static final int BACKLOG = 32;
  private static final int NO_BODY = -1;
  private static final String JSON = "application/json; charset=utf-8";

  /** What Prometheus calls its text format. */
  private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";

  /** Nothing but what this endpoint serves itself is loaded, and nobody may frame it. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  /**
   * Bounds on slow and on many callers, in seconds; read once by the JDK's server. Without the last
   * one a body waits 40 ms for the caller to acknowledge its head.
   */
  private static final Map<String, String> LIMITS = Map.of(
      "sun.net.httpserver.maxReqTime", "10",
      "sun.net.httpserver.maxRspTime", "30",
      "jdk.httpserver.maxConnections", "64",
      "sun.net.httpserver.nodelay", "true");

  /**
   * One more path that is answered.
   *
   * @param type of the content
   * @param body made for each request
   */
  public record Page(String type, Supplier<String> body) {}

  private record Answer(int code, String type, String body) {}

  private final HttpServer server;
  private final InetSocketAddress where;
  private final ExecutorService threads;
  private final HostCheck hosts;
  private final Map<String, Supplier<Answer>> paths;
  private final LearnerMetrics metrics;
  private final ObjectMapper json = new ObjectMapper();

  private HttpEndpoint(
      HttpServer server,
      HostCheck hosts,
      LearnerMetrics metrics,
      HealthPaths health,
      Map<String, Page> pages) {
    this.server = server;
    this.hosts = hosts;
    this.where = server.getAddress(); // known after its end too
    this.metrics = metrics;
    this.paths = new HashMap<>(Map.of(
        "/health/live", () -> answer(health.live()),
        "/health/ready", () -> answer(health.ready()),
        "/health/started", () -> answer(health.started()),
        "/metrics", () -> new Answer(200, METRICS, metrics.scrape())));
    pages.forEach((path, page) ->
        paths.put(path, () -> new Answer(200, page.type(), page.body().get())));
    AtomicInteger number = new AtomicInteger();
    this.threads = Executors.newFixedThreadPool(THREADS, work -> {
      Thread thread = new Thread(work, "sotto-http-" + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    });
  }

  /**
   * Listens, and answers from now on.
   *
   * @param app a label of all metrics
   * @param plan of the models, for what rounds cost
   * @param learner empty before there is one
   * @param drifts of the models that have published metrics
   * @param pages more paths
   * @throws SottoException where the address cannot be listened on
   */
  public static HttpEndpoint start(
      String app,
      HttpSettings settings,
      Plan plan,
      Supplier<Optional<LearnerService>> learner,
      Supplier<? extends Map<String, Drift>> drifts,
      Map<String, Page> pages) {
    return startWith(
        app,
        settings,
        plan,
        () -> learner.get().map(InstanceView::of).orElseGet(InstanceView::starting),
        drifts,
        pages);
  }

  static HttpEndpoint startWith(
      String app,
      HttpSettings settings,
      Plan plan,
      Supplier<InstanceView> learner,
      Supplier<? extends Map<String, Drift>> drifts,
      Map<String, Page> pages) {
    LIMITS.forEach((name, value) -> System.getProperties().putIfAbsent(name, value));
    CostForecast costs = new CostForecast(plan);
    HealthPaths health =
        new HealthPaths(learner, costs, settings.readyRoundAge(), System::nanoTime);
    LearnerMetrics metrics = new LearnerMetrics(app, learner, costs, health, plan.batch(), drifts);
    HttpEndpoint endpoint =
        new HttpEndpoint(listen(settings), HostCheck.of(settings), metrics, health, pages);
    endpoint.server.setExecutor(endpoint.threads);
    endpoint.server.createContext("/", endpoint::handle);
    endpoint.server.start();
    return endpoint;
  }

  private static HttpServer listen(HttpSettings settings) {
    try {
      InetSocketAddress address = new InetSocketAddress(settings.host(), settings.port());
      if (address.isUnresolved()) {
        throw new IOException("the host is not known");
      }
      return HttpServer.create(address, BACKLOG);
    } catch (IOException impossible) {
      throw new SottoException(
          FailureKind.LISTEN,
          "http.listen " + settings.host() + ":" + settings.port() + " cannot be listened on: "
              + impossible.getMessage()
              + "; end what listens there, or choose an address of this machine and a free port",
          impossible);
    }
  }

  /** Where it listens, as a URL. */
  public String address() {
    String host = where.getAddress().getHostAddress();
    return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + where.getPort();
  }

  /** What it registers metrics with. */
  LearnerMetrics metrics() {
    return metrics;
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String method = exchange.getRequestMethod();
      Supplier<Answer> path = paths.get(exchange.getRequestURI().getRawPath());
      if (!hosts.admits(exchange.getRequestHeaders().getFirst("Host"))) {
        send(exchange, new Answer(421, JSON, HostCheck.REFUSAL));
      } else if (path == null) {
        send(exchange, new Answer(404, JSON, "{\"error\":\"no such path\"}\n"));
      } else if (!method.equals("GET") && !method.equals("HEAD")) {
        exchange.getResponseHeaders().set("Allow", "GET, HEAD");
        send(exchange, new Answer(405, JSON, "{\"error\":\"GET and HEAD only\"}\n"));
      } else {
        send(exchange, answer(path));
      }
    }
  }

  private static Answer answer(Supplier<Answer> path) {
    try {
      return path.get();
    } catch (RuntimeException broken) {
      LOG.warn("a request failed: {}", broken.getClass().getSimpleName(), broken);
      return new Answer(500, JSON, "{\"error\":\"the log inside has the details\"}\n");
    }
  }

  private Answer answer(HealthPaths.Report report) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("status", report.up() ? "up" : "down");
    body.put("phase", report.phaseName());
    body.put("reasons", report.reasons());
    try {
      return new Answer(report.up() ? 200 : 503, JSON, json.writeValueAsString(body) + "\n");
    } catch (JsonProcessingException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private static void send(HttpExchange exchange, Answer answer) throws IOException {
    byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
    Headers headers = exchange.getResponseHeaders();
    headers.set("Content-Type", answer.type());
    headers.set("Cache-Control", "no-store");
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Content-Security-Policy", POLICY);
    headers.set("Referrer-Policy", "no-referrer");
    if (exchange.getRequestMethod().equals("HEAD")) {
      headers.set("Content-Length", Integer.toString(body.length));
      exchange.sendResponseHeaders(answer.code(), NO_BODY);
    } else {
      exchange.sendResponseHeaders(answer.code(), body.length);
      exchange.getResponseBody().write(body);
    }
  }

  /** Stops at once; requests that are under way are cut off. */
  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
