package dev.sotto.replay.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.replay.recorder.Recordings;
import dev.sotto.replay.recording.Made.One;
import dev.sotto.replay.recording.text.KeyPartitioner;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.serdes.record.UnitSource;
import dev.sotto.topology.failure.FailureKind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Text files come as the records they stand for, or with the line that is wrong. */
class TextRecordingTest {
  private static final RecordingOptions DEFAULTS = RecordingOptions.defaults();

  @TempDir
  Path folder;

  private Path file(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    if (!name.endsWith(".gz")) {
      return Files.writeString(file, text);
    }
    return Files.write(file, gzip(text));
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  private static List<String> values(Path file, RecordingOptions options) {
    return Made.read(file, options).stream().map(One::value).toList();
  }

  private static void assertFault(Path file, RecordingOptions options, String... said) {
    Throwable thrown = catchThrowable(() -> Made.read(file, options));
    assertThat(thrown).isInstanceOf(RecordingException.class).hasMessageContaining(file.toString());
    assertThat(thrown.getMessage()).contains(said);
    assertThat(((RecordingException) thrown).kind()).isEqualTo(FailureKind.RECORDING);
  }

  @ParameterizedTest
  @ValueSource(strings = {"events.jsonl", "events.jsonl.gz", "events.ndjson"})
  void readsALineAsAValue(String name) throws IOException {
    Path file = file(name, "{\"a\": 1}\r\n\n  \n{\"a\":\"ü\"}\nno json {\n{\"a\":3}");
    assertThat(Made.read(file, DEFAULTS))
        .containsExactly(
            new One(0, 0, 0, null, "{\"a\": 1}", List.of()),
            new One(0, 1, 0, null, "{\"a\":\"ü\"}", List.of()),
            new One(0, 2, 0, null, "no json {", List.of()),
            new One(0, 3, 0, null, "{\"a\":3}", List.of()));
    RecordingHeader header =
        Recordings.open(file, DEFAULTS.withSchema("\"long\"")).header();
    assertThat(header)
        .isEqualTo(new RecordingHeader(
            "json-lines",
            new RecordingOrigin("", name, ""),
            List.of(new RecordedRange(0, 0, -1, -1)),
            "\"long\"",
            ""));
  }

  @Test
  void takesKeysAndTimesFromFieldsOfALine() throws IOException {
    Path file = file("events.jsonl", """
        {"x":{"k":"a","z":1},"t":12}
        {"t":1.7e12,"x":{"k":7}}
        {"y":{"k":"b"},"x":{"y":1}}
        {"x":3,"t":null}
        {"x":{"k":{"deep":1}},"k":"c"}
        ["x"]
        {"x":{"k":"d"
        """);
    assertThat(Made.read(file, DEFAULTS.withFields("x.k", "t")))
        .extracting(One::key, One::timestamp)
        .extracting(Object::toString)
        .containsExactly(
            "(\"a\", 12L)",
            "(\"7\", 1700000000000L)",
            "(null, 0L)",
            "(null, 0L)",
            "(null, 0L)",
            "(null, 0L)",
            "(null, 0L)");
  }

  @ParameterizedTest
  @CsvSource({
    "'\"12\"', 'the text \"12\"; take the quotes away'",
    "'\"1700000000000\"', 'the text \"1700000000000\"; take the quotes away'",
    "'\"2024-01-31T12:00:00Z\"', 'the text \"2024-01-31T12:00:00Z\"'",
    "-1, -1",
    "1.5, 1.5",
    "1e30, '1E+30'",
    "true, true"
  })
  void namesTheLineOfATimeThatIsNone(String time, String shown) throws IOException {
    Path file = file("events.jsonl", "{\"t\":1}\n\n{\"t\":" + time + "}\n");
    assertFault(
        file,
        DEFAULTS.withFields("", "t"),
        "line 3: the timestamp field t must be a number of milliseconds since 1970, but was "
            + shown);
  }

  /** As other programs count: seconds, also with a fraction, microseconds, and nanoseconds. */
  @ParameterizedTest
  @CsvSource({
    "1000000000, seconds, 1000000000000",
    "1700000000, seconds, 1700000000000",
    "1.7e9, seconds, 1700000000000",
    "9999999999, seconds, 9999999999000",
    "1700000000.123, seconds, 1700000000123",
    "1700000000.9996, seconds, 1700000000999",
    "100000000000000, microseconds, 100000000000",
    "1700000000000123, microseconds, 1700000000000",
    "1700000000000123456, nanoseconds, 1700000000000",
    "9223372036854775807, nanoseconds, 9223372036854"
  })
  void refusesOtherUnitsThanMilliseconds(String time, String unit, String due) throws IOException {
    String said = "line 2: the timestamp field t must be in milliseconds since 1970, but "
        + new BigDecimal(time).toPlainString() + " looks like " + unit + ": write " + due;
    assertFault(
        file("events.jsonl", "{\"t\":1}\n{\"t\":" + time + "}\n"),
        DEFAULTS.withFields("", "t"),
        said);
    assertFault(file("events.csv", "x,t\n1, " + time + " \n"), DEFAULTS.withFields("", "t"), said);
  }

  @Test
  void takesTimesOfEveryCenturyInMilliseconds() throws IOException {
    Path rows = file("events.csv", "t,x\n 12 ,1\n1700000000000,1\n99999999999999,1\n0,1\n");
    assertThat(Made.read(rows, DEFAULTS.withFields("", "t")))
        .extracting(One::timestamp)
        .containsExactly(12L, 1_700_000_000_000L, 99_999_999_999_999L, 0L);
  }

  @Test
  void dealsRecordsOutAsKafkaDoes() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 300; i++) {
      text.append(
          i % 4 == 3 ? "{\"n\":" + i + "}\n" : "{\"n\":" + i + ",\"k\":\"" + i % 50 + "\"}\n");
    }
    Path file = file("events.jsonl.gz", text.toString());
    RecordingOptions options = DEFAULTS.withFields("k", "n").withPartitions(3);
    List<One> all = Made.read(file, options);
    assertThat(all).hasSize(300);
    long[] offsets = new long[3];
    for (One one : all) {
      assertThat(one.offset()).isEqualTo(offsets[one.partition()]++);
      assertThat(one.partition())
          .isEqualTo(
              one.key() == null
                  ? one.timestamp() / 4 % 3
                  : BuiltInPartitioner.partitionForKey(Made.utf8(one.key()), 3));
    }
    assertThat(offsets).doesNotContain(0);
    for (int i = 0; i < 3; i++) {
      int partition = i;
      assertThat(all.stream().filter(each -> each.partition() == partition).map(One::timestamp))
          .isSorted();
    }
    assertFault(
        file("events.csv", "a,b\n1,2\n"),
        options,
        "line 1: no column is called k, but only [a, b]");
  }

  @Test
  void makesObjectsOfRows() throws IOException {
    Path file = file(
        "events.csv",
        "\uFEFFid,n,on,text,last\r\n"
            + "a,-1.50e3,true,\"a, \"\"b\"\"\nc\",\r\n"
            + "\r\n"
            + "b,007,TRUE, 1\n"
            + ",0,false,ü,NaN");
    assertThat(values(file, DEFAULTS))
        .containsExactly(
            "{\"id\":\"a\",\"n\":\"-1.50e3\",\"on\":\"true\",\"text\":\"a, \\\"b\\\"\\nc\"}",
            "{\"id\":\"b\",\"n\":\"007\",\"on\":\"TRUE\",\"text\":\" 1\"}",
            "{\"n\":\"0\",\"on\":\"false\",\"text\":\"ü\",\"last\":\"NaN\"}");
    assertThat(Made.read(file, DEFAULTS.withFields("id", "")))
        .extracting(One::key)
        .containsExactly("a", "b", null);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a,b\\n1,2\\n\\n1,2,3\\n | line 4: the row has 3 cells, but there are 2 names in line 1; the first row",
        "# of May\\n1,2\\n | line 2: the row has 2 cells, but there is 1 name in line 1",
        "a,b\\n1,2,\\n | take away the separator at the end of rows",
        "b,a,a\\n1,2,3\\n | line 1: the row of names has one twice: \"a\", in columns 2 and 3",
        "a,b\\n1,\"2\\n | line 2: the quote that opens a cell there is never closed",
        "a,b\\n | holds no record"
      })
  void namesTheRowThatIsWrong(String text, String said) throws IOException {
    assertFault(file("events.csv", text.replace("\\n", "\n")), DEFAULTS, said);
  }

  @Test
  void namesTheRowOfATimeThatIsNone() throws IOException {
    Path file = file("events.csv", "t,u\n5,1\n,2\nnow,3\n");
    assertFault(file, DEFAULTS.withFields("", "t"), "line 4: the timestamp field t must be");
    Path good = file("good.csv", "t,u\n5,1\n,2\n");
    assertThat(Made.read(good, DEFAULTS.withFields("u", "t")))
        .extracting(One::timestamp)
        .containsExactly(5L, 0L);
  }

  @Test
  void makesExamplesOfLibsvm() throws IOException {
    Path file =
        file("a.libsvm.gz", "# made\n+1 1:0.25 4:-.5 # yes\n\n-1 2:1e-1\n0 \n1\t3:0.125   4:0\n");
    List<double[]> dense = new ArrayList<>();
    List<Double> labels = new ArrayList<>();
    ExampleCodec codec = new ExampleCodec(4, 1 << 20, UnitSource.NONE);
    Slot slot = new Slot(4);
    try (Recording recording = Recordings.open(file, DEFAULTS);
        RecordCursor cursor = recording.open(0)) {
      while (cursor.next()) {
        assertThat(codec.decode(cursor.key(), cursor.value(), slot)).isEqualTo(RecordStatus.USED);
        double[] values = new double[4];
        for (int i = 0; i < slot.example().size(); i++) {
          values[slot.example().indices()[i]] = slot.example().values()[i];
        }
        dense.add(values);
        labels.add(slot.example().label());
      }
    }
    assertThat(dense)
        .containsExactly(
            new double[] {0.25, 0, 0, -0.5},
            new double[] {0, 0.1, 0, 0},
            new double[4],
            new double[] {0, 0, 0.125, 0});
    assertThat(labels).containsExactly(1.0, 0.0, 0.0, 1.0);
  }

  @ParameterizedTest
  @CsvSource({
    "2 1:1, the label must be -1 or 0 or 1", "x 1:1, but was x", "1 0:1, an index must be",
    "1 2:1 2:3, indices must increase", "1 1, a pair must be index:value", "1 1:nan, finite number",
    "1 qid:3 1:2, an index must be", "1 1:1e999, finite number", "1 1:1d, finite number"
  })
  void namesTheLineThatIsNoLibsvm(String line, String said) throws IOException {
    Path file = file("a.svm", "1 1:1\n" + line + "\n");
    assertFault(file, DEFAULTS, "line 2: ", said.replace(" or 0 or 1", ", 0 or 1"));
  }

  @Test
  void takesLabelsAsTheyAreWhereToldSo() throws IOException {
    Path file = file("a.svm", "-1 1:1\n2.5 1:1\n");
    ExampleCodec codec = new ExampleCodec(1, 1 << 20, UnitSource.NONE);
    Slot slot = new Slot(1);
    List<Double> labels = new ArrayList<>();
    try (RecordCursor cursor =
        Recordings.open(file, DEFAULTS.withLabelsAsTheyAre()).open(0)) {
      while (cursor.next()) {
        codec.decode(null, cursor.value(), slot);
        labels.add(slot.example().label());
      }
    }
    assertThat(labels).containsExactly(-1.0, 2.5);
  }

  @Test
  void tellsATruncatedOrDamagedArchive() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 1000; i++) {
      text.append("{\"n\":").append(i * 7919L % 1000).append("}\n");
    }
    byte[] whole = gzip(text.toString());
    for (int length = 3; length < whole.length; length += 97) {
      Path cut = Files.write(folder.resolve("cut.jsonl.gz"), Arrays.copyOf(whole, length));
      assertFault(cut, DEFAULTS, "is truncated or damaged near line ", "fetch it again");
    }
    byte[] other = whole.clone();
    other[whole.length - 6] ^= 1;
    Path changed = Files.write(folder.resolve("changed.jsonl.gz"), other);
    assertFault(changed, DEFAULTS, "is truncated or damaged near line 100");
  }

  /** Archives that were put together: a part that is none would be lost without a word. */
  @Test
  void readsAllPartsOfAnArchiveOrSaysThatItDoesNot() throws IOException {
    ByteArrayOutputStream parts = new ByteArrayOutputStream();
    parts.writeBytes(gzip("{\"n\":1}\n{\"n\""));
    parts.writeBytes(gzip(":2}\n"));
    Path whole = Files.write(folder.resolve("whole.jsonl.gz"), parts.toByteArray());
    assertThat(values(whole, DEFAULTS)).containsExactly("{\"n\":1}", "{\"n\":2}");
    parts.writeBytes("{\"n\":3}\n".getBytes(StandardCharsets.UTF_8));
    Path plain = Files.write(folder.resolve("plain.jsonl.gz"), parts.toByteArray());
    assertFault(
        plain, DEFAULTS, "is truncated or damaged near line 2: gzip says other data follows");
  }

  @Test
  void tellsWhatHoldsNothing() throws IOException {
    assertFault(file("events.jsonl", ""), DEFAULTS, "is empty");
    assertFault(folder, DEFAULTS, "must be a file", "is a folder");
    assertFault(folder.resolve("none.csv"), DEFAULTS, "does not exist; check the path");
    assertFault(file("events.jsonl", "\n\n"), DEFAULTS, "holds no record");
    assertFault(file("events.txt", "{}"), DEFAULTS, "its name does not end in .jsonl");
    assertThat(values(file("events.txt", "{}"), DEFAULTS.withFormat(RecordingFormat.JSON_LINES)))
        .containsExactly("{}");
    assertFault(
        file("events.jsonl", "{}"),
        DEFAULTS.withFormat(RecordingFormat.AVRO),
        "cannot be read as a recording");
    assertFault(
        folder.resolve("none.csv"), DEFAULTS.withFormat(RecordingFormat.CSV), "check the path");
  }

  /** By its first bytes, whatever its name is. */
  @ParameterizedTest
  @CsvSource({
    "504b0304140000, a zip archive", "d0cf11e0a1b11ae1, an old Excel", "28b52ffd04, packed by zstd",
    "fd377a585a00, packed by xz", "425a6839314159, packed by bzip2", "04224d1864, packed by lz4",
    "50415231150415, a table of Parquet"
  })
  void namesWhatIsNoText(String hex, String said) throws IOException {
    for (String name : List.of("a.csv", "a.jsonl", "a.data")) {
      Path file = Files.write(folder.resolve(name), HexFormat.of().parseHex(hex));
      assertFault(file, DEFAULTS, said, said.startsWith("packed") ? "unpack it" : "CSV");
    }
  }

  /** All events as one value: read line by line, the last one alone could be used. */
  @ParameterizedTest
  @ValueSource(strings = {"[\n{\"x\":1},\n{\"x\":2}\n]\n", "[{\"x\":1},\r\n {\"x\":2}]\r\n"})
  void namesAnArrayOverSeveralLines(String text) throws IOException {
    assertFault(file("events.jsonl", text), DEFAULTS, "line 1", "one object a line", "jq -c");
    assertThat(values(file("events.jsonl", "[1,2]\n{\"x\":1}\n[\n"), DEFAULTS))
        .as("an event that is no object is one record's fault")
        .containsExactly("[1,2]", "{\"x\":1}", "[");
  }

  @Test
  void saysHowRecordsWereSpread() {
    KeyPartitioner turns = new KeyPartitioner(3);
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      places.add(turns.next(null));
    }
    assertThat(places).containsExactly(0, 1, 2, 0, 1);
    assertThat(turns.words())
        .isEqualTo("spread over 3 partitions in turns, since they have no key");
    KeyPartitioner keys = new KeyPartitioner(3);
    byte[] key = Made.utf8("a");
    assertThat(keys.next(key))
        .isEqualTo(keys.next(key))
        .isEqualTo(BuiltInPartitioner.partitionForKey(key, 3));
    assertThat(keys.words()).isEqualTo("spread over 3 partitions by key");
    keys.next(null);
    assertThat(keys.words()).endsWith("or in turns where they have none");
  }
}
