package dev.sotto.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.serdes.event.AvroEventDecoder;
import dev.sotto.serdes.event.AvroFraming;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.feature.Transform;
import dev.sotto.topology.registry.RegistryClient;
import dev.sotto.topology.registry.SchemaRegistry;
import dev.sotto.topology.runtime.LearnerService;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.message.BinaryMessageEncoder;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A registry is gone when a learner starts. Stream threads give their records up unread more than
 * once; when the registry answers, the learner has learned what it would have learned from the same
 * events in Avro's single-object encoding.
 */
@Timeout(120)
class RegistryOutageIT {
  private static final Schema OLD = SchemaBuilder.record("E")
      .fields()
      .requiredDouble("x")
      .requiredInt("label")
      .endRecord();
  private static final Schema NEW = SchemaBuilder.record("E")
      .fields()
      .requiredInt("label")
      .optionalString("note")
      .requiredFloat("x")
      .endRecord();
  private static final FeatureMap MAP = FeatureMap.builder()
      .numeric("x", "x", -1, 1, Transform.IDENTITY, false)
      .label("label", new LabelRule.AsItIs())
      .build();
  private static final int EVENTS = 24;
  private static final int BATCH = 4;
  private static final int BOGUS = EVENTS; // one more event, whose id no registry has

  @TempDir
  Path folder;

  private final AtomicBoolean up = new AtomicBoolean();
  private final AtomicInteger refused = new AtomicInteger();

  @Test
  void goesOnAfterAnOutageAndSetsNothingAside() throws Exception {
    HttpServer server = registry();
    try (Cluster cluster = Cluster.embedded()) {
      List<byte[]> framed = new ArrayList<>();
      List<byte[]> twins = new ArrayList<>();
      events(framed, twins);
      var schemas = new SchemaRegistry(
          Optional.of(new RegistryClient(
              URI.create("http://127.0.0.1:" + server.getAddress().getPort()),
              () -> "",
              Optional.empty())),
          Optional.empty(),
          Duration.ofMillis(300));
      Trial trial = Trial.of("registry", folder, cluster.clients())
          .withModel(MAP.dimension(), BATCH, () -> new AvroEventDecoder(MAP, schemas, 1 << 20));
      cluster.createTopic(trial.topic(), 1, Map.of());
      try (LearnerService service = trial.start();
          var producer = cluster.producer(Map.of())) {
        framed.forEach(value -> producer.send(new ProducerRecord<>(trial.topic(), value)));
        producer.flush();
        await().until(() -> refused.get() >= 9);
        assertThat(service.failure()).isNull();
        assertThat(trial.published().ledger()).isEmpty();
        up.set(true);
        await()
            .until(() -> trial.published().ledger().size() >= EVENTS / BATCH
                && !trial.published().letters().isEmpty());
        assertThat(service.failure()).isNull();
      }
      Trial twin = trial.withModel(
          MAP.dimension(),
          BATCH,
          () -> new AvroEventDecoder(MAP, AvroFraming.SINGLE_OBJECT, List.of(OLD, NEW)));
      Published published = trial.published();
      assertThat(published.ledger())
          .extracting(LedgerEntry::snapshotDigest)
          .containsExactlyElementsOf(twin.expectedDigests(twins.subList(0, EVENTS)));
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
      Schema schema = id.equals("1") ? OLD : id.equals("2") ? NEW : null;
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
    server.start();
    return server;
  }

  private static void events(List<byte[]> framed, List<byte[]> twins) throws IOException {
    Random random = new Random(7);
    for (int i = 0; i <= BOGUS; i++) {
      Schema schema = random.nextBoolean() ? OLD : NEW;
      GenericRecord event = new GenericData.Record(schema);
      float x = 2 * random.nextFloat() - 1;
      event.put("x", schema == OLD ? (Object) (double) x : (Object) x);
      event.put("label", random.nextInt(2));
      var body = new ByteArrayOutputStream();
      BinaryEncoder out = EncoderFactory.get().binaryEncoder(body, null);
      new GenericDatumWriter<GenericRecord>(schema).write(event, out);
      out.flush();
      int id = i == BOGUS ? 99 : schema == OLD ? 1 : 2;
      framed.add(ByteBuffer.allocate(5 + body.size())
          .put((byte) 0)
          .putInt(id)
          .put(body.toByteArray())
          .array());
      ByteBuffer one =
          new BinaryMessageEncoder<GenericRecord>(GenericData.get(), schema).encode(event);
      byte[] twin = new byte[one.remaining()];
      one.get(twin);
      twins.add(twin);
    }
  }
}
