package dev.sotto.app.live;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.app.Main;
import dev.sotto.app.crash.LearnerProcess;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.testbroker.Cluster;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.read.CommittedTopic;
import dev.sotto.topology.read.LedgerChecker;
import dev.sotto.topology.settings.Names;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Records that a default broker takes, and that hold more than the learner's whole heap. */
@Tag("long")
class LargeRecordsLongIT {
  private static final int BATCH = 50;
  private static final int MEBI = 1 << 20;

  @TempDir
  Path folder;

  /** Each is set aside, its slot is empty, and all others are learned from. */
  @ParameterizedTest
  @CsvSource({"direct, 1, zstd", "direct, 1, gzip", "ordered, 2, zstd"})
  void areSetAside(String layout, int partitions, String compression) throws Exception {
    try (Cluster cluster = Cluster.own()) {
      cluster.createTopic("points", partitions, Map.of());
      Map<Integer, Set<Long>> large = new TreeMap<>();
      long good = events(cluster, partitions, 70);
      long sent = good + large(cluster, compression, large) + events(cluster, partitions, 205);
      LearnerProcess run = start(cluster, layout);
      try {
        Awaitility.await()
            .atMost(Duration.ofSeconds(300))
            .pollInterval(Duration.ofSeconds(1))
            .until(() -> !run.isAlive() || rounds(cluster) == sent / BATCH);
        assertThat(run.isAlive()).as("of a learner with 512 MB of heap").isTrue();
        Map<Integer, Set<Long>> letters = letters(cluster);
        assertThat(letters).isEqualTo(large);
      } finally {
        run.kill();
      }
    }
  }

  private static long events(Cluster cluster, int partitions, int each) {
    for (int i = 0; i < partitions; i++) {
      List<byte[]> values = new ArrayList<>();
      for (int n = 0; n < each; n++) {
        values.add(("{\"x\": " + n % 7 / 7.0 + ", \"y\": " + n % 2 + "}").getBytes(UTF_8));
      }
      cluster.send("points", i, values);
    }
    return (long) partitions * each;
  }

  /** One record of 300 MiB, and many of as much as a record may hold in one batch. */
  private static long large(Cluster cluster, String compression, Map<Integer, Set<Long>> offsets)
      throws Exception {
    int count = 30;
    try (var producer = cluster.producer(Map.of(
        "compression.type",
        compression,
        "max.request.size",
        400 * MEBI,
        "buffer.memory",
        700L * MEBI,
        "batch.size",
        200 * MEBI,
        "linger.ms",
        2_000))) {
      for (int i = 0; i <= count; i++) {
        byte[] value = new byte[i == 0 ? 300 * MEBI : 15 * MEBI];
        var sent = producer.send(new ProducerRecord<>("points", 0, null, value));
        if (i == 0 || i == count) {
          long last = sent.get().offset();
          for (long offset = i == 0 ? last : last - count + 1; offset <= last; offset++) {
            offsets.computeIfAbsent(0, partition -> new TreeSet<>()).add(offset);
          }
        }
      }
    }
    return count + 1;
  }

  private LearnerProcess start(Cluster cluster, String layout) throws Exception {
    Path key = folder.resolve("noise.key");
    NoiseKey.create(key);
    Path here = Path.of("").toAbsolutePath();
    Path project = Files.exists(here.resolve("examples")) ? here : here.getParent();
    List<String> command = new ArrayList<>(List.of(
        "-Xmx512m",
        "-XX:+ExitOnOutOfMemoryError",
        Main.class.getName(),
        "run",
        "-c",
        project.resolve("examples/minimal.yaml").toString()));
    for (String set : List.of(
        "state.dir=" + folder.resolve("state"),
        "noise.key.file=" + key,
        "bootstrap.servers=" + cluster.clients().get("bootstrap.servers"),
        "layout=" + layout,
        "batch.size=" + BATCH,
        "release.every.slots=" + BATCH)) {
      command.add("--set");
      command.add(set);
    }
    return LearnerProcess.launch(folder, "run", command.toArray(String[]::new));
  }

  private static long rounds(Cluster cluster) {
    LedgerChecker checker = new LedgerChecker();
    try (CommittedTopic ledger = new CommittedTopic(cluster.clients(), Names.ledger("minimal"))) {
      ledger.readToEnd(
          record -> checker.accept(record.partition(), record.offset(), record.value()));
    } catch (SottoException notYet) {
      return -1;
    }
    assertThat(checker.faults()).isEmpty();
    return checker.newest().containsKey("model") ? checker.newest().get("model").round() : 0;
  }

  /** Offsets of what was set aside as too large, by partition. */
  private static Map<Integer, Set<Long>> letters(Cluster cluster) {
    Map<Integer, Set<Long>> all = new TreeMap<>();
    try (CommittedTopic letters =
        new CommittedTopic(cluster.clients(), Names.deadLetters("minimal"))) {
      letters.readToEnd(letter -> {
        assertThat(header(letter.headers(), "sotto.reason")).isEqualTo("TOO_LARGE");
        all.computeIfAbsent(
                Integer.parseInt(header(letter.headers(), "sotto.partition")),
                partition -> new TreeSet<>())
            .add(Long.parseLong(header(letter.headers(), "sotto.offset")));
      });
    }
    return all;
  }

  private static String header(Headers headers, String name) {
    return new String(headers.lastHeader(name).value(), UTF_8);
  }
}
