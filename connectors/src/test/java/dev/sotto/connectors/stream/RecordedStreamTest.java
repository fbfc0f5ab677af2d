package dev.sotto.connectors.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.zip.GZIPOutputStream;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.ExactlyOnceSupport;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class RecordedStreamTest {
  private static final List<String> LINES = List.of(
      "{\"user\":\"ann\",\"at\":1000}",
      "poison",
      "",
      "{\"user\":\"bob\",\"at\":-1}",
      "{\"user\":\"\u00e9ve\",\"at\":3000}\r");

  @TempDir
  private Path folder;

  private final Offsets offsets = new Offsets();

  @ParameterizedTest
  @ValueSource(strings = {"stream.jsonl", "stream.jsonl.gz"})
  void playsEveryLineUnchangedAndInOrder(String name) throws Exception {
    Map<String, String> properties = properties(file(name, LINES));
    properties.put("key.field", "user");
    properties.put("timestamp.field", "at");
    List<SourceRecord> played = play(properties, Integer.MAX_VALUE);
    assertThat(values(played)).isEqualTo(LINES);
    assertThat(played).extracting(SourceRecord::topic).containsOnly("events");
    assertThat(played)
        .extracting(each -> each.key() == null ? null : new String((byte[]) each.key(), UTF_8))
        .containsExactly("ann", null, null, "bob", "\u00e9ve");
    assertThat(played)
        .extracting(SourceRecord::timestamp)
        .containsExactly(1000L, null, null, null, 3000L);
    assertThat(play(properties, Integer.MAX_VALUE))
        .as("once played, nothing is left")
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.jsonl", "a.jsonl.gz"})
  void resumesAfterTheLastStoredLineWhereverThatIs(String name) throws Exception {
    Path first = file(name, LINES);
    Path second = file("b.jsonl", List.of("x", "y"));
    Map<String, String> properties = properties(first);
    properties.put("files", first + "," + second);
    properties.put("batch.lines", "3");
    List<String> expected = new ArrayList<>(LINES);
    expected.addAll(List.of("x", "y"));
    for (int stop = 0; stop <= expected.size(); stop++) {
      offsets.stored.clear();
      List<String> both = new ArrayList<>(values(play(properties, stop)));
      assertThat(both).hasSize(stop);
      both.addAll(values(play(properties, expected.size() - stop)));
      assertThat(both).isEqualTo(expected);
    }
    assertThat(play(properties, Integer.MAX_VALUE)).isEmpty();
  }

  @Test
  void knowsAFileByItsContentAndNotByItsFolder() throws Exception {
    Path here = file("a.jsonl", LINES);
    StreamFile before = StreamFile.of(here);
    Path there = Files.createDirectory(folder.resolve("there")).resolve("a.jsonl");
    Files.move(here, there);
    assertThat(StreamFile.of(there).identity()).isEqualTo(before.identity());
    byte[] bytes = Files.readAllBytes(there);
    bytes[bytes.length - 3] ^= 1;
    Files.write(there, bytes);
    assertThat(StreamFile.of(there).identity()).isNotEqualTo(before.identity());
  }

  @Test
  void refusesTheSameFileTwice() throws Exception {
    Path first = file("a.jsonl", LINES);
    Path copy = Files.createDirectory(folder.resolve("copy")).resolve("a.jsonl");
    Files.copy(first, copy);
    Map<String, String> properties = properties(first);
    properties.put("files", first + "," + copy);
    assertThatThrownBy(() -> play(properties, 1))
        .isInstanceOf(ConnectException.class)
        .hasMessageStartingWith(
            "files must differ in name, size or content, but two of them are a.jsonl:");
  }

  @Test
  void handsOverWhatComesBeforeALineThatIsTooLong() throws Exception {
    Map<String, String> properties = properties(file("a.jsonl", List.of("ab", "abc", "abcd", "a")));
    properties.put("max.line.bytes", "3");
    RecordedStreamTask task = start(properties);
    assertThat(values(task.poll())).containsExactly("ab", "abc");
    assertThatThrownBy(task::poll)
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("line 2 of");
    assertThatThrownBy(task::poll).as("and again").hasMessageContaining("line 2 of");
    task.stop();
  }

  @Test
  void waitsAtTheEndInsteadOfSpinningAndStopsAtOnce() throws Exception {
    RecordedStreamTask task = start(properties(file("a.jsonl", List.of("only"))));
    assertThat(task.poll()).hasSize(1);
    FutureTask<List<SourceRecord>> polls = new FutureTask<>(() -> {
      List<SourceRecord> polled = null;
      while (polled == null && !Thread.interrupted()) {
        polled = task.poll();
      }
      return polled;
    });
    Thread poller = new Thread(polls);
    poller.start();
    while (poller.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    poller.interrupt();
    assertThatThrownBy(polls::get).hasCauseInstanceOf(InterruptedException.class);
    task.stop();
    Thread.currentThread().interrupt(); // one that waits would throw
    assertThat(task.poll()).isNull();
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void letsTheTaskGoAtTheEndIfToldSo() throws Exception {
    Map<String, String> properties = properties(file("a.jsonl", LINES));
    properties.put("stop.at.end", "true");
    RecordedStreamSource source = new RecordedStreamSource();
    source.initialize(offsets);
    source.start(properties);
    assertThat(source.taskConfigs(4)).containsExactly(properties);
    play(properties, LINES.size() - 1);
    offsets.looks.drainPermits();
    offsets.looks.acquire(2);
    assertThat(offsets.asked.getCount()).as("one line is missing").isOne();
    play(properties, 1);
    offsets.asked.await();
    assertThat(source.taskConfigs(4)).isEmpty();
    assertThat(offsets.errors).isEmpty();
    source.stop();
  }

  @Test
  void namesEveryFaultOfItsProperties() throws Exception {
    Map<String, String> properties =
        new HashMap<>(Map.of("lines.per.second", "NaN", "batch.lines", "0"));
    properties.put("value.converter", "org.apache.kafka.connect.json.JsonConverter");
    var faults = new RecordedStreamSource()
        .validate(properties).configValues().stream()
            .filter(each -> !each.errorMessages().isEmpty())
            .map(ConfigValue::name);
    assertThat(faults)
        .containsExactlyInAnyOrder(
            "files", "topic", "lines.per.second", "batch.lines", "value.converter");
    properties.put("lines.per.second", "fast");
    assertThat(new RecordedStreamSource().validate(properties).configValues())
        .filteredOn(each -> each.name().equals("lines.per.second"))
        .singleElement()
        .satisfies(each -> assertThat(each.errorMessages().toString()).contains("fast"));
    Map<String, String> wrongConverter = properties(file("a.jsonl", LINES));
    wrongConverter.put("key.converter", "org.apache.kafka.connect.storage.StringConverter");
    assertThatThrownBy(() -> new RecordedStreamSource().start(wrongConverter))
        .isInstanceOf(ConnectException.class)
        .hasMessage("key.converter must be org.apache.kafka.connect.converters.ByteArrayConverter,"
            + " since bytes travel"
            + " unchanged, but was org.apache.kafka.connect.storage.StringConverter");
    assertThatThrownBy(() -> new RecordedStreamSource().start(properties(folder.resolve("absent"))))
        .isInstanceOf(ConnectException.class)
        .hasMessage("files must name readable files, but " + folder.resolve("absent") + " is none");
  }

  @Test
  void promisesExactlyOnce() {
    assertThat(new RecordedStreamSource().exactlyOnceSupport(Map.of()))
        .isEqualTo(ExactlyOnceSupport.SUPPORTED);
  }

  @Test
  void takesOffsetsThatAreALinesBeginning() throws Exception {
    Path file = file("a.jsonl", List.of("ab", "c", "def"));
    Map<String, String> properties = properties(file);
    Map<String, String> partition = StreamFile.of(file).partition();
    RecordedStreamSource source = new RecordedStreamSource();
    for (Map<String, ?> good : Arrays.<Map<String, ?>>asList(
        null, Map.of("line", 0), Map.of("line", 2L, "byte", 5L), Map.of("line", 3, "byte", 8))) {
      assertThat(source.alterOffsets(properties, Collections.singletonMap(partition, good)))
          .isTrue();
    }
    offsets.stored.put(partition, Map.of("line", 2L));
    assertThat(values(play(properties, Integer.MAX_VALUE))).containsExactly("def");
    assertThat(offsets.stored.get(partition)).isEqualTo(Map.of("line", 3L, "byte", 8L));
    refuses(
        properties,
        partition,
        Map.of("line", 2, "byte", 4),
        "byte must be 5, where line 2 of a.jsonl:");
    refuses(properties, partition, Map.of("line", 4), "line must be at most the 3 lines of ");
    refuses(
        properties,
        partition,
        Map.of("line", -1),
        "line must be a whole number of at least 0, but was -1");
    refuses(
        properties,
        partition,
        Map.of("line", 1.5),
        "line must be a whole number of at least 0, but was 1.5");
    refuses(
        properties,
        partition,
        Map.of("byte", 3),
        "line must be a whole number of at least 0, but was null");
    refuses(
        properties,
        partition,
        Map.of("lines", 3),
        "a source offset must have line and byte only, but had lines");
    refuses(
        properties,
        Map.of("file", "b:1:00"),
        Map.of("line", 0),
        "a source partition must be a configured file");
    refuses(
        properties,
        Map.of("filename", "b"),
        Map.of("line", 0),
        "a source partition must have the one field file");
    Map<String, String> other = Map.of("file", "a file that was played long ago");
    assertThat(source.alterOffsets(properties, Collections.singletonMap(other, null)))
        .isTrue();
  }

  private static void refuses(
      Map<String, String> properties, Map<String, ?> partition, Map<String, ?> offset, String why) {
    assertThatThrownBy(
            () -> new RecordedStreamSource().alterOffsets(properties, Map.of(partition, offset)))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining(why);
  }

  private RecordedStreamTask start(Map<String, String> properties) {
    RecordedStreamTask task = new RecordedStreamTask();
    task.initialize(offsets);
    task.start(properties);
    return task;
  }

  /** Plays until so many lines are stored, then dies: what was handed over beyond them is lost. */
  private List<SourceRecord> play(Map<String, String> properties, int most)
      throws InterruptedException {
    RecordedStreamTask task = start(properties);
    List<SourceRecord> all = new ArrayList<>();
    List<SourceRecord> batch = List.of();
    while (batch != null && all.size() < most) {
      batch = task.poll();
      for (SourceRecord record : batch == null ? List.<SourceRecord>of() : batch) {
        if (all.size() < most) {
          offsets.store(record);
          all.add(record);
        }
      }
    }
    task.stop();
    return all;
  }

  private static List<String> values(List<SourceRecord> records) {
    return records.stream()
        .map(each -> new String((byte[]) each.value(), UTF_8))
        .toList();
  }

  private static Map<String, String> properties(Path file) {
    return new HashMap<>(Map.of("files", file.toString(), "topic", "events"));
  }

  private Path file(String name, List<String> lines) throws IOException {
    Path file = folder.resolve(name);
    try (OutputStream plain = Files.newOutputStream(file);
        OutputStream out = name.endsWith(".gz") ? new GZIPOutputStream(plain) : plain) {
      out.write(String.join("\n", lines).getBytes(UTF_8));
    }
    return file;
  }
}
