package dev.sotto.topology.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.serdes.snapshot.PublishedModel;
import dev.sotto.serdes.snapshot.SnapshotAssembler;
import dev.sotto.topology.read.CommittedTopic;
import dev.sotto.topology.read.LedgerChecker;
import dev.sotto.topology.settings.Names;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * What an application has committed, every chain followed and every digest verified.
 *
 * @param bytes ledger and snapshot records as they are, in hexadecimal digits
 */
public record Published(
    List<LedgerEntry> ledger,
    List<PublishedModel> models,
    List<ConsumerRecord<byte[], byte[]>> letters,
    List<String> bytes) {

  public static Published of(Map<String, String> clients, String app) {
    List<String> bytes = new ArrayList<>();
    LedgerChecker checker = new LedgerChecker();
    List<LedgerEntry> ledger = new ArrayList<>();
    for (var record : read(clients, Names.ledger(app))) {
      ledger.add(checker.accept(record.partition(), record.offset(), record.value()));
      bytes.add(line(record));
    }
    assertThat(checker.faults()).isEmpty();
    SnapshotAssembler assembler = new SnapshotAssembler();
    List<PublishedModel> models = new ArrayList<>();
    for (var record : read(clients, Names.snapshots(app))) {
      assembler.accept(record.key(), record.value()).ifPresent(models::add);
      bytes.add(line(record));
    }
    assertThat(assembler.damaged()).isZero();
    return new Published(ledger, models, read(clients, Names.deadLetters(app)), bytes);
  }

  /** The committed records of a topic. */
  public static List<ConsumerRecord<byte[], byte[]>> read(
      Map<String, String> clients, String topic) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    try (CommittedTopic committed = new CommittedTopic(clients, topic)) {
      committed.readToEnd(records::add);
    }
    return records;
  }

  /** A record as text. */
  public static String line(ConsumerRecord<byte[], byte[]> record) {
    return line(new String(record.key(), StandardCharsets.UTF_8), record.value());
  }

  public static String line(String key, byte[] value) {
    return key + " " + HexFormat.of().formatHex(value);
  }

  public static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
  }
}
