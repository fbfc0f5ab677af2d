package dev.sotto.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.sotto.replay.cluster.OutputListener;
import dev.sotto.replay.recording.InMemoryRecording;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.event.JsonEventDecoder;
import dev.sotto.serdes.event.RegisteredEventDecoder;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.feature.Transform;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.registry.SchemaHeaders;
import dev.sotto.serdes.registry.SchemaIdFile;
import dev.sotto.serdes.registry.SchemaIds;
import dev.sotto.serdes.schema.WriterSchema.Kind;
import dev.sotto.testing.Seed;
import dev.sotto.topology.registry.RegistryClient;
import dev.sotto.topology.registry.SchemaRegistry;
import dev.sotto.topology.settings.Layout;
import java.io.ByteArrayOutputStream;
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
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Events behind ids of a registry learn what their twins in plain JSON learn. */
class RegisteredFormatsReplayTest {
  private static final int OLD = 7;
  private static final int NEW = 300;
  private static final int NONE = 9;

  private static final String OLD_PROTO =
      "syntax = \\\"proto3\\\"; message E { double x = 1; int32 label = 2; optional double z = 3; }";
  private static final String NEW_PROTO = "syntax = \\\"proto3\\\"; import \\\"in.proto\\\";"
      + " message Other { double x = 1; }"
      + " message E { sotto.In in = 4; double x = 1; int32 label = 2; }";
  private static final String IN_PROTO =
      "syntax = \\\"proto3\\\"; package sotto; message In { double y = 1; }";

  private static final String APICURIO = "/apis/registry/v2";

  /** What a registry answers. */
  private static final Map<String, String> ANSWERS = Map.ofEntries(
      Map.entry("/schemas/ids/7", "{\"schemaType\":\"PROTOBUF\",\"schema\":\"" + OLD_PROTO + "\"}"),
      Map.entry(
          "/schemas/ids/300",
          "{\"schemaType\":\"PROTOBUF\",\"schema\":\"" + NEW_PROTO
              + "\",\"references\":[{\"name\":\"in.proto\",\"subject\":\"in/p\",\"version\":2}]}"),
      Map.entry(
          "/subjects/in%2Fp/versions/2",
          "{\"schemaType\":\"PROTOBUF\",\"schema\":\"" + IN_PROTO + "\"}"),
      Map.entry(
          "/json/schemas/ids/7",
          "{\"schemaType\":\"JSON\",\"schema\":\"{\\\"type\\\":\\\"object\\\"}\"}"),
      Map.entry("/json/schemas/ids/300", "{\"schemaType\":\"JSON\",\"schema\":\"{}\"}"),
      Map.entry(APICURIO + "/ids/globalIds/7", OLD_PROTO.replace("\\", "")),
      Map.entry(APICURIO + "/ids/globalIds/7/references", "[]"),
      Map.entry(APICURIO + "/ids/contentIds/300", NEW_PROTO.replace("\\", "")),
      Map.entry(
          APICURIO + "/ids/contentIds/300/references",
          "[{\"name\":\"in.proto\",\"groupId\":null,\"artifactId\":\"in/p\",\"version\":\"2\"}]"),
      Map.entry(
          APICURIO + "/groups/default/artifacts/in%2Fp/versions/2", IN_PROTO.replace("\\", "")),
      Map.entry(APICURIO + "/groups/default/artifacts/in%2Fp/versions/2/references", "[]"));

  private static final FeatureMap MAP = FeatureMap.builder()
      .bias(true)
      .numeric("x", "x", -1, 1, Transform.IDENTITY, false)
      .numeric("y", "in.y", -1, 1, Transform.IDENTITY, true)
      .numeric("z", "z", -1, 1, Transform.IDENTITY, true)
      .label("label", new LabelRule.AsItIs())
      .build();

  @TempDir
  private Path folder;

  /** How events are written. */
  private enum Form {
    PLAIN(null),
    PROTOBUF(Kind.PROTOBUF),
    PROTOBUF_IN_HEADERS(Kind.PROTOBUF),
    PROTOBUF_OF_APICURIO(Kind.PROTOBUF),
    JSON(Kind.JSON);

    private final Kind kind;

    Form(Kind kind) {
      this.kind = kind;
    }
  }

  private static byte[] number(int id) {
    return ByteBuffer.allocate(5).put((byte) 0).putInt(id).array();
  }

  private static void put(ByteArrayOutputStream out, int tag, double value) {
    out.write(tag);
    out.writeBytes(
        ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putDouble(value).array());
  }

  /** An event of the old or the new schema: the new one's message is the second of its file. */
  private static byte[] event(
      Form form, boolean old, double x, int label, double further, RecordHeaders headers) {
    var bytes = new ByteArrayOutputStream();
    int id = old ? OLD : NEW;
    if (form == Form.PLAIN || form == Form.JSON) {
      if (form == Form.JSON) {
        bytes.writeBytes(number(id));
      }
      String rest = old ? "\"z\":" + further : "\"in\":{\"y\":" + further + "}";
      bytes.writeBytes(String.format(Locale.ROOT, "{\"x\":%s,\"label\":%d,%s}", x, label, rest)
          .getBytes(StandardCharsets.UTF_8));
      return bytes.toByteArray();
    }
    byte[] message = old ? new byte[] {0} : new byte[] {2, 2};
    if (form == Form.PROTOBUF) {
      bytes.writeBytes(number(id));
      bytes.writeBytes(message);
    } else if (form == Form.PROTOBUF_OF_APICURIO && old) { // its globalId, and a reference
      bytes.writeBytes(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, OLD, 3, 10, 1, 'E'});
    } else if (form == Form.PROTOBUF_OF_APICURIO) {
      headers.add(SchemaHeaders.CONTENT_ID, ByteBuffer.allocate(8).putLong(id).array());
      headers.add(SchemaHeaders.MESSAGE, new byte[] {'E'});
    } else {
      headers.add(
          SchemaHeaders.CONFLUENT,
          ByteBuffer.allocate(5 + message.length).put(number(id)).put(message).array());
    }
    put(bytes, 1 << 3 | 1, x);
    if (label != 0) { // as writers of proto3 leave it out
      bytes.write(2 << 3);
      bytes.write(label);
    }
    if (old) {
      put(bytes, 3 << 3 | 1, further);
    } else {
      bytes.write(4 << 3 | 2);
      bytes.write(9);
      put(bytes, 1 << 3 | 1, further);
    }
    return bytes.toByteArray();
  }

  private static InMemoryRecording recording(Form form) {
    Random random = Seed.random(3);
    InMemoryRecording.Builder made =
        InMemoryRecording.of(Streams.EVENTS).topicId("topic-id").partition(0, 0);
    for (int offset = 0; offset < 40; offset++) {
      var headers = new RecordHeaders();
      byte[] value = event(
          form,
          random.nextBoolean(),
          random.nextDouble(),
          random.nextInt(2),
          random.nextDouble(),
          headers);
      made.add(0, offset, 1 + offset, new byte[] {(byte) offset}, value, headers);
    }
    return made.build();
  }

  private static List<String> learned(
      Layout layout, Supplier<EventDecoder> decoder, InMemoryRecording recording) {
    List<String> outputs = new ArrayList<>();
    new Replay(Streams.settings(layout, Streams.plan(Streams.FTRL, 5)).with(decoder), recording)
        .seed(1)
        .run(new OutputListener() {
          @Override
          public void ledger(int partition, String modelId, byte[] entry) {
            outputs.add(HexFormat.of().formatHex(Codecs.LEDGER.decode(entry).snapshotDigest()));
          }

          @Override
          public void deadLetter(Record<byte[], byte[]> letter) {
            outputs.add("dead letter");
          }
        });
    return outputs;
  }

  private static Supplier<EventDecoder> decoder(Form form, SchemaRegistry registry) {
    return form == Form.PLAIN
        ? () -> new JsonEventDecoder(MAP)
        : () -> new RegisteredEventDecoder(
            MAP,
            form.kind,
            form == Form.PROTOBUF_OF_APICURIO ? SchemaIds.APICURIO_GLOBAL : SchemaIds.CONFLUENT,
            registry,
            1 << 20);
  }

  private static HttpServer server(List<String> asked) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    server.createContext("/", exchange -> {
      String path = exchange.getRequestURI().getRawPath();
      asked.add(path);
      String found = ANSWERS.get(path);
      byte[] body =
          (found == null ? "{\"error_code\":40403}" : found).getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(found == null ? 404 : 200, body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
    server.start();
    return server;
  }

  private static SchemaRegistry registry(Form form, HttpServer server, Path file)
      throws IOException {
    Optional<URI> url = Optional.ofNullable(server)
        .map(each -> URI.create("http://127.0.0.1:" + each.getAddress().getPort()
            + (form == Form.JSON ? "/json" : form == Form.PROTOBUF_OF_APICURIO ? APICURIO : "")));
    return new SchemaRegistry(
        url.map(each -> new RegistryClient(each, () -> "", Optional.empty())),
        Optional.of(new SchemaIdFile(file)),
        Duration.ofSeconds(30));
  }

  @ParameterizedTest
  @EnumSource(names = "PLAIN", mode = EnumSource.Mode.EXCLUDE)
  void learnsWhatTheTwinLearnsFromARegistryAndFromItsFile(Form form) throws IOException {
    List<String> asked = new CopyOnWriteArrayList<>();
    HttpServer server = server(asked);
    Path file = folder.resolve("ids.jsonl");
    try {
      SchemaRegistry registry = registry(form, server, file);
      for (Layout layout : Layout.values()) {
        List<String> twin = learned(layout, decoder(Form.PLAIN, registry), recording(Form.PLAIN));
        assertThat(twin).hasSize(8).doesNotContain("dead letter").doesNotHaveDuplicates();
        assertThat(learned(layout, decoder(form, registry), recording(form))).isEqualTo(twin);
      }
    } finally {
      server.stop(0);
    }
    assertThat(asked)
        .doesNotHaveDuplicates()
        .hasSize(form == Form.JSON ? 2 : form == Form.PROTOBUF_OF_APICURIO ? 6 : 3);
    SchemaRegistry offline = registry(form, null, file);
    assertThat(learned(Layout.DIRECT, decoder(form, offline), recording(form)))
        .isEqualTo(learned(Layout.DIRECT, decoder(Form.PLAIN, offline), recording(Form.PLAIN)));
  }

  /** What has no schema, or does not fit, is set aside, and moves no slot but its own. */
  @Test
  void setsAsideWhatCannotBeRead() throws IOException {
    HttpServer server = server(new CopyOnWriteArrayList<>());
    try {
      SchemaRegistry registry = registry(Form.PROTOBUF, server, folder.resolve("ids.jsonl"));
      InMemoryRecording.Builder made =
          InMemoryRecording.of(Streams.EVENTS).topicId("topic-id").partition(0, 0);
      var none = new RecordHeaders();
      byte[] good = event(Form.PROTOBUF, true, 0.5, 1, 0.25, none);
      byte[] unknown = good.clone();
      unknown[4] = NONE;
      byte[] cut = Arrays.copyOf(good, good.length - 1);
      List<byte[]> values = List.of(good, unknown, good, cut, good);
      for (int i = 0; i < values.size(); i++) {
        made.add(0, i, 1 + i, new byte[] {(byte) i}, values.get(i), none);
      }
      assertThat(learned(Layout.DIRECT, decoder(Form.PROTOBUF, registry), made.build()))
          .filteredOn("dead letter"::equals)
          .hasSize(2);
    } finally {
      server.stop(0);
    }
  }
}
