package dev.sotto.topology.log;

import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.OrderPlace;
import dev.sotto.topology.encryption.TopicCipher;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/** Committed logs of one partition in memory; an event's offset is its place. */
public final class MemoryLogs implements Logs {
  /** One record of the training topic. */
  public record Event(byte[] key, byte[] value, byte[] modelHeader) {}

  public final List<Event> events = new ArrayList<>();
  public final List<byte[]> ledger = new ArrayList<>();
  public long reread;

  @Override
  public SlotLog source(Map<String, Object> config, String topic, SourceReading reading) {
    return (partition, from, to) ->
        SlotLog.Reading.of(LongStream.range(from, to).mapToObj(this::record).iterator());
  }

  private SourceRecord record(long at) {
    Event event = events.get((int) at);
    reread++;
    return new SourceRecord(
        at, SourceRecord.NO_TIME, event.key(), event.value(), event.modelHeader());
  }

  @Override
  public SlotLog events(Map<String, Object> config, String topic, SourceReading reading) {
    return source(config, topic, reading);
  }

  /** Whoever drives the topology announces. */
  @Override
  public Announcing announce(
      Map<String, Object> config, Announcing.Topics topics, OrderPlace place) {
    return () -> {};
  }

  @Override
  public long groupPosition(Map<String, Object> config, String group, String topic, int partition) {
    return 0;
  }

  @Override
  public int partitions(Map<String, Object> config, String topic) {
    return 1;
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
