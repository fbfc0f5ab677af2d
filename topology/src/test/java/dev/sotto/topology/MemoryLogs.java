package dev.sotto.topology;

import dev.sotto.serdes.record.Codecs;
import dev.sotto.topology.core.LedgerLog;
import dev.sotto.topology.core.PointLog;
import dev.sotto.topology.core.SlotLog;
import dev.sotto.topology.encryption.TopicCipher;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Committed logs of one partition in memory; an event's offset is its place. */
final class MemoryLogs implements Logs {
  /** One record of the training topic. */
  record Event(byte[] key, byte[] value, byte[] modelHeader) {}

  final List<Event> events = new ArrayList<>();
  final List<byte[]> ledger = new ArrayList<>();
  long reread;
  boolean sequenceHolds;

  @Override
  public SlotLog slots(Map<String, Object> config, String topic, String modelHeader) {
    return (partition, from, to, visitor) -> {
      for (long at = from; at < to; at++) {
        Event event = events.get((int) at);
        reread++;
        if (!visitor.accept(at, event.key(), event.value(), event.modelHeader())) {
          return false;
        }
      }
      return true;
    };
  }

  @Override
  public boolean sequenceHolds(
      Map<String, Object> config, String sequence, SequencedDecoder decoder, int partition) {
    return sequenceHolds;
  }

  @Override
  public PointLog points(
      Map<String, Object> config, String control, TopicCipher cipher, String topic) {
    throw new UnsupportedOperationException(
        "the rounds layout runs on the test kit's cluster in memory");
  }

  @Override
  public LedgerLog ledger(Map<String, Object> config, String topic) {
    return new LedgerLog() {
      @Override
      public Optional<byte[]> last(int partition) {
        return ledger.isEmpty() ? Optional.empty() : Optional.of(ledger.get(ledger.size() - 1));
      }

      @Override
      public void read(int partition, long fromSequence, Consumer<byte[]> visitor) {
        List.copyOf(ledger).stream()
            .filter(entry -> Codecs.LEDGER.decode(entry).sequence() >= fromSequence)
            .forEach(visitor);
      }
    };
  }
}
