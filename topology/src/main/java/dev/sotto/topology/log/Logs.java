package dev.sotto.topology.log;

import dev.sotto.serdes.record.OrderPlace;
import dev.sotto.topology.encryption.TopicCipher;
import java.util.Map;
import java.util.Optional;

/** Makes the readers of committed logs for one task; tests without a broker have their own. */
public interface Logs {
  /**
   * A reader of the topic that a task learns from; in layout ordered, of the announcements.
   *
   * @param config the application's configuration, for its client settings
   * @param reading what counts of the records' headers
   */
  SlotLog source(Map<String, Object> config, String topic, SourceReading reading);

  /**
   * A reader of all partitions of the event topic that is used all the time, piece by piece, and
   * closed at the end.
   */
  SlotLog events(Map<String, Object> config, String topic, SourceReading reading);

  /**
   * Begins to announce the committed ends of the event partitions, until it is closed.
   *
   * @param place in the order: what was announced up to it, and where announcements behind it begin
   */
  Announcing announce(Map<String, Object> config, Announcing.Topics topics, OrderPlace place);

  /**
   * Where a group stands in a partition: its committed offset, or the first one that there is.
   */
  long groupPosition(Map<String, Object> config, String group, String topic, int partition);

  /** How many partitions a topic has by now. */
  int partitions(Map<String, Object> config, String topic);

  /** Looks whether a topic has been read to its end; unless there are ends, it never has. */
  default ReadEnd end(Map<String, Object> config, String topic) {
    return (partition, offset, now, wanted) -> ReadEnd.THERE_IS_MORE;
  }

  /** The last committed value of a partition; nothing where nobody keeps what is written. */
  default Optional<byte[]> last(Map<String, Object> config, String topic, int partition) {
    return Optional.empty();
  }

  /** Whether a partition has ever held a record; unless there are ends, it has. */
  default boolean hasRecords(Map<String, Object> config, String topic, int partition) {
    return true;
  }

  /** What a worker of the rounds layout reads for itself, of control points and of events. */
  PointLog points(Map<String, Object> config, String control, TopicCipher cipher, String events);

  /** A reader of the ledger topic. */
  LedgerLog ledger(Map<String, Object> config, String topic);
}
