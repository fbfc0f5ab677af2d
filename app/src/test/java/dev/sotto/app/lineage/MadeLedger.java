package dev.sotto.app.lineage;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.key.Sha256;
import dev.sotto.serdes.record.Codecs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/** One partition of a ledger, made by hand: entries that follow each other. */
final class MadeLedger {
  static final LineageNames NAMES = new LineageNames(
      "sotto", "clicks", "kafka://broker:9092", "clicks-events", List.of(), "1.2.3");

  private final int partition;
  private final List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
  private byte[] before = Sha256.none();

  MadeLedger(int partition) {
    this.partition = partition;
  }

  /** Of one run, whose last entry spends the budget. */
  static MadeLedger of(int entries, int run) {
    MadeLedger made = new MadeLedger(0);
    for (int i = 1; i <= entries; i++) {
      made.add(run, i, 0.25 * i, i == entries);
    }
    return made;
  }

  MadeLedger add(int run, long round, double epsilon, boolean last) {
    byte[] runId = new byte[16];
    Arrays.fill(runId, (byte) run);
    LedgerEntry entry = new LedgerEntry(
        records.size() + 1,
        before,
        "model",
        runId,
        0,
        round,
        round,
        "private-ftrl",
        1,
        1,
        2,
        1,
        new Guarantee(
            PrivacyUnit.KEY,
            Adjacency.ZERO_OUT,
            "blt",
            epsilon,
            epsilon,
            1e-6,
            Double.POSITIVE_INFINITY,
            Double.POSITIVE_INFINITY),
        4,
        4 - epsilon,
        last,
        100 * round,
        0,
        List.of(new OffsetRange(0, 100 * round, 100 * round + 90)),
        new byte[32],
        new byte[32],
        "key",
        1,
        new LedgerEntry.Terms("any", "once", "none", 0, "gaussian-dp", 0, 100, 0));
    byte[] value = Codecs.LEDGER.encode(entry);
    before = Sha256.sha256(value);
    records.add(record(records.size(), value));
    return this;
  }

  ConsumerRecord<byte[], byte[]> record(long offset, byte[] value) {
    return new ConsumerRecord<>(
        NAMES.ledger(),
        partition,
        offset,
        1_000_000_000_000L + 1_000 * offset,
        TimestampType.LOG_APPEND_TIME,
        0,
        value == null ? 0 : value.length,
        null,
        value,
        new RecordHeaders(),
        Optional.empty());
  }

  List<ConsumerRecord<byte[], byte[]>> records() {
    return records;
  }

  /** Hands on what is there, as a start of the command does. */
  static void handOn(LineageSink sink, List<ConsumerRecord<byte[], byte[]>> records) {
    handOn(sink, records, false, (failed, millis) -> {});
  }

  /** The same, for ever as with {@code --follow}, or not. */
  static void handOn(
      LineageSink sink,
      List<ConsumerRecord<byte[], byte[]>> records,
      boolean patient,
      LineageRun.Pause pause) {
    LineageRun run = new LineageRun(new LineageEvents(NAMES), sink, patient, pause);
    records.forEach(run::accept);
    run.requireSeen();
    run.flush();
  }
}
