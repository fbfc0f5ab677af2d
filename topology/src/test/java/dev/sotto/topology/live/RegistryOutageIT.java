package dev.sotto.topology.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.serdes.event.AvroEventDecoder;
import dev.sotto.serdes.event.AvroFraming;
import dev.sotto.serdes.event.RegisteredEventDecoder;
import dev.sotto.serdes.schema.WriterSchema.Kind;
import dev.sotto.testbroker.Cluster;
import dev.sotto.topology.registry.RegistryClient;
import dev.sotto.topology.registry.SchemaRegistry;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.status.LifecyclePhase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.avro.Schema;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A registry is gone when a learner starts, which waits for the ids of what it publishes; then it
 * knows no ids of events. Stream threads give their records up unread more than
 * once; when the registry answers, the learner has learned what it would have learned from the same
 * events in Avro's single-object encoding. Of every second event the id stands in a header.
 */
class RegistryOutageIT {
  private static final int EVENTS = 24;
  private static final int BATCH = 4;
  private static final int BOGUS = EVENTS; // one more event, whose id no registry has

  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir
  Path folder;

  private static final int FIRST_OWN = 100;

  private final AtomicBoolean registers = new AtomicBoolean();
  private final AtomicBoolean up = new AtomicBoolean();
  private final List<String> registered = new CopyOnWriteArrayList<>();
  private final AtomicInteger refused = new AtomicInteger();

  @Test
  void goesOnAfterAnOutageAndSetsNothingAside() throws Exception {
    HttpServer server = registry();
    try (Cluster cluster = Cluster.shared()) {
      TwinEvents events = TwinEvents.of(EVENTS, 0, 1, 2);
      URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
      var schemas = new SchemaRegistry(
          Optional.of(new RegistryClient(url, () -> "", Optional.empty())),
          Optional.empty(),
          Duration.ofMillis(300));
      Trial trial = Trial.of("registry", folder, cluster.clients())
          .withModel(
              TwinEvents.MAP.dimension(),
              BATCH,
              () -> new RegisteredEventDecoder(TwinEvents.MAP, Kind.AVRO, schemas, 1 << 20));
      cluster.createTopic(trial.topic(), 1, Map.of());
      try (LearnerService service = FramedCopies.learner(trial, schemas, url);
          var producer = cluster.producer(Map.of())) {
        CompletableFuture<Void> start = CompletableFuture.runAsync(service::start);
        await().until(() -> service.status().waiting().isPresent());
        assertThat(service.phase()).isEqualTo(LifecyclePhase.STARTING);
        registers.set(true);
        start.join();
        assertThat(service.status().waiting()).isEmpty();
        events.records(trial.topic()).forEach(producer::send);
        producer.flush();
        await().until(() -> refused.get() >= 9);
        assertThat(service.failure()).isNull();
        assertThat(trial.published().ledger()).isEmpty();
        assertThat(service.status().waiting().orElseThrow().url()).isEqualTo(url);
        up.set(true);
        await()
            .until(() -> trial.published().ledger().size() >= EVENTS / BATCH
                && !trial.published().letters().isEmpty());
        assertThat(service.failure()).isNull();
        assertThat(service.status().waiting()).isEmpty();
      }
      FramedCopies.require(trial, id -> new Schema.Parser().parse(registered.get(id - FIRST_OWN)));
      Trial twin = trial.withModel(
          TwinEvents.MAP.dimension(),
          BATCH,
          () -> new AvroEventDecoder(
              TwinEvents.MAP, AvroFraming.SINGLE_OBJECT, List.of(TwinEvents.OLD, TwinEvents.NEW)));
      Published published = trial.published();
      assertThat(published.ledger())
          .extracting(LedgerEntry::snapshotDigest)
          .containsExactlyElementsOf(twin.expectedDigests(events.twins().subList(0, EVENTS)));
      assertThat(published.letters())
          .extracting(each -> Published.header(each, "sotto.offset"))
          .containsExactly(String.valueOf(BOGUS));
      assertThat(Published.header(published.letters().get(0), "sotto.reason"))
          .isEqualTo(RecordStatus.UNKNOWN_SCHEMA.name());
    } finally {
      server.stop(0);
    }
  }

  /** Threads that are replaced end with what they threw, which is no failure of the test. */
  private static ConditionFactory await() {
    return Awaitility.await()
        .dontCatchUncaughtExceptions()
        .atMost(Trial.PATIENCE.multipliedBy(2))
        .pollInterval(Duration.ofMillis(200));
  }

  private HttpServer registry() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    server.createContext("/schemas/ids/", exchange -> {
      String path = exchange.getRequestURI().getPath();
      String id = path.substring(path.lastIndexOf('/') + 1);
      Schema schema = id.equals("1") ? TwinEvents.OLD : id.equals("2") ? TwinEvents.NEW : null;
      int status = !up.get() ? 503 : schema == null ? 404 : 200;
      if (status == 503) {
        refused.incrementAndGet();
      }
      String answer = schema == null
          ? "{\"error_code\":40403,\"message\":\"Schema not found\"}"
          : "{\"schema\":\"" + schema.toString().replace("\"", "\\\"") + "\"}";
      byte[] body = answer.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
    server.createContext("/subjects/", exchange -> {
      byte[] body = "busy".getBytes(StandardCharsets.UTF_8);
      if (registers.get()) {
        String schema = JSON.readTree(exchange.getRequestBody()).get("schema").textValue();
        registered.add(schema);
        body = ("{\"id\":" + (FIRST_OWN + registered.indexOf(schema)) + "}")
            .getBytes(StandardCharsets.UTF_8);
      }
      exchange.sendResponseHeaders(registers.get() ? 200 : 503, body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
    server.start();
    return server;
  }
}
