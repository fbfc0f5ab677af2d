package dev.sotto.topology.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.serdes.event.JsonEventDecoder;
import dev.sotto.serdes.event.RegisteredEventDecoder;
import dev.sotto.serdes.registry.SchemaHeaders;
import dev.sotto.serdes.schema.WriterSchema.Kind;
import dev.sotto.testbroker.Cluster;
import dev.sotto.testing.Seed;
import dev.sotto.topology.registry.RegistryClient;
import dev.sotto.topology.registry.SchemaRegistry;
import dev.sotto.topology.runtime.LearnerService;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protobuf through a broker, of every second event with its id in a header. */
class RegisteredProtobufIT {
  private static final int EVENTS = 12;
  private static final int BATCH = 4;

  @TempDir
  private Path folder;

  private static HttpServer registry() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    server.createContext("/", exchange -> {
      boolean known = exchange.getRequestURI().getPath().equals("/schemas/ids/5");
      byte[] body = (known
              ? "{\"schemaType\":\"PROTOBUF\",\"schema\":\"syntax = \\\"proto3\\\";"
                  + " message E { double x = 1; optional int32 label = 2; }\"}"
              : "{\"error_code\":40403}")
          .getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(known ? 200 : 404, body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
    server.start();
    return server;
  }

  /** 0, the id, the first message, and its two fields. */
  private static byte[] event(int id, double x, int label) {
    return ByteBuffer.allocate(17)
        .put((byte) 0)
        .putInt(id)
        .put((byte) 0)
        .put((byte) (1 << 3 | 1))
        .order(ByteOrder.LITTLE_ENDIAN)
        .putDouble(x)
        .put((byte) (2 << 3))
        .put((byte) label)
        .array();
  }

  private static ProducerRecord<byte[], byte[]> record(String topic, byte[] event, boolean header) {
    if (!header) {
      return new ProducerRecord<>(topic, event);
    }
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(topic, Arrays.copyOfRange(event, 6, event.length));
    record.headers().add(SchemaHeaders.CONFLUENT, Arrays.copyOf(event, 6));
    return record;
  }

  @Test
  void learnsWhatTheTwinInJsonLearns() throws Exception {
    HttpServer server = registry();
    try (Cluster cluster = Cluster.shared()) {
      var schemas = new SchemaRegistry(
          Optional.of(new RegistryClient(
              URI.create("http://127.0.0.1:" + server.getAddress().getPort()),
              () -> "",
              Optional.empty())),
          Optional.empty(),
          Duration.ofSeconds(30));
      int dimension = TwinEvents.MAP.dimension();
      Trial trial = Trial.of("protobuf", folder, cluster.clients())
          .withModel(
              dimension,
              BATCH,
              () -> new RegisteredEventDecoder(TwinEvents.MAP, Kind.PROTOBUF, schemas, 1 << 20));
      cluster.createTopic(trial.topic(), 1, Map.of());
      List<byte[]> twins = new ArrayList<>();
      Random random = Seed.random(8);
      try (LearnerService service = trial.start();
          var producer = cluster.producer(Map.of())) {
        for (int i = 0; i < EVENTS; i++) {
          double x = random.nextDouble();
          int label = random.nextInt(2);
          producer.send(record(trial.topic(), event(5, x, label), i % 2 == 1));
          twins.add(("{\"x\":" + x + ",\"label\":" + label + "}").getBytes(StandardCharsets.UTF_8));
        }
        producer.send(record(trial.topic(), event(6, 1, 1), false)); // an id that nobody has
        producer.send(record(trial.topic(), Arrays.copyOf(event(5, 1, 1), 12), false));
        producer.flush();
        Awaitility.await()
            .atMost(Trial.PATIENCE)
            .until(() -> trial.published().ledger().size() >= EVENTS / BATCH
                && trial.published().letters().size() == 2);
        assertThat(service.failure()).isNull();
      }
      Trial twin = trial.withModel(dimension, BATCH, () -> new JsonEventDecoder(TwinEvents.MAP));
      assertThat(trial.published().ledger())
          .extracting(LedgerEntry::snapshotDigest)
          .containsExactlyElementsOf(twin.expectedDigests(twins));
      assertThat(trial.published().letters())
          .extracting(each -> Published.header(each, "sotto.reason"))
          .containsExactly("UNKNOWN_SCHEMA", "UNREADABLE");
    } finally {
      server.stop(0);
    }
  }
}
