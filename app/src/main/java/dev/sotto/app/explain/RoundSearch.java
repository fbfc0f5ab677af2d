package dev.sotto.app.explain;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.learner.training.Plan;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.topology.admin.ClusterInspector;
import dev.sotto.topology.processor.DeadLetters;
import dev.sotto.topology.read.PartitionReader;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;

/** Looks for slots in the ledger, the snapshots and the dead letters. */
final class RoundSearch {
  /**
   * An entry and its version are written together; the clocks of two brokers may differ by this
   * much.
   */
  private static final long CLOCKS = 300_000;

  private final PartitionReader reader;
  private final LearnerSettings settings;
  private final ReadProgress watch;

  RoundSearch(PartitionReader reader, LearnerSettings settings, ReadProgress watch) {
    this.reader = reader;
    this.settings = settings;
    this.watch = watch;
  }

  /**
   * What a ledger partition says of a slot.
   *
   * @param covering the entry whose round it is in, or null
   * @param time when that entry was written
   * @param last the last entry of the model, or null
   * @param lastEnd the end of its range
   * @param origin of the partition, or -1
   */
  record Found(LedgerEntry covering, long time, LedgerEntry last, long lastEnd, long origin) {}

  /** Which ledger partition pays for a partition of the training topic. */
  private int home(int partition) {
    return settings.layout().home(partition);
  }

  /** Looks for the round of a slot. */
  Found find(RecordPosition slot, String model, ClusterInspector cluster) {
    Found[] found = {new Found(null, 0, null, -1, -1)};
    String ledger = Names.ledger(settings.app());
    if (cluster.partitions(ledger) == 0) {
      return found[0];
    }
    scan("ledger", new TopicPartition(ledger, home(slot.partition())), record -> {
      LedgerEntry entry = Codecs.LEDGER.decode(record.value());
      Found before = found[0];
      if (!entry.modelId().equals(model)) {
        found[0] = new Found(
            before.covering(), before.time(), before.last(), before.lastEnd(), entry.origin());
        return true;
      }
      long end = -1;
      boolean covers = false;
      for (OffsetRange range : entry.ranges()) {
        if (range.partition() == slot.partition()) {
          end = range.to();
          covers |= slot.offset() >= range.from() && slot.offset() < range.to();
        }
      }
      found[0] = new Found(covers ? entry : null, record.timestamp(), entry, end, entry.origin());
      return !covers;
    });
    return found[0];
  }

  /** The last round of the version that begins with a round, unless log time ends it earlier. */
  static long lastOfVersion(Plan plan, long firstRound) {
    return plan.lastRound(plan.lastOfVersion(firstRound));
  }

  /** What became of a slot of a version that is not published. */
  static RecordOutcome open(long firstRound, long lastRound) {
    return firstRound == lastRound ? RecordOutcome.IN_OPEN_ROUND : RecordOutcome.IN_OPEN_VERSION;
  }

  /** The first version at or behind a round that is still held; 0 where there is none. */
  long firstVersion(int partition, Found found, String model) {
    TopicPartition where = new TopicPartition(Names.snapshots(settings.app()), home(partition));
    byte[] manifest = (model + "/manifest").getBytes(StandardCharsets.UTF_8);
    long[] version = {0};
    long from = reader.at(where, found.time() - CLOCKS);
    scan("snapshots", where, from, record -> {
      if (record.value() != null && Arrays.equals(record.key(), manifest)) {
        ModelSnapshot snapshot = Codecs.SNAPSHOT.decode(record.value());
        boolean same = Arrays.equals(snapshot.runId(), found.covering().runId());
        if (same && snapshot.version() >= found.covering().round()) {
          version[0] = snapshot.version();
        }
      }
      return version[0] == 0;
    });
    return version[0];
  }

  /** Why an event was set aside; null where it was not, or its letter is gone. */
  String setAside(String letters, List<TopicPartition> partitions, RecordPosition event) {
    String[] reason = new String[1];
    for (TopicPartition where : partitions) {
      scan(letters, where, record -> {
        boolean same = event.topic().equals(header(record, "sotto.topic"))
            && Integer.toString(event.partition()).equals(header(record, "sotto.partition"))
            && Long.toString(event.offset()).equals(header(record, "sotto.offset"));
        if (same) {
          String field = header(record, DeadLetters.FIELD);
          reason[0] = header(record, DeadLetters.REASON) + " ("
              + (field == null ? header(record, "sotto.sentence") : field) + ")";
        }
        return !same;
      });
      if (reason[0] != null) {
        break;
      }
    }
    return reason[0];
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? null : new String(header.value(), StandardCharsets.UTF_8);
  }

  private void scan(
      String task, TopicPartition where, Predicate<ConsumerRecord<byte[], byte[]>> visitor) {
    scan(task, where, reader.beginning(where), visitor);
  }

  private void scan(
      String task,
      TopicPartition where,
      long from,
      Predicate<ConsumerRecord<byte[], byte[]>> visitor) {
    long begin = Math.max(from, reader.beginning(where));
    long end = reader.end(where);
    reader.read(where, begin, end, record -> {
      watch.at(task, record.offset() + 1 - begin, end - begin);
      return visitor.test(record);
    });
  }
}
