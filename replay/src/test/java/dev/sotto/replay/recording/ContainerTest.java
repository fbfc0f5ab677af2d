package dev.sotto.replay.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.replay.recorder.Recordings;
import dev.sotto.replay.recording.Made.One;
import dev.sotto.replay.recording.container.Compression;
import dev.sotto.topology.encryption.Encryption;
import dev.sotto.topology.encryption.Keyset;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Containers come back as they were written, whole or in two goes. */
class ContainerTest {
  @TempDir
  Path folder;

  private static List<One> records() {
    List<One> all = new ArrayList<>(Made.records(0, 400, 1));
    all.addAll(Made.records(2, 20, 1));
    return all;
  }

  private Encryption encryption(boolean encrypted) throws IOException {
    Path key = folder.resolve("key");
    return !encrypted
        ? Encryption.none()
        : Files.exists(key) ? Keyset.read(key) : Keyset.create(key);
  }

  @ParameterizedTest
  @CsvSource({
    "null, false",
    "deflate, false",
    "zstandard, false",
    "null, true",
    "deflate, true",
    "zstandard, true"
  })
  void givesBackWhatWasWritten(String codec, boolean encrypted) throws IOException {
    Encryption encryption = encryption(encrypted);
    Compression compression = Compression.of(codec).orElseThrow();
    Path file = folder.resolve("recording");
    Made.write(file, Made.ranges(), records(), compression, encryption);
    for (Integrity integrity : Integrity.values()) {
      RecordingOptions options = RecordingOptions.defaults().with(encryption).with(integrity);
      assertThat(Made.read(file, options)).isEqualTo(records());
    }
    RecordingHeader header =
        Recordings.open(file, RecordingOptions.defaults().with(encryption)).header();
    assertThat(header.ranges())
        .containsExactly(
            new RecordedRange(0, 10, 1000, 400),
            new RecordedRange(2, 0, 50, 20),
            new RecordedRange(3, 0, 1_000_000, 0));
    assertThat(header.digest()).matches("[0-9a-f]{64}");
    assertThat(List.of(
            header.format(), header.clusterId(), header.topic(), header.topicId(), header.schema()))
        .containsExactly("avro", "cluster", "events", "topic-id", "{\"type\":\"long\"}");
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void isAnOrdinaryAvroFile(Compression compression) throws IOException {
    Path file = folder.resolve("recording");
    Made.write(file, Made.ranges(), records(), compression, Encryption.none());
    List<One> read = new ArrayList<>();
    try (var reader =
        new DataFileReader<GenericRecord>(file.toFile(), new GenericDatumReader<>())) {
      for (GenericRecord each : reader) {
        List<String> headers = new ArrayList<>();
        for (Object header : (List<?>) each.get("headers")) {
          GenericRecord one = (GenericRecord) header;
          headers.add(one.get("name") + "=" + text(one.get("value")));
        }
        read.add(new One(
            (int) each.get("partition"),
            (long) each.get("offset"),
            (long) each.get("timestamp"),
            text(each.get("key")),
            text(each.get("value")),
            headers));
      }
    }
    assertThat(read).isEqualTo(records());
  }

  /** The digests are those that docs/recordings.md specifies, taken here by Avro's own classes. */
  @Test
  void hasTheDigestsThatAreSpecified() throws Exception {
    Path file = folder.resolve("recording");
    Made.write(file, Made.ranges(), records(), Compression.DEFLATE, Encryption.none());
    ByteArrayOutputStream first = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(first, null);
    try (var reader =
        new DataFileReader<GenericRecord>(file.toFile(), new GenericDatumReader<>())) {
      var writer = new GenericDatumWriter<GenericRecord>(reader.getSchema());
      for (GenericRecord each : reader) {
        if ((int) each.get("partition") == 0) {
          writer.write(each, encoder);
        }
      }
      encoder.flush();
      CRC32C checksum = new CRC32C();
      checksum.update(first.toByteArray());
      JsonNode header = new ObjectMapper().readTree(reader.getMeta("sotto.recording"));
      JsonNode sums = header.get("integrity").get("partitions").get(0);
      assertThat(sums.get("sha256").asText()).isEqualTo(sha256(first.toByteArray()));
      assertThat(sums.get("crc32c").asLong()).isEqualTo(checksum.getValue());

      String digest = header.get("integrity").get("digest").asText();
      byte[] schema = reader.getMeta("avro.schema");
      byte[] codec = reader.getMeta("avro.codec");
      byte[] own = Made.utf8(new String(reader.getMeta("sotto.recording"), StandardCharsets.UTF_8)
          .stripTrailing()
          .replace(digest, ""));
      byte[] whole = Files.readAllBytes(file);
      ByteArrayOutputStream digested = new ByteArrayOutputStream();
      digested.write(ByteBuffer.allocate(12)
          .putInt(schema.length)
          .putInt(codec.length)
          .putInt(own.length)
          .array());
      digested.write(schema);
      digested.write(codec);
      digested.write(own);
      digested.write(whole, whole.length - 16, 16);
      assertThat(digest).isEqualTo(sha256(digested.toByteArray()));
    }
  }

  private static String sha256(byte[] bytes) throws NoSuchAlgorithmException {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }

  private static String text(Object bytes) {
    return bytes == null
        ? null
        : StandardCharsets.UTF_8.decode((ByteBuffer) bytes).toString();
  }

  @Test
  void isForItsOwnersEyesAlone() throws IOException {
    Path file = folder.resolve("recording");
    Made.write(file, Made.ranges(), records(), Compression.ZSTANDARD, Encryption.none());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void isTheSameFileForTheSameRecords() throws IOException {
    List<byte[]> files = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Path file = folder.resolve("recording" + i);
      Made.write(file, Made.ranges(), records(), Compression.NULL, Encryption.none());
      files.add(Files.readAllBytes(file));
    }
    assertThat(files.get(0)).isEqualTo(files.get(1));
  }

  @Test
  void hidesValuesAndDigestsOfAnEncryptedOne() throws IOException {
    Path clear = folder.resolve("clear");
    Made.write(clear, Made.ranges(), records(), Compression.NULL, Encryption.none());
    Path sealed = folder.resolve("sealed");
    Encryption encryption = encryption(true);
    Made.write(sealed, Made.ranges(), records(), Compression.NULL, encryption);
    String digest = Recordings.open(clear, RecordingOptions.defaults()).header().digest();
    assertThat(latin(clear)).contains("key ", "value ", "schluss", "sha256", digest);
    assertThat(latin(sealed))
        .contains("events", "topic-id")
        .doesNotContain("key ", "schluss", "sha256");
  }

  private static String latin(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.ISO_8859_1);
  }

  @Test
  void isReadByManyAtOnce() {
    Path file = folder.resolve("recording");
    Made.write(file, Made.ranges(), records(), Compression.NULL, Encryption.none());
    try (Recording recording = Recordings.open(file, RecordingOptions.defaults())) {
      List<RecordCursor> cursors =
          List.of(recording.open(0), recording.open(0), recording.open(2), recording.open(3));
      List<List<Long>> offsets =
          List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
      for (boolean more = true; more; ) {
        more = false;
        for (int i = 0; i < cursors.size(); i++) {
          if (cursors.get(i).next()) {
            offsets.get(i).add(cursors.get(i).offset());
            more = true;
          }
        }
      }
      List<Long> first = Made.records(0, 400, 1).stream().map(One::offset).toList();
      assertThat(offsets).element(0).isEqualTo(first);
      assertThat(offsets).element(1).isEqualTo(first);
      assertThat(offsets.get(2)).hasSize(20);
      assertThat(offsets.get(3)).isEmpty();
      RecordCursor closed = recording.open(0);
      closed.close();
      assertThatThrownBy(closed::next).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void leavesNothingWhereThereWasNothingToRecord() {
    Path file = folder.resolve("recording");
    assertThatThrownBy(
            () -> Made.write(file, Made.ranges(), List.of(), Compression.NULL, Encryption.none()))
        .isInstanceOf(RecordingException.class)
        .hasMessageContaining("nothing was recorded: events holds no committed record");
    assertThat(file).doesNotExist();
  }
}
