package dev.sotto.replay.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.topology.layout.Subtopology;
import java.util.List;
import java.util.Map;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.Test;

class InMemoryTransactionTest {
  private static final Record<byte[], byte[]> RECORD = new Record<>(null, new byte[] {7}, 1);

  private final InMemoryPartition partition = new InMemoryPartition();
  private final Subtopology.Output output = new Subtopology.Output("to-order", "order", null);

  private InMemoryTransaction transaction() {
    return new InMemoryTransaction(
        null, Map.of("order", List.of(partition)), List.of(), new OutputListener() {});
  }

  /** What is aborted takes offsets, as a marker does, and nobody reads it. */
  @Test
  void readersSeeWhatIsCommittedAlone() {
    InMemoryTransaction aborted = transaction();
    aborted.abort(output, RECORD);
    aborted.end();
    assertThat(partition.records()).isEmpty();
    assertThat(partition.end()).isEqualTo(2);

    InMemoryTransaction committed = transaction();
    committed.send(output, RECORD);
    committed.end();
    assertThat(partition.records()).hasSize(1);
    assertThat(partition.records().get(0).offset()).isEqualTo(2);
    assertThat(partition.end()).isEqualTo(4);
  }
}
