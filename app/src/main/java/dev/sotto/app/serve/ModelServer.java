package dev.sotto.app.serve;

import dev.sotto.app.http.HostCheck;
import dev.sotto.client.Scorer;
import dev.sotto.client.ScoringModel;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.GracefulShutdownHandler;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xnio.IoUtils;
import org.xnio.Options;
import org.xnio.XnioExecutor;

/**
 * Scores over HTTP with the version in place: {@code POST /score} and the Open Inference Protocol,
 * version 2. Requests are answered by the threads that read them, since scoring takes
 * microseconds. Undertow rather than the JDK's server: it bounds bodies, times, connections and
 * requests, and answers more of them (benchmarks/README.md).
 */
public final class ModelServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ModelServer.class);
  private static final String JSON = "application/json";
  private static final String BEARER = "Bearer ";

  /** Of a request, whatever its body. */
  private static final long OVERHEAD = 16 << 10;

  /** Of a body of tensors: a number of two bytes becomes an object. */
  private static final long PARSED = 40;

  private static final HttpString MODEL = new HttpString("Sotto-Model");
  private static final HttpString VERSION = new HttpString("Sotto-Version");
  private static final HttpString EPSILON = new HttpString("Sotto-Epsilon");
  private static final HttpString DELTA = new HttpString("Sotto-Delta");
  private static final HttpString UNIT = new HttpString("Sotto-Unit");
  private static final HttpString AGE = new HttpString("Sotto-Age-Seconds");

  /** A scorer and what is said of its version. */
  private record Held(
      Scorer scorer, String model, String version, String epsilon, String delta, String unit) {
    static Held of(ScoringModel model) {
      Guarantee guarantee = model.guarantee();
      return new Held(
          model.scorer(),
          ascii(model.modelId()),
          Long.toString(model.version()),
          Double.toString(guarantee.epsilon()),
          Double.toString(guarantee.delta()),
          guarantee.unit().configName());
    }
  }

  /** A header holds ASCII: anything else is percent-encoded. */
  private static String ascii(String id) {
    return id.chars().allMatch(each -> each > ' ' && each < 127)
        ? id
        : URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private final ServedModel served;
  private final Optional<String> alias;
  private final ServeSettings settings;
  private final String sottoVersion;
  private final HostCheck hosts; // null where any host may be named
  private final byte[] token; // null where none is asked for
  private final ServeMetrics metrics;
  private final RequestMemory memory;
  private final ThreadLocal<Held> held = new ThreadLocal<>();
  private final GracefulShutdownHandler graceful;
  private final Undertow undertow;
  private volatile boolean stopping;

  private ModelServer(
      ServeSettings settings, ServedModel served, Optional<String> alias, String sottoVersion) {
    this.settings = settings;
    this.served = served;
    this.alias = alias;
    this.sottoVersion = sottoVersion;
    this.token = settings
        .token()
        .map(each -> (BEARER + each).getBytes(StandardCharsets.UTF_8))
        .orElse(null);
    this.hosts = token == null && isLoopback(settings.host())
        ? HostCheck.of(settings.host(), settings.names())
        : null;
    this.metrics = new ServeMetrics(served);
    ServeSettings.Limits limits = settings.limits();
    this.memory = RequestMemory.of(limits);
    this.graceful = new GracefulShutdownHandler(exchange -> {
      if (isHealth(exchange.getRequestPath())) {
        health(exchange);
      } else {
        admitted(exchange);
      }
    });
    int millis = limits.seconds() * 1000;
    Undertow.Builder builder = Undertow.builder()
        .setServerOption(UndertowOptions.MAX_ENTITY_SIZE, limits.bodyBytes())
        .setServerOption(UndertowOptions.MAX_HEADER_SIZE, 16 << 10)
        .setServerOption(UndertowOptions.REQUEST_PARSE_TIMEOUT, millis)
        .setServerOption(UndertowOptions.NO_REQUEST_TIMEOUT, 6 * millis)
        .setSocketOption(Options.READ_TIMEOUT, 6 * millis)
        .setSocketOption(Options.WRITE_TIMEOUT, millis)
        .setSocketOption(Options.CONNECTION_HIGH_WATER, limits.connections())
        .setSocketOption(Options.CONNECTION_LOW_WATER, limits.connections())
        .setWorkerThreads(1)
        .setHandler(graceful);
    this.undertow = settings
        .tls()
        .map(tls -> builder.addHttpsListener(settings.port(), settings.host(), tls))
        .orElseGet(() -> builder.addHttpListener(settings.port(), settings.host()))
        .build();
  }

  /**
   * Listens, and answers from now on.
   *
   * @param alias the name under which the model is served too, where an alias is followed
   * @param sottoVersion of the program, for the metadata of the server
   * @throws SottoException where the address cannot be listened on
   */
  public static ModelServer start(
      ServeSettings settings, ServedModel served, Optional<String> alias, String sottoVersion) {
    ModelServer server = new ModelServer(settings, served, alias, sottoVersion);
    try {
      server.undertow.start();
    } catch (RuntimeException impossible) {
      Throwable cause = impossible.getCause() == null ? impossible : impossible.getCause();
      throw new SottoException(
          FailureKind.LISTEN,
          "--listen " + settings.host() + ":" + settings.port() + " cannot be listened on: "
              + cause.getMessage()
              + "; end what listens there, or choose an address of this machine and a free port",
          impossible);
    }
    return server;
  }

  /** Where it listens, as a URL. */
  public String address() {
    InetSocketAddress where =
        (InetSocketAddress) undertow.getListenerInfo().get(0).getAddress();
    String host = where.getAddress().getHostAddress();
    return (settings.tls().isPresent() ? "https://" : "http://")
        + (host.contains(":") ? "[" + host + "]" : host) + ":" + where.getPort();
  }

  private static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException unknown) {
      return false;
    }
  }

  private static boolean isHealth(String path) {
    return path.equals("/v2/health/live") || path.equals("/v2/health/ready");
  }

  private void health(HttpServerExchange exchange) {
    if (exchange.getRequestPath().endsWith("live")) {
      send(exchange, 200, OpenInference.object(json -> json.writeBooleanField("live", true)));
      return;
    }
    boolean ready = !stopping && served.current().isPresent();
    send(exchange, ready ? 200 : 503, OpenInference.object(json -> {
      json.writeBooleanField("ready", ready);
      json.writeStringField(
          "health", stopping ? "it is stopping" : served.health().text());
    }));
  }

  /** Who may not ask is refused before any byte of a body is read. */
  private void admitted(HttpServerExchange exchange) {
    String coding = exchange.getRequestHeaders().getFirst(Headers.TRANSFER_ENCODING);
    if (hosts != null && !hosts.admits(exchange.getRequestHeaders().getFirst(Headers.HOST))) {
      refuse(
          exchange,
          421,
          "this host is not one of the server's: ask by an address or localhost,"
              + " or list the name under --names");
    } else if (token != null && !carriesToken(exchange)) {
      exchange.getResponseHeaders().put(Headers.WWW_AUTHENTICATE, "Bearer");
      refuse(
          exchange, 401, "the header Authorization must be Bearer and the token of --token-file");
    } else if (coding != null && !coding.equalsIgnoreCase("chunked")) {
      refuse(exchange, 400, "Transfer-Encoding must be chunked, or left out");
    } else {
      route(exchange);
    }
  }

  /** Answers, and closes the connection: what else comes is thrown away, for some seconds. */
  private void refuse(HttpServerExchange exchange, int code, String message) {
    exchange.setPersistent(false);
    XnioExecutor.Key deadline = closing(exchange);
    exchange.addExchangeCompleteListener((done, next) -> {
      deadline.remove();
      next.proceed();
    });
    error(exchange, code, message);
  }

  /** Closes the connection of a request that takes too long. */
  private XnioExecutor.Key closing(HttpServerExchange exchange) {
    return exchange
        .getIoThread()
        .executeAfter(
            () -> IoUtils.safeClose(exchange.getConnection()),
            settings.limits().seconds(),
            TimeUnit.SECONDS);
  }

  private boolean carriesToken(HttpServerExchange exchange) {
    String given = exchange.getRequestHeaders().getFirst(Headers.AUTHORIZATION);
    return given != null && MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), token);
  }

  private void route(HttpServerExchange exchange) {
    String path = exchange.getRequestPath();
    if (path.equals("/score")) {
      post(exchange, this::score);
    } else if (path.equals("/metrics")) {
      exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "text/plain; version=0.0.4");
      get(exchange, metrics.scrape().getBytes(StandardCharsets.UTF_8));
    } else if (path.equals("/v2") || path.equals("/v2/")) {
      get(exchange, OpenInference.server(sottoVersion));
    } else {
      ModelPath.parse(path)
          .ifPresentOrElse(
              model -> model(exchange, model),
              () -> error(
                  exchange,
                  404,
                  "the paths are /score, /metrics, /v2, /v2/health/live,"
                      + " /v2/health/ready, /v2/models/NAME[/versions/N][/ready|/infer]"));
    }
  }

  private void model(HttpServerExchange exchange, ModelPath path) {
    if (path.action() == ModelPath.Action.INFER) {
      post(exchange, (each, body, lease) -> infer(each, path, body, lease));
      return;
    }
    try {
      ScoringModel model = require(path);
      headers(exchange, held(model));
      get(
          exchange,
          path.action() == ModelPath.Action.READY
              ? OpenInference.object(json -> {
                json.writeStringField("name", path.model());
                json.writeBooleanField("ready", true);
              })
              : OpenInference.model(path.model(), model, served));
    } catch (BadRequestException wrong) {
      error(exchange, wrong.code(), wrong.getMessage());
    }
  }

  /** The version in place, where a path names it. */
  private ScoringModel require(ModelPath path) throws BadRequestException {
    ScoringModel model = require();
    if (!path.model().equals(model.modelId()) && !alias.equals(Optional.of(path.model()))) {
      throw new BadRequestException(
          404,
          "this server has model " + model.modelId()
              + alias.map(name -> ", also under its alias " + name).orElse("") + ", not "
              + path.model());
    }
    if (path.version().isPresent() && path.version().getAsLong() != model.version()) {
      throw new BadRequestException(
          404,
          "version " + path.version().getAsLong()
              + " is not served: version " + model.version()
              + " is in place. A server that keeps one"
              + " version is started with its number");
    }
    return model;
  }

  private ScoringModel require() throws BadRequestException {
    Optional<ScoringModel> current = served.current();
    if (current.isEmpty()) {
      throw new BadRequestException(503, served.health().text());
    }
    return current.get();
  }

  private interface Body {
    void answer(HttpServerExchange exchange, byte[] body, RequestMemory.Lease lease)
        throws BadRequestException;
  }

  private void get(HttpServerExchange exchange, byte[] body) {
    String method = exchange.getRequestMethod().toString();
    if (method.equals("GET") || method.equals("HEAD")) {
      send(exchange, 200, body);
    } else {
      exchange.getResponseHeaders().put(Headers.ALLOW, "GET, HEAD");
      error(exchange, 405, "GET and HEAD only");
    }
  }

  private void post(HttpServerExchange exchange, Body answer) {
    if (!exchange.getRequestMethod().toString().equals("POST")) {
      exchange.getResponseHeaders().put(Headers.ALLOW, "POST");
      error(exchange, 405, "POST only");
      return;
    }
    long begun = System.nanoTime();
    RequestMemory.Lease lease = memory.new Lease();
    exchange.addExchangeCompleteListener((done, next) -> {
      lease.release();
      metrics.answered(done.getStatusCode(), System.nanoTime() - begun);
      next.proceed();
    });
    long length = exchange.getRequestContentLength();
    if (length > settings.limits().bodyBytes()) {
      refuse(exchange, 413, tooLarge());
      return;
    }
    try {
      lease.cover(
          EventScoring.KNOWN * (length < 0 ? settings.limits().bodyBytes() : length) + OVERHEAD);
    } catch (BadRequestException full) {
      refuse(exchange, full.code(), full.getMessage());
      return;
    }
    XnioExecutor.Key deadline = closing(exchange);
    exchange
        .getRequestReceiver()
        .receiveFullBytes(
            (each, body) -> {
              deadline.remove();
              try {
                answer.answer(each, body, lease);
              } catch (BadRequestException wrong) {
                error(each, wrong.code(), wrong.getMessage());
              } catch (RuntimeException broken) {
                LOG.warn("a request failed: {}", broken.getClass().getSimpleName(), broken);
                error(each, 500, "the log inside has the details");
              }
            },
            (each, failed) -> {
              deadline.remove();
              refuse(each, 413, tooLarge());
            });
  }

  private String tooLarge() {
    return "a body must have at most " + settings.limits().bodyBytes()
        + " bytes; send fewer events at a time";
  }

  private void score(HttpServerExchange exchange, byte[] body, RequestMemory.Lease lease)
      throws BadRequestException {
    Held now = held(require());
    EventScoring.Answer answer =
        EventScoring.score(body, now.scorer(), settings.limits().events(), lease);
    metrics.scored(answer.scored(), answer.unusable());
    headers(exchange, now);
    send(exchange, answer.code(), answer.body());
  }

  private void infer(
      HttpServerExchange exchange, ModelPath path, byte[] body, RequestMemory.Lease lease)
      throws BadRequestException {
    if (exchange.getRequestHeaders().contains("Inference-Header-Content-Length")) {
      throw new BadRequestException("tensors must be JSON: binary ones are not supported");
    }
    Held now = held(require(path));
    long parsed = PARSED * body.length;
    lease.cover(parsed);
    InferenceRequest request = InferenceRequest.parse(body, now.scorer().model());
    if (request.rows() > settings.limits().events()) {
      throw new BadRequestException(
          413, "inputs must have at most " + settings.limits().events() + " rows");
    }
    byte[] answer = OpenInference.infer(path.model(), request, now.scorer(), parsed, lease);
    metrics.scored(request.rows(), 0);
    headers(exchange, now);
    send(exchange, 200, answer);
  }

  /** The scorer of this thread, for the version in place. */
  private Held held(ScoringModel model) {
    Held now = held.get();
    if (now == null || now.scorer().model() != model) {
      now = Held.of(model);
      held.set(now);
    }
    return now;
  }

  private void headers(HttpServerExchange exchange, Held now) {
    exchange
        .getResponseHeaders()
        .put(MODEL, now.model())
        .put(VERSION, now.version())
        .put(EPSILON, now.epsilon())
        .put(DELTA, now.delta())
        .put(UNIT, now.unit());
    served
        .age()
        .ifPresent(age -> exchange.getResponseHeaders().put(AGE, Long.toString(age.toSeconds())));
  }

  private static void error(HttpServerExchange exchange, int code, String message) {
    if (code == 503) {
      exchange.getResponseHeaders().put(Headers.RETRY_AFTER, "1");
    }
    send(exchange, code, OpenInference.object(json -> json.writeStringField("error", message)));
  }

  private static void send(HttpServerExchange exchange, int code, byte[] body) {
    if (!exchange.getResponseHeaders().contains(Headers.CONTENT_TYPE)) {
      exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, JSON);
    }
    exchange.setStatusCode(code);
    exchange.getResponseSender().send(ByteBuffer.wrap(body));
  }

  /** Requests under way are answered, for some seconds; new ones are refused. */
  @Override
  public void close() {
    stopping = true;
    graceful.shutdown();
    try {
      graceful.awaitShutdown(settings.limits().seconds() * 1000L);
    } catch (InterruptedException now) {
      Thread.currentThread().interrupt();
    }
    undertow.stop();
  }
}
