package dev.sotto.app.serve;

import static dev.sotto.app.serve.RequestBodies.error;
import static dev.sotto.app.serve.RequestBodies.send;

import dev.sotto.app.http.HostCheck;
import dev.sotto.client.Scorer;
import dev.sotto.client.ScoringModel;
import dev.sotto.learner.accounting.Guarantee;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import java.net.InetAddress;
import java.net.URLEncoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The paths of a server: who may ask, what is asked for, and what is answered. */
final class RequestRoutes implements HttpHandler {
  private static final String BEARER = "Bearer ";

  /** Of a body of tensors: a number of two bytes becomes an object. */
  private static final long PARSED = 40;

  private static final int MOST_ABSENT = 20;

  private static final HttpString MODEL = new HttpString("Sotto-Model");
  private static final HttpString VERSION = new HttpString("Sotto-Version");
  private static final HttpString EPSILON = new HttpString("Sotto-Epsilon");
  private static final HttpString DELTA = new HttpString("Sotto-Delta");
  private static final HttpString UNIT = new HttpString("Sotto-Unit");
  private static final HttpString ABSENT = new HttpString("Sotto-Absent-Fields");
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

  /** As many as a header has room for. */
  private static String absent(List<String> fields) {
    return fields.stream()
        .limit(MOST_ABSENT)
        .map(each -> ascii(each).replace(",", "%2C"))
        .collect(Collectors.joining(","));
  }

  private final ServedModel served;
  private final Optional<String> alias;
  private final ServeSettings settings;
  private final String sottoVersion;
  private final HostCheck hosts; // null where any host may be named
  private final byte[] token; // null where none is asked for
  private final ServeMetrics metrics;
  private final RequestBodies bodies;
  private final ThreadLocal<Held> held = new ThreadLocal<>();
  private volatile boolean stopping;

  RequestRoutes(
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
    this.bodies = new RequestBodies(settings.limits(), metrics);
  }

  private static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException unknown) {
      return false;
    }
  }

  /** It is not ready any more. */
  void stop() {
    stopping = true;
  }

  @Override
  public void handleRequest(HttpServerExchange exchange) {
    bodies.bound(exchange);
    String path = exchange.getRequestPath();
    if (path.equals("/v2/health/live") || path.equals("/v2/health/ready")) {
      health(exchange);
    } else {
      admitted(exchange);
    }
  }

  private void health(HttpServerExchange exchange) {
    if (exchange.getRequestPath().endsWith("live")) {
      send(exchange, 200, OpenInference.object(json -> json.writeBooleanField("live", true)));
      return;
    }
    boolean ready = !stopping && served.current().isPresent();
    send(
        exchange,
        ready ? 200 : 503,
        OpenInference.object(json -> json.writeBooleanField("ready", ready)));
  }

  /** Who may not ask is refused before any byte of a body is read. */
  private void admitted(HttpServerExchange exchange) {
    String coding = exchange.getRequestHeaders().getFirst(Headers.TRANSFER_ENCODING);
    String packed = exchange.getRequestHeaders().getFirst(Headers.CONTENT_ENCODING);
    if (hosts != null && !hosts.admits(exchange.getRequestHeaders().getFirst(Headers.HOST))) {
      bodies.refuse(
          exchange,
          421,
          "this host is not one of the server's: ask by an address or localhost,"
              + " or list the name under --names");
    } else if (token != null && !carriesToken(exchange)) {
      exchange.getResponseHeaders().put(Headers.WWW_AUTHENTICATE, "Bearer");
      bodies.refuse(
          exchange, 401, "the header Authorization must be Bearer and the token of --token-file");
    } else if (coding != null && !coding.equalsIgnoreCase("chunked")) {
      bodies.refuse(exchange, 400, "Transfer-Encoding must be chunked, or left out");
    } else if (packed != null && !packed.equalsIgnoreCase("identity")) {
      bodies.refuse(
          exchange, 415, "Content-Encoding must be left out, since bodies are read as they are");
    } else {
      route(exchange);
    }
  }

  private boolean carriesToken(HttpServerExchange exchange) {
    String given = exchange.getRequestHeaders().getFirst(Headers.AUTHORIZATION);
    return given != null && MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), token);
  }

  private void route(HttpServerExchange exchange) {
    String path = exchange.getRequestPath();
    if (path.equals("/score")) {
      bodies.post(exchange, this::score);
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
      bodies.post(exchange, (each, body, lease) -> infer(each, path, body, lease));
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

  private void get(HttpServerExchange exchange, byte[] body) {
    String method = exchange.getRequestMethod().toString();
    if (method.equals("GET") || method.equals("HEAD")) {
      send(exchange, 200, body);
    } else {
      exchange.getResponseHeaders().put(Headers.ALLOW, "GET, HEAD");
      error(exchange, 405, "GET and HEAD only");
    }
  }

  private void score(HttpServerExchange exchange, byte[] body, RequestMemory.Lease lease)
      throws BadRequestException {
    Held now = held(require());
    EventScoring.Answer answer =
        EventScoring.score(body, now.scorer(), settings.limits().events(), lease);
    metrics.scored(answer.scored(), answer.unusable());
    headers(exchange, now);
    if (!answer.absent().isEmpty()) {
      exchange.getResponseHeaders().put(ABSENT, absent(answer.absent()));
    }
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
}
