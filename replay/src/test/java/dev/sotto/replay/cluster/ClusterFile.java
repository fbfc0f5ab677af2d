package dev.sotto.replay.cluster;

import dev.sotto.replay.recording.RecordedRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Everything that a stopped cluster has committed, as lines of text: positions and stores of its
 * tasks, topics between them, and what was published.
 */
final class ClusterFile {
  private static final HexFormat HEX = HexFormat.of();
  private static final String NONE = "-";

  private ClusterFile() {}

  static void write(Path file, int semantics, InMemoryCluster cluster, List<String> published)
      throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("semantics " + semantics);
    for (ProcessorTask task : cluster.all()) {
      String name = task.toString().replace(' ', '/');
      task.positions().forEach(each -> lines.add("position " + name + " " + each));
      task.stores().forEach((store, values) -> {
        try (var all = values.all()) {
          while (all.hasNext()) {
            KeyValue<String, byte[]> next = all.next();
            lines.add(String.join(
                " ",
                "store",
                name,
                store,
                hex(next.key.getBytes(StandardCharsets.UTF_8)),
                hex(next.value)));
          }
        }
      });
    }
    new TreeMap<>(cluster.topics().internal()).forEach((topic, partitions) -> {
      for (int i = 0; i < partitions.size(); i++) {
        String where = topic + " " + i + " ";
        for (RecordedRecord each : partitions.get(i).records()) {
          StringBuilder line = new StringBuilder("record ").append(where);
          line.append(each.offset()).append(' ').append(each.timestamp());
          line.append(' ').append(hex(each.key())).append(' ').append(hex(each.value()));
          for (Header header : each.headers()) {
            line.append(' ').append(header.key()).append(' ').append(hex(header.value()));
          }
          lines.add(line.toString());
        }
        lines.add("end " + where + partitions.get(i).end());
      }
    });
    published.forEach(each -> lines.add("published " + each));
    Files.createDirectories(file.getParent());
    Files.write(file, lines);
  }

  /** The version of the arithmetic that wrote a file. */
  static int semantics(Path file) throws IOException {
    return Integer.parseInt(Files.readAllLines(file).get(0).split(" ")[1]);
  }

  /** Puts everything into a cluster before its first step; returns what was published. */
  static List<String> read(Path file, InMemoryCluster cluster) throws IOException {
    Map<String, ProcessorTask> tasks = new TreeMap<>();
    cluster.all().forEach(each -> tasks.put(each.toString().replace(' ', '/'), each));
    cluster.topics().internal().values().forEach(all -> all.forEach(each -> each.clear(0)));
    Map<String, List<Long>> positions = new TreeMap<>();
    List<String> published = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      String[] words = line.split(" ");
      switch (words[0]) {
        case "semantics" -> {}
        case "position" ->
          positions
              .computeIfAbsent(words[1], none -> new ArrayList<>())
              .add(Long.parseLong(words[2]));
        case "store" -> {
          InMemoryStore store = tasks.get(words[1]).stores().get(words[2]);
          store.put(new String(bytes(words[3]), StandardCharsets.UTF_8), bytes(words[4]));
          store.commitChanges();
        }
        case "record" -> record(words, cluster.topics().log(words[1], Integer.parseInt(words[2])));
        case "end" -> {
          InMemoryPartition log = cluster.topics().log(words[1], Integer.parseInt(words[2]));
          log.skip(Long.parseLong(words[3]) - log.end());
        }
        case "published" -> {
          published.add(line.substring(words[0].length() + 1));
          if (words[1].equals("ledger")) {
            cluster.ledger(Integer.parseInt(words[2])).add(bytes(words[4]));
          }
        }
        default -> throw new IOException("unknown line " + line);
      }
    }
    positions.keySet().retainAll(tasks.keySet()); // some tasks of earlier versions are no more
    positions.forEach((task, all) -> tasks.get(task).positions(all));
    return published;
  }

  private static void record(String[] words, InMemoryPartition log) {
    log.skip(Long.parseLong(words[3]) - log.end());
    RecordHeaders headers = new RecordHeaders();
    for (int i = 7; i < words.length; i += 2) {
      headers.add(words[i], bytes(words[i + 1]));
    }
    log.append(new Record<>(bytes(words[5]), bytes(words[6]), Long.parseLong(words[4]), headers));
  }

  /** One line of what was published. */
  static String line(String topic, int partition, String key, byte[] value) {
    return topic + " " + partition + " " + key + " " + hex(value);
  }

  static String hex(byte[] bytes) {
    return bytes == null ? NONE : "x" + HEX.formatHex(bytes);
  }

  private static byte[] bytes(String text) {
    return text.equals(NONE) ? null : HEX.parseHex(text.substring(1));
  }

  /** The same with one bit changed in the middle of every value of a store. */
  static void damage(InMemoryCluster cluster, String name) {
    for (ProcessorTask task : cluster.all()) {
      InMemoryStore store = task.stores().get(name);
      if (store != null) {
        List<KeyValue<String, byte[]>> all = new ArrayList<>();
        try (var found = store.all()) {
          found.forEachRemaining(all::add);
        }
        all.forEach(each -> {
          byte[] other = Arrays.copyOf(each.value, each.value.length);
          other[other.length / 2] ^= 1;
          store.put(each.key, other);
        });
        store.commitChanges();
      }
    }
  }
}
