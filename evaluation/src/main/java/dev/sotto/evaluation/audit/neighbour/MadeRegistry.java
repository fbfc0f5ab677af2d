package dev.sotto.evaluation.audit.neighbour;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.avro.Schema;

/**
 * A schema registry of made schemas, on this machine. One of them is registered while a log is
 * read: when, is decided by a record's place.
 */
final class MadeRegistry implements AutoCloseable {
  private static final int FIRST = 7;
  private static final int SECOND = 8;
  private static final int LATE = 77;
  private static final int UNUSABLE = 90;
  private static final int REFUSED = 91;
  private static final int MISSING = 92;
  private static final ObjectMapper JSON = new ObjectMapper();

  static {
    // Read once by the JDK's server: else a body waits 40 ms for its head to be acknowledged.
    System.getProperties().putIfAbsent("sun.net.httpserver.nodelay", "true");
  }

  private final HttpServer server;
  private final AtomicBoolean registered = new AtomicBoolean();
  private final List<Schema> schemas;

  /**
   * A registry that answers.
   *
   * @param one a schema
   * @param two another one
   */
  MadeRegistry(Schema one, Schema two) throws IOException {
    this.schemas = List.of(one, two);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    int status = 404;
    String body = "{\"error_code\":40403}";
    if (path.equals("/schemas/ids/" + FIRST)) {
      status = 200;
      body = JSON.writeValueAsString(Map.of("schema", schemas.get(0).toString()));
    } else if (path.equals("/schemas/ids/" + SECOND)
        || path.equals("/schemas/ids/" + LATE) && registered.get()) {
      status = 200;
      body = JSON.writeValueAsString(Map.of("schema", schemas.get(1).toString()));
    } else if (path.equals("/schemas/ids/" + UNUSABLE)) {
      status = 200;
      body = "{\"schemaType\":\"PROTOBUF\",\"schema\":\"syntax = \\\"proto3\\\";\"}";
    } else if (path.equals("/schemas/ids/" + REFUSED)) {
      status = 403;
      body = "{}";
    }
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Another log begins: the late schema is not there yet. */
  void restart() {
    registered.set(false);
  }

  /** The late schema is registered. */
  void register() {
    registered.set(true);
  }

  /** Values of the schemas that are there from the beginning. */
  AvroValues values(FieldTexts fields) {
    return new AvroValues(fields, schemas, List.of(head(FIRST), head(SECOND)));
  }

  /** Values of the schema that is registered late. */
  AvroValues late(FieldTexts fields) {
    return new AvroValues(fields, List.of(schemas.get(1)), List.of(head(LATE)));
  }

  /** What stands before a body, of a schema that there is not, or not yet, or not for everybody. */
  byte[] oddHead(Random random) {
    return switch (random.nextInt(5)) {
      case 0 -> head(UNUSABLE);
      case 1 -> head(REFUSED);
      case 2 -> head(MISSING);
      case 3 -> {
        UUID guid = new UUID(random.nextLong(), random.nextLong());
        yield ByteBuffer.allocate(17)
            .put((byte) 1)
            .putLong(guid.getMostSignificantBits())
            .putLong(guid.getLeastSignificantBits())
            .array();
      }
      default -> head(LATE);
    };
  }

  private static byte[] head(int id) {
    return ByteBuffer.allocate(5).put((byte) 0).putInt(id).array();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
