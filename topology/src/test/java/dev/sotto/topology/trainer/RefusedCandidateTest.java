package dev.sotto.topology.trainer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.accounting.Candidates;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.training.Plan;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.serdes.record.UnitSource;
import dev.sotto.topology.Trial;
import dev.sotto.topology.log.LedgerLog;
import dev.sotto.topology.log.RecordFault;
import dev.sotto.topology.log.SlotLog;
import dev.sotto.topology.log.SourceRecord;
import dev.sotto.topology.settings.Cadence;
import dev.sotto.topology.settings.CandidateModels;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelRouting;
import dev.sotto.topology.settings.RoundObserver;
import dev.sotto.topology.store.HeapTable;
import dev.sotto.topology.store.StateTable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * The number of models that there may be is reached between two candidates of one slot: a state in
 * which a model was learned without candidates goes on with two.
 */
class RefusedCandidateTest {
  private final StateTable heads = new HeapTable();
  private final StateTable arrays = new HeapTable();
  private final List<byte[]> ledger = new ArrayList<>();
  private final List<RecordStatus> setAside = new ArrayList<>();

  /** The version that the first has ended with the slot is in the stored position. */
  @Test
  void theHeadMovesOnBehindAVersionThatAnotherCandidateEnded() {
    SlotTrainer alone = trainer(new LearnerSettings.Run(plan(Candidates.ALONE), key(), "1"));
    alone.accept(record(0, "one"));
    assertThat(alone.store.partitionHead().position()).isEqualTo(1);
    assertThat(ledger).hasSize(1);

    Plan plan = plan(Candidates.of(2));
    CandidateModels two = new CandidateModels(
        List.of(new CandidateModels.One("a", plan), new CandidateModels.One("b", plan)));
    SlotTrainer both =
        trainer(new LearnerSettings.Run(two, key(), "1", RoundObserver.NONE, Optional.empty()));
    both.accept(record(1, "two"));
    assertThat(ledger).as("that of two.a").hasSize(2);
    assertThat(Codecs.LEDGER.decode(ledger.get(1)).modelId()).isEqualTo("two.a");
    assertThat(setAside).containsExactly(RecordStatus.TOO_MANY_MODELS);
    assertThat(both.store.partitionHead().position()).isEqualTo(2);
    assertThat(both.store.partitionHead().ledgerSequence()).isEqualTo(2);
  }

  private static NoiseKey key() {
    return NoiseKey.of(new byte[32]);
  }

  private static EventDecoder decoder() {
    return new ExampleCodec(1, 1 << 10, UnitSource.NONE);
  }

  private static Plan plan(Candidates candidates) {
    return Trial.plan(1, 1).toBuilder().candidates(candidates).build();
  }

  private static SourceRecord record(long place, String modelId) {
    byte[] value = ExampleCodec.encodeDense(null, null, new double[] {0.5}, 1, 1);
    return SourceRecord.of(place, modelId.getBytes(StandardCharsets.US_ASCII), value);
  }

  private SlotTrainer trainer(LearnerSettings.Run run) {
    TrainerSettings settings = new TrainerSettings(
        "",
        run,
        null,
        new TrainerSettings.Source(0, "topic", "key"),
        Duration.ofDays(1),
        new Cadence(1_000, Duration.ofSeconds(60), 1));
    List<EventDecoder> decoders = new ArrayList<>();
    for (int i = 0; i < run.candidates().number(); i++) {
      decoders.add(decoder());
    }
    SlotTrainer trainer = new SlotTrainer(
        settings,
        new OneModel(),
        decoders,
        new PartitionTrainer.Stores(heads, arrays, null),
        new PartitionTrainer.Logs(
            (partition, from, to) -> SlotLog.Reading.nothing(), new Published()),
        new Output());
    trainer.inspect();
    return trainer;
  }

  private static final class OneModel implements ModelRouting {
    @Override
    public String modelOf(byte[] key, byte[] modelHeader) {
      return new String(key, StandardCharsets.US_ASCII);
    }

    @Override
    public long most() {
      return 1; // with its two candidates
    }
  }

  private final class Output implements TrainerOutput {
    @Override
    public void ledger(String modelId, byte[] entry) {
      ledger.add(entry);
    }

    @Override
    public void snapshot(String modelId, String key, byte[] value) {}

    @Override
    public void metrics(String modelId, byte[] value) {}

    @Override
    public void commitSoon() {}

    @Override
    public void deadLetter(
        int partition, long offset, long appended, byte[] key, byte[] value, RecordFault fault) {
      setAside.add(fault.status());
    }
  }

  private final class Published implements LedgerLog {
    @Override
    public Optional<byte[]> last(int partition) {
      return ledger.isEmpty() ? Optional.empty() : Optional.of(ledger.get(ledger.size() - 1));
    }

    @Override
    public void read(int partition, long fromSequence, Consumer<byte[]> visitor) {
      List.copyOf(ledger.subList((int) fromSequence - 1, ledger.size())).forEach(visitor);
    }
  }
}
