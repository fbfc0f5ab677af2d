package dev.sotto.app.crash;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.key.Sha256;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.WeightsChunk;
import dev.sotto.topology.read.ReaderConfig;
import dev.sotto.topology.settings.Names;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * A reader of everything that is ever written, committed or not: an attacker who does not keep to
 * read_committed. It remembers the payload of every (model, round, offset ranges).
 */
public final class Watcher implements Runnable {
  private final Map<String, String> clients;
  private final String app;
  private final int homes;
  private final Map<String, String> payloads = new HashMap<>();
  private final List<String> conflicts = new ArrayList<>();
  private volatile boolean stopped;
  private volatile long seen;
  private volatile long repeats;

  /**
   * A watcher of an application whose ledger has so many partitions; both its topics must exist.
   */
  public Watcher(String bootstrapServers, String app, int homes) {
    this(Map.of("bootstrap.servers", bootstrapServers), app, homes);
  }

  /** The same with settings of its client. */
  public Watcher(Map<String, String> clients, String app, int homes) {
    this.clients = clients;
    this.app = app;
    this.homes = homes;
  }

  @Override
  public void run() {
    List<TopicPartition> all = new ArrayList<>();
    for (int i = 0; i < homes; i++) {
      all.add(new TopicPartition(Names.ledger(app), i));
      all.add(new TopicPartition(Names.snapshots(app), i));
    }
    try (Consumer<byte[], byte[]> consumer = ReaderConfig.consumer(clients, "read_uncommitted")) {
      consumer.assign(all);
      consumer.seekToBeginning(all);
      while (!stopped) {
        consumer.poll(Duration.ofMillis(100)).forEach(this::take);
      }
      Map<TopicPartition, Long> ends = consumer.endOffsets(all);
      while (!isAt(consumer, ends)) {
        consumer.poll(Duration.ofMillis(100)).forEach(this::take);
      }
    }
  }

  private static boolean isAt(Consumer<?, ?> consumer, Map<TopicPartition, Long> ends) {
    return ends.entrySet().stream()
        .allMatch(each -> consumer.position(each.getKey()) >= each.getValue());
  }

  private void take(ConsumerRecord<byte[], byte[]> record) {
    String name;
    String key = new String(record.key(), StandardCharsets.UTF_8);
    if (record.topic().equals(Names.ledger(app))) {
      LedgerEntry entry = Codecs.LEDGER.decode(record.value());
      name = "ledger " + entry.modelId() + " " + entry.round() + " " + entry.ranges();
    } else if (key.endsWith("/manifest")) {
      ModelSnapshot manifest = Codecs.SNAPSHOT.decode(record.value());
      name = "manifest " + manifest.modelId() + " " + manifest.version() + " " + manifest.ranges();
    } else {
      WeightsChunk chunk = Codecs.CHUNK.decode(record.value());
      name = "chunk " + chunk.modelId() + " " + chunk.version() + " " + chunk.index();
    }
    String payload = HexFormat.of().formatHex(Sha256.sha256(record.value()));
    String before = payloads.put(name, payload);
    seen++;
    if (before != null) {
      repeats++;
      if (!before.equals(payload)) {
        conflicts.add(name);
      }
    }
  }

  /** Lets {@link #run} end once it has read what has been written until now. */
  public void stop() {
    stopped = true;
  }

  public long seen() {
    return seen;
  }

  /** How often a payload was seen again: the writes of aborted transactions, written once more. */
  public long repeats() {
    return repeats;
  }

  public List<String> conflicts() {
    return List.copyOf(conflicts);
  }
}
