package dev.sotto.topology.registry;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;

/** A registry's answers, given again by a server of this machine. */
final class RecordedRegistry implements AutoCloseable {
  static final String INT = "{\"schema\":\"\\\"int\\\"\"}";
  static final String LONG = "{\"schema\":\"\\\"long\\\"\"}";
  static final String NONE = "{\"error_code\":40403,\"message\":\"Schema not found\"}";

  /** How long its clients wait: no pause of the machine is taken for an outage. */
  static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final int FIRST_ID = 300;

  private final HttpServer server;
  private final Map<String, Answer> answers = new ConcurrentHashMap<>();
  final List<String> sent = new CopyOnWriteArrayList<>();
  final List<String> asked = new CopyOnWriteArrayList<>();

  private record Answer(int status, String body) {}

  RecordedRegistry(SSLContext tls) throws IOException {
    var address = new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0);
    if (tls == null) {
      server = HttpServer.create(address, 0);
    } else {
      HttpsServer secure = HttpsServer.create(address, 0);
      secure.setHttpsConfigurator(new HttpsConfigurator(tls));
      server = secure;
    }
    server.createContext("/", exchange -> {
      String path = exchange.getRequestURI().getRawPath();
      String credentials = exchange.getRequestHeaders().getFirst("Authorization");
      if (exchange.getRequestMethod().equals("POST")) {
        register(
            path, new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
      }
      asked.add(path + (credentials == null ? "" : " " + credentials));
      Answer answer = answers.getOrDefault(path, new Answer(503, "busy"));
      byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(answer.status(), body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
    server.start();
  }

  RecordedRegistry answer(int id, int status, String body) {
    answers.put("/api/schemas/ids/" + id, new Answer(status, body));
    return this;
  }

  /** A text that is sent for the first time gets the next id, where nothing else is to be said. */
  private void register(String path, String schema) {
    if (!sent.contains(schema)) {
      sent.add(schema);
    }
    int id = FIRST_ID + sent.indexOf(schema);
    answers.compute(
        path,
        (key, before) -> before != null && before.status() != 200
            ? before
            : new Answer(200, "{\"id\":" + id + ",\"version\":1}"));
  }

  /** What was sent when an id was given out. */
  String sent(int id) {
    return sent.get(id - FIRST_ID);
  }

  /** No answer of its own any more. */
  void forget(String subject) {
    answers.remove("/api/subjects/" + subject);
  }

  /** To {@code POST /subjects/<subject>}, or {@code .../versions}. */
  RecordedRegistry answer(String subject, int status, String body) {
    answers.put("/api/subjects/" + subject, new Answer(status, body));
    return this;
  }

  RecordedRegistry answer(UUID guid, int status, String body) {
    answers.put("/api/schemas/guids/" + guid, new Answer(status, body));
    return this;
  }

  /** To a path, with its escapes. */
  RecordedRegistry answerAt(String path, int status, String body) {
    answers.put(path, new Answer(status, body));
    return this;
  }

  URI url() {
    return url("/api/");
  }

  URI url(String path) {
    String scheme = server instanceof HttpsServer ? "https" : "http";
    return URI.create(scheme + "://127.0.0.1:" + server.getAddress().getPort() + path);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
