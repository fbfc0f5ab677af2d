package dev.sotto.app.live;

import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.topology.live.Published;
import dev.sotto.topology.log.LedgerLog;
import dev.sotto.topology.log.RecordFault;
import dev.sotto.topology.log.SourceRecord;
import dev.sotto.topology.settings.Cadence;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.store.HeapTable;
import dev.sotto.topology.trainer.PartitionTrainer;
import dev.sotto.topology.trainer.SlotTrainer;
import dev.sotto.topology.trainer.TrainerOutput;
import dev.sotto.topology.trainer.TrainerSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Learns from one partition of a log again, in memory: no stream, no broker, no state. */
public final class PartitionReplay implements TrainerOutput {
  private final TrainerSettings trainer;
  private final String modelId;
  private final EventDecoder decoder;
  private final List<String> ledger = new ArrayList<>();
  private final List<String> snapshots = new ArrayList<>();

  /** Of a partition in which one model is at home. */
  public PartitionReplay(
      LearnerSettings settings,
      String topicId,
      int partition,
      String modelId,
      EventDecoder decoder) {
    this.trainer = new TrainerSettings(
        settings.app(),
        new LearnerSettings.Run(settings.plan(), settings.key(), settings.label()),
        null,
        new TrainerSettings.Source(partition, topicId, "constant"),
        Duration.ofDays(1),
        new Cadence(Long.MAX_VALUE, Duration.ofSeconds(60), 1));
    this.modelId = modelId;
    this.decoder = decoder;
  }

  /** Ledger and snapshot records as {@link Published#bytes()} gives them. */
  public List<String> of(List<ConsumerRecord<byte[], byte[]>> log) {
    SlotTrainer core = new SlotTrainer(
        trainer,
        (key, header) -> modelId,
        List.of(decoder),
        new PartitionTrainer.Stores(new HeapTable(), new HeapTable(), new HeapTable()),
        new PartitionTrainer.Logs(
            (partition, from, to) -> {
              throw new AssertionError("nothing must be read again");
            },
            new NoLedger()),
        this);
    log.forEach(
        record -> core.accept(SourceRecord.of(record.offset(), record.key(), record.value())));
    List<String> bytes = new ArrayList<>(ledger);
    bytes.addAll(snapshots);
    return bytes;
  }

  @Override
  public void metrics(String modelId, byte[] value) {
    throw new IllegalStateException("there are no metrics here");
  }

  @Override
  public void commitSoon() {
    throw new IllegalStateException("nothing is read again here");
  }

  @Override
  public void ledger(String modelId, byte[] entry) {
    ledger.add(Published.line(modelId, entry));
  }

  @Override
  public void snapshot(String modelId, String key, byte[] value) {
    snapshots.add(Published.line(key, value));
  }

  @Override
  public void deadLetter(
      int partition, long offset, long appended, byte[] key, byte[] value, RecordFault fault) {}

  private static final class NoLedger implements LedgerLog {
    @Override
    public Optional<byte[]> last(int partition) {
      return Optional.empty();
    }

    @Override
    public void read(int partition, long fromSequence, Consumer<byte[]> visitor) {
      throw new AssertionError("nothing must be compared");
    }
  }
}
