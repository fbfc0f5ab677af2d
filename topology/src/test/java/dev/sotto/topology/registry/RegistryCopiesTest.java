package dev.sotto.topology.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.testing.Seed;
import dev.sotto.topology.LearnerDriver;
import dev.sotto.topology.Trial;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.failure.TransientException;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.Names;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RegistryCopiesTest {
  private static final String LEDGER = Trial.APP + ".ledger.registry";
  private static final String SNAPSHOTS = Trial.APP + ".snapshots.registry";
  private static final Map<RegistryCopies.Kind, String> TOPICS =
      Map.of(RegistryCopies.Kind.LEDGER, LEDGER, RegistryCopies.Kind.SNAPSHOTS, SNAPSHOTS);
  private static final String ENTRIES = LEDGER + "-value";
  private static final String MANIFESTS =
      SNAPSHOTS + "-" + Codecs.SNAPSHOT.schema().getFullName();
  private static final String CHUNKS = SNAPSHOTS + "-" + Codecs.CHUNK.schema().getFullName();

  @TempDir
  private Path folder;

  private static RegistryCopies copies(RecordedRegistry server, boolean registers) {
    return new RegistryCopies(
        new RegistryClient(
            server.url(),
            () -> "",
            Optional.empty(),
            CopySettings.PREFIX,
            RecordedRegistry.PATIENCE),
        Set.of(RegistryCopies.Kind.values()),
        registers);
  }

  /** As any consumer reads them that resolves the id: the schema is the one that was registered. */
  private static GenericRecord read(RecordedRegistry server, byte[] value) throws IOException {
    ByteBuffer framed = ByteBuffer.wrap(value);
    assertThat(framed.get()).isZero();
    String sent = server.sent(framed.getInt());
    Schema schema = new Schema.Parser()
        .parse(new ObjectMapper().readTree(sent).get("schema").textValue());
    return new GenericDatumReader<GenericRecord>(schema)
        .read(null, DecoderFactory.get().binaryDecoder(value, 5, value.length - 5, null));
  }

  @Test
  void areReadByWhoeverResolvesTheIdsAndLeaveTheOriginalsAsTheyAre() throws IOException {
    try (RecordedRegistry server = new RecordedRegistry(null)) {
      RegistryCopies copies = copies(server, true);
      copies.prepare(TOPICS, () -> false);
      List<byte[]> without = new ArrayList<>();
      learn(Optional.empty(), "without")
          .forEach((topic, records) -> records.forEach(each -> without.add(each.value())));
      List<byte[]> originals = new ArrayList<>();
      List<GenericRecord> copied = new ArrayList<>();
      for (var topic : learn(Optional.of(copies), "with").entrySet()) {
        for (TestRecord<byte[], byte[]> each : topic.getValue()) {
          if (topic.getKey().endsWith(".registry")) {
            copied.add(read(server, each.value()));
          } else {
            originals.add(each.value());
          }
        }
      }
      assertThat(originals).hasSize(6).hasSameSizeAs(without).hasSameSizeAs(copied);
      for (int i = 0; i < without.size(); i++) {
        assertThat(originals.get(i)).isEqualTo(without.get(i));
      }
      assertThat(copied.subList(0, 2))
          .extracting(each -> each.get("round"))
          .containsExactly(1L, 2L);
      assertThat(copied.subList(2, 6))
          .extracting(each -> each.getSchema().getName())
          .containsExactly("WeightsChunk", "ModelSnapshot", "WeightsChunk", "ModelSnapshot");
    }
  }

  /** What two rounds publish, by topic, in the order of topics and copies. */
  private Map<String, List<TestRecord<byte[], byte[]>>> learn(
      Optional<RegistryCopies> copies, String name) {
    Random random = Seed.random(5);
    try (LearnerDriver driver = new LearnerDriver(
        Trial.settings(Layout.DIRECT, Trial.ONE, Trial.plan(3, 4)),
        folder.resolve(name),
        1,
        copies)) {
      for (int i = 0; i < 8; i++) {
        driver.pipe(null, Trial.event(random, 3));
      }
      Map<String, List<TestRecord<byte[], byte[]>>> all = new LinkedHashMap<>();
      for (String topic : List.of(Names.ledger(Trial.APP), Names.snapshots(Trial.APP))) {
        all.put(topic, driver.take(topic));
        if (copies.isPresent()) {
          all.put(Names.registryCopy(topic), driver.take(Names.registryCopy(topic)));
        }
      }
      return all;
    }
  }

  @Test
  void waitsForTheRegistryAndSaysSince() throws IOException {
    try (RecordedRegistry server =
        new RecordedRegistry(null).answer(MANIFESTS + "/versions", 503, "busy")) {
      RegistryCopies copies = copies(server, true);
      assertThat(copies.waiting()).isEmpty();
      var prepared = CompletableFuture.runAsync(() -> copies.prepare(TOPICS, () -> false));
      while (server.asked.stream()
              .filter(each -> each.contains("ModelSnapshot"))
              .count()
          < 2) {
        Thread.onSpinWait();
      }
      assertThat(prepared).isNotDone();
      assertThat(copies.waiting().orElseThrow().sentence())
          .contains("waiting for the schema registry at " + server.url());
      server.forget(MANIFESTS + "/versions");
      prepared.join();
      assertThat(copies.waiting()).isEmpty();
    }
  }

  @Test
  void stopsWaitingWhenToldTo() throws IOException {
    AtomicBoolean stopped = new AtomicBoolean();
    try (RecordedRegistry server =
        new RecordedRegistry(null).answer(ENTRIES + "/versions", 503, "busy")) {
      RegistryCopies copies = copies(server, true);
      var prepared = CompletableFuture.runAsync(() -> copies.prepare(TOPICS, stopped::get));
      while (server.asked.isEmpty()) {
        Thread.onSpinWait();
      }
      stopped.set(true);
      assertThatThrownBy(prepared::join).hasCauseInstanceOf(TransientException.class);
    }
  }

  @Test
  void saysWhyTheRegistryGivesNoId() throws IOException {
    try (RecordedRegistry server = new RecordedRegistry(null)) {
      server.answer(ENTRIES + "/versions", 409, "{\"error_code\":409}");
      assertThatThrownBy(() -> copies(server, true).prepare(TOPICS, () -> false))
          .isInstanceOf(SottoException.class)
          .hasMessageContaining("no id for LedgerEntry under subject " + ENTRIES)
          .hasMessageContaining("incompatible");
      server.answer(ENTRIES, 404, "{\"error_code\":40401,\"message\":\"Subject not found\"}");
      assertThatThrownBy(() -> copies(server, false).prepare(TOPICS, () -> false))
          .isInstanceOf(SottoException.class)
          .hasMessageContaining("register it (./sotto schemas --out FOLDER")
          .hasMessageContaining("published.registry.schemas");
      server.forget(ENTRIES);
      RegistryCopies copies = copies(server, false);
      copies.prepare(TOPICS, () -> false);
      assertThat(copies.framed(null)).isNull();
      assertThat(server.asked).endsWith("/api/subjects/" + MANIFESTS, "/api/subjects/" + CHUNKS);
    }
  }
}
