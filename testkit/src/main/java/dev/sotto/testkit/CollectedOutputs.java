package dev.sotto.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.replay.cluster.OutputListener;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.ModelMetrics;
import dev.sotto.serdes.snapshot.SnapshotAssembler;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.apache.kafka.streams.processor.api.Record;

/** What one run has published, decoded. */
final class CollectedOutputs implements OutputListener {
  final List<LedgerEntry> ledger = new ArrayList<>();
  final List<ModelVersion> versions = new ArrayList<>();
  final List<ModelMetrics> metrics = new ArrayList<>();
  final PublishedBytes bytes = new PublishedBytes();
  private final List<DeadLetterEvent> letters = new ArrayList<>();
  private final SnapshotAssembler assembler = new SnapshotAssembler();

  @Override
  public void ledger(int partition, String modelId, byte[] entry) {
    bytes.ledger(partition, modelId, entry);
    ledger.add(Codecs.LEDGER.decode(entry));
  }

  @Override
  public void snapshot(int partition, String key, byte[] value) {
    bytes.snapshot(partition, key, value);
    assembler
        .accept(key.getBytes(UTF_8), value)
        .ifPresent(model -> versions.add(new ModelVersion(
            model.manifest().modelId(),
            model.manifest().version(),
            model.weights(),
            model.manifest())));
  }

  @Override
  public void metrics(int partition, String modelId, byte[] value) {
    bytes.metrics(partition, modelId, value);
    metrics.add(Codecs.METRICS.decode(value));
  }

  @Override
  public void deadLetter(Record<byte[], byte[]> letter) {
    bytes.deadLetter(letter);
    int partition = Integer.parseInt(header(letter, "sotto.partition"));
    letters.add(new DeadLetterEvent(
        RecordStatus.valueOf(header(letter, "sotto.reason")),
        partition,
        Long.parseLong(header(letter, "sotto.offset")),
        new TestEvent(partition, letter.key(), letter.value(), letter.timestamp(), Map.of())));
  }

  private static String header(Record<byte[], byte[]> letter, String name) {
    return new String(letter.headers().lastHeader(name).value(), UTF_8);
  }

  /** By partition and offset. */
  List<DeadLetterEvent> letters() {
    return letters.stream()
        .sorted(Comparator.comparingInt(DeadLetterEvent::partition)
            .thenComparingLong(DeadLetterEvent::offset))
        .toList();
  }
}
