package dev.sotto.replay.cluster;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.key.Sha256;
import dev.sotto.replay.recording.InMemoryRecording;
import dev.sotto.serdes.avro.PackedDoubles;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.testing.Seed;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.store.StateTable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.LongUnaryOperator;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;

/**
 * A cluster in memory whose learner reads one partition, and is stopped wherever a test wants. What
 * is committed lies open between two lives: the log, the stores, the offset and the topics may be
 * damaged, lost or moved before the next {@link #restart}.
 */
final class OnePartition {
  private static final RecordHeaders NO_HEADERS = new RecordHeaders();

  /** A ledger that nobody else has written. */
  private static final NoiseKeyHistory NOTHING_ELSEWHERE = new NoiseKeyHistory() {
    @Override
    public String keyOf(String modelId, long round) {
      return null;
    }

    @Override
    public long rounds(String modelId) {
      return 0;
    }
  };

  /** One record of the source. */
  record Event(byte[] key, byte[] value) {}

  /** One published record, committed or not. */
  record Output(String topic, String key, byte[] value) {}

  final NavigableMap<Long, Event> log = new TreeMap<>();
  final Map<String, byte[]> heads = new TreeMap<>();
  final Map<String, byte[]> arrays = new TreeMap<>();
  final Map<String, byte[]> units = new TreeMap<>();
  final List<Output> committed = new ArrayList<>();
  final List<Output> everything = new ArrayList<>();
  final List<Long> deadLetters = new ArrayList<>();
  long groupOffset;
  LearnerSettings settings;
  String topicId = "topic";
  LongUnaryOperator times = offset -> 0;
  BiFunction<String, StateTable, StateTable> atRest = (name, table) -> table;

  /** How many records are read again in one go. */
  int readLimit = Integer.MAX_VALUE;

  /** Commits that the learner asked for, since it reads again in pieces. */
  long pieces;

  private InMemoryCluster cluster; // null between two lives
  private ProcessorTask task;

  OnePartition(LearnerSettings settings) {
    this.settings = settings;
  }

  /** Fills the log: about one offset in nine is a hole, one record in eleven is poison. */
  OnePartition fill(int records, int models, long salt) {
    Random random = Seed.random(salt);
    long offset = 7;
    for (int i = 0; i < records; i++) {
      offset += random.nextInt(9) == 0 ? 1 + random.nextInt(3) : 1;
      double[] values = random.doubles(LiteralDecoder.FEATURES + 1, -0.5, 0.5).toArray();
      values[LiteralDecoder.FEATURES] = random.nextInt(2);
      byte[] value =
          random.nextInt(11) == 0 ? new byte[random.nextInt(20)] : PackedDoubles.pack(values);
      byte[] key = {(byte) ('a' + random.nextInt(models))};
      log.put(offset, new Event(key, value));
    }
    groupOffset = log.firstKey();
    return this;
  }

  /**
   * A new life from what is committed, as after a crash: what was not committed never happened, but
   * a reader that must not may have seen what was sent.
   */
  void restart() {
    end();
    cluster = new InMemoryCluster(
        settings, RecordedInput.of(recording()), new Published(), NOTHING_ELSEWHERE);
    cluster.readLimit(() -> readLimit);
    task = cluster.all().stream()
        .filter(each -> each.stores().containsKey(Names.HEADS))
        .findFirst()
        .orElseThrow();
    tables().forEach((name, content) -> {
      if (task.stores().containsKey(name)) {
        task.stores().put(name, new Store(name, content));
      }
    });
    committed.stream()
        .filter(each -> each.topic().equals("ledger"))
        .forEach(each -> cluster.ledger(0).add(each.value()));
    task.positions(List.of(groupOffset));
    cluster.transactionBegan();
    InMemoryCluster starting = cluster;
    cluster = null; // of one that refuses to start nothing is to be closed
    task.start();
    cluster = starting;
  }

  private void end() {
    if (cluster != null) {
      task.commit(new InMemoryTransaction(
          settings, cluster.topics().internal(), List.of(new ArrayList<>()), new Sent()));
      cluster.close();
      cluster = null;
    }
  }

  private InMemoryRecording recording() {
    InMemoryRecording.Builder made =
        InMemoryRecording.of(SmallLearner.EVENTS).topicId(topicId).partition(0, log.firstKey());
    log.forEach((offset, event) ->
        made.add(0, offset, times.applyAsLong(offset), event.key(), event.value(), NO_HEADERS));
    return made.build();
  }

  private Map<String, Map<String, byte[]>> tables() {
    return Map.of(Names.HEADS, heads, Names.LEARNER, arrays, Names.UNITS, units);
  }

  /** Commits state, outputs and offset together. */
  void commit() {
    InMemoryTransaction transaction = cluster.begin();
    task.commit(transaction);
    transaction.end();
    cluster.transactionBegan();
    tables().forEach((name, content) -> {
      if (task.stores().get(name) instanceof Store store) {
        content.clear();
        store.all().forEachRemaining(each -> content.put(each.key, each.value));
      }
    });
    groupOffset = task.committed();
  }

  private void commitIfAsked() {
    if (task.wantsCommit()) {
      pieces++;
      commit();
    }
  }

  /** Writes what is open, as it is done from time to time. */
  void checkpoint() {
    passTime(settings.cadence().checkpointInterval().toMillis());
  }

  private boolean passTime(long millis) {
    cluster.passTime(millis);
    return task.advanceClock(cluster.now());
  }

  /** What a store has under a key now, committed or not. */
  byte[] stored(String table, String key) {
    return task.stores().get(table).get(key);
  }

  /** Reads on where records that were handed over wait; whether any did. */
  boolean goOn() {
    boolean behind = passTime(1_000);
    commitIfAsked();
    return behind;
  }

  /** Processes one record, or reads on; false where there is nothing left to do. */
  boolean step() {
    return step(1);
  }

  private boolean step(int together) {
    if (task.step(together) == 0) {
      return goOn();
    }
    commitIfAsked();
    return true;
  }

  /** A new life that takes so many records, and commits. */
  OnePartition go(int records) {
    restart();
    for (int i = 0; i < records && step(); i++) {
      continue;
    }
    commit();
    return this;
  }

  /** A new life that runs to the end of the log. */
  OnePartition run() {
    return go(Integer.MAX_VALUE);
  }

  /**
   * Runs to the end of the log with commits, checkpoints and crashes at random moments; records come
   * one by one, or, of half of all seeds, in batches.
   */
  OnePartition runWithFaults(long seed, int meanRun) {
    Random random = Seed.random(seed);
    restart();
    while (step((seed & 2) != 0 ? 1 : 1 + random.nextInt(7))) {
      int dice = random.nextInt(meanRun * 4);
      if (dice < 2) {
        restart();
      } else if (dice < 7) {
        commit();
      } else if (dice == 7) {
        checkpoint();
      } else if (dice == 8) {
        cluster.transactionAges();
      }
    }
    commit();
    return this;
  }

  /** Loses all stores; only the log, the offset and the topics are left. */
  void loseStores() {
    tables().values().forEach(Map::clear);
  }

  List<LedgerEntry> ledger() {
    return committed("ledger").stream().map(Codecs.LEDGER::decode).toList();
  }

  /** What is committed to a topic. */
  List<byte[]> committed(String topic) {
    return committed.stream()
        .filter(each -> each.topic().equals(topic))
        .map(Output::value)
        .toList();
  }

  /** What was committed, as text that can be compared, every byte of every record. */
  List<String> published() {
    return committed.stream()
        .sorted(Comparator.comparing(Output::topic))
        .map(each -> each.topic() + " " + each.key() + " " + hex(Sha256.sha256(each.value())))
        .toList();
  }

  static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  /** The records of any transaction. */
  private class Sent implements OutputListener {
    @Override
    public void ledger(int partition, String modelId, byte[] entry) {
      add(new Output("ledger", modelId, entry));
    }

    @Override
    public void snapshot(int partition, String key, byte[] value) {
      add(new Output("snapshots", key, value));
    }

    @Override
    public void metrics(int partition, String modelId, byte[] value) {
      add(new Output("metrics", modelId, value));
    }

    void add(Output output) {
      everything.add(output);
    }
  }

  /** The records of transactions that are committed. */
  private final class Published extends Sent {
    @Override
    void add(Output output) {
      super.add(output);
      committed.add(output);
    }

    @Override
    public void deadLetter(Record<byte[], byte[]> letter) {
      byte[] offset = letter.headers().lastHeader("sotto.offset").value();
      deadLetters.add(Long.valueOf(new String(offset, StandardCharsets.UTF_8)));
    }
  }

  /** A store of the task, over which a test may lay a table of its own. */
  private final class Store extends InMemoryStore {
    private final StateTable table; // null while the content is put there

    Store(String name, Map<String, byte[]> content) {
      super(name);
      content.forEach(super::put);
      commitChanges();
      table = atRest.apply(name, new Under());
    }

    @Override
    public byte[] get(String key) {
      return table == null ? super.get(key) : table.get(key);
    }

    @Override
    public void put(String key, byte[] value) {
      if (value == null) {
        table.delete(key);
      } else {
        table.put(key, value);
      }
    }

    private byte[] plain(String key) {
      return super.get(key);
    }

    private void putPlain(String key, byte[] value) {
      super.put(key, value);
    }

    private final class Under implements StateTable {
      @Override
      public byte[] get(String key) {
        return plain(key);
      }

      @Override
      public void put(String key, byte[] value) {
        putPlain(key, value);
      }

      @Override
      public void delete(String key) {
        putPlain(key, null);
      }
    }
  }
}
