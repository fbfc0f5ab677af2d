package dev.sotto.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.replay.cluster.OutputListener;
import dev.sotto.replay.recording.InMemoryRecording;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.event.LabelledDecoder;
import dev.sotto.serdes.event.MissingLabel;
import dev.sotto.serdes.event.RegisteredEventDecoder;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.feature.Transform;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.registry.RecordPlace;
import dev.sotto.serdes.registry.SchemaIdFile;
import dev.sotto.serdes.schema.WriterSchema.Kind;
import dev.sotto.topology.registry.RegistryClient;
import dev.sotto.topology.registry.SchemaRegistry;
import dev.sotto.topology.settings.LateLabels;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
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
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two logs that differ in one record. In one of them it names a schema that is registered while the
 * log is read, and that many others name afterwards: their slots are the same in both.
 */
class AbsentSchemaSlotsTest {
  private static final int EVENTS = 60;
  private static final int TARGET = 3;
  private static final int REGISTERED = 10;
  private static final int OTHERS = 20;
  private static final int EARLY = 7;
  private static final int LATE = 77;
  private static final FeatureMap MAP = FeatureMap.builder()
      .bias(true)
      .numeric("x", "x", -1, 1, Transform.IDENTITY, false)
      .numeric("y", "y", -1, 1, Transform.IDENTITY, true)
      .numeric("z", "z", -1, 1, Transform.IDENTITY, true)
      .label("label", new LabelRule.AsItIs())
      .build();

  @TempDir
  private Path folder;

  private final AtomicBoolean registered = new AtomicBoolean();
  private HttpServer server;

  /** What became of the records, by their keys, and what was published. */
  private record World(Map<Integer, RecordStatus> statuses, List<String> versions) {}

  @BeforeEach
  void start() throws IOException {
    String schema =
        "{\"schema\":\"{\\\"type\\\":\\\"record\\\",\\\"name\\\":\\\"E\\\",\\\"fields\\\":["
            + "{\\\"name\\\":\\\"x\\\",\\\"type\\\":\\\"double\\\"},"
            + "{\\\"name\\\":\\\"label\\\",\\\"type\\\":\\\"double\\\"}]}\"}";
    server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    server.createContext("/", exchange -> {
      boolean known =
          exchange.getRequestURI().getPath().equals("/schemas/ids/" + EARLY) || registered.get();
      byte[] body = (known ? schema : "{\"error_code\":40403}").getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(known ? 200 : 404, body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private SchemaRegistry registry(String file) throws IOException {
    URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    return new SchemaRegistry(
        Optional.of(new RegistryClient(url, () -> "", Optional.empty())),
        Optional.of(new SchemaIdFile(folder.resolve(file))),
        Duration.ZERO);
  }

  private static InMemoryRecording recording(String topic, boolean withTarget) {
    InMemoryRecording.Builder made =
        InMemoryRecording.of(topic).topicId("topic-id").partition(0, 0);
    for (int offset = 0; offset < EVENTS; offset++) {
      byte[] value = ByteBuffer.allocate(21)
          .putInt(1, offset == TARGET || offset >= OTHERS ? LATE : EARLY)
          .order(ByteOrder.LITTLE_ENDIAN)
          .putDouble(5, offset % 7 / 7.0)
          .putDouble(13, offset % 2)
          .array();
      byte[] key = {(byte) offset};
      boolean emptied = offset == TARGET && !withTarget;
      made.add(0, offset, 1 + offset, key, emptied ? null : value, new RecordHeaders());
    }
    return made.build();
  }

  /** Registers the schema once so much was read, and keeps what became of each record. */
  private final class Watching implements EventDecoder {
    private final EventDecoder decoder;
    private final Map<Integer, RecordStatus> statuses;

    Watching(EventDecoder decoder, Map<Integer, RecordStatus> statuses) {
      this.decoder = decoder;
      this.statuses = statuses;
    }

    @Override
    public int dimension() {
      return decoder.dimension();
    }

    @Override
    public void placedBy(RecordPlace place) {
      decoder.placedBy(place);
    }

    @Override
    public RecordStatus decode(byte[] key, byte[] value, Slot into) {
      RecordStatus status = decoder.decode(key, value, into);
      if (key[0] == REGISTERED) {
        registered.set(true);
      }
      statuses.put((int) key[0], status);
      return status;
    }
  }

  private World world(LearnerSettings settings, Replay replay, World into) throws IOException {
    replay.seed(1).run(new OutputListener() {
      @Override
      public void ledger(int partition, String modelId, byte[] entry) {
        into.versions().add(HexFormat.of().formatHex(Codecs.LEDGER.decode(entry).snapshotDigest()));
      }
    });
    return into;
  }

  private World world(Layout layout, boolean withTarget, SchemaRegistry registry)
      throws IOException {
    World into = new World(new TreeMap<>(), new ArrayList<>());
    Supplier<EventDecoder> decoder = () -> new Watching(
        new RegisteredEventDecoder(MAP, Kind.AVRO, registry, 1 << 20), into.statuses());
    LearnerSettings settings =
        Streams.settings(layout, Streams.plan(Streams.FTRL, 5)).with(decoder);
    return world(settings, new Replay(settings, recording(Streams.EVENTS, withTarget)), into);
  }

  private static void assertOneSlotDiffers(World with, World without) {
    assertThat(with.statuses()).containsEntry(TARGET, RecordStatus.UNKNOWN_SCHEMA);
    assertThat(without.statuses().get(TARGET)).isNotEqualTo(RecordStatus.USED);
    with.statuses().remove(TARGET);
    without.statuses().remove(TARGET);
    assertThat(with.statuses())
        .hasSize(EVENTS - 1)
        .allSatisfy((key, status) -> assertThat(status).isEqualTo(RecordStatus.USED))
        .isEqualTo(without.statuses());
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void oneRecordDecidesOneSlotAndKeepsIt(Layout layout) throws IOException {
    World without = world(layout, false, registry("without"));
    registered.set(false);
    World with = world(layout, true, registry("with"));
    assertThat(registered).isTrue(); // whoever reads the record again could have its schema now
    World again = world(layout, true, registry("with"));
    assertThat(again).isEqualTo(with);
    assertThat(with.versions()).hasSize(EVENTS / 5).doesNotHaveDuplicates();
    World forgotten = world(layout, true, registry("lost"));
    assertThat(forgotten.statuses()).containsEntry(TARGET, RecordStatus.USED);
    assertThat(forgotten.versions()).isNotEqualTo(with.versions());
    assertOneSlotDiffers(with, without);
  }

  @Test
  void oneRecordDecidesOneSlotWhereLabelsComeLater() throws IOException {
    World without = joined(false, registry("without"));
    registered.set(false);
    assertOneSlotDiffers(joined(true, registry("with")), without);
  }

  private World joined(boolean withTarget, SchemaRegistry registry) throws IOException {
    World into = new World(new TreeMap<>(), new ArrayList<>());
    Supplier<EventDecoder> decoder = () -> new Watching(
        new LabelledDecoder(
            MAP,
            new RegisteredEventDecoder(MAP, Kind.AVRO, registry, 1 << 20),
            new RegisteredEventDecoder(MAP, Kind.AVRO, registry, 1 << 20),
            MissingLabel.EMPTY),
        into.statuses());
    LateLabels labels = new LateLabels(
        Streams.EVENTS,
        "labels",
        Optional.empty(),
        Duration.ofMillis(5),
        Duration.ZERO,
        OptionalLong.empty());
    LearnerSettings settings = Streams.settings(Layout.DIRECT, Streams.plan(Streams.FTRL, 5))
        .with(decoder)
        .with(Optional.of(labels));
    Replay replay = new Replay(settings, recording(Streams.EVENTS, withTarget))
        .labels(recording("labels", withTarget));
    return world(settings, replay, into);
  }
}
