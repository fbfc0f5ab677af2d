package dev.sotto.topology.log;

import dev.sotto.serdes.record.OrderPlace;
import dev.sotto.topology.encryption.TopicCipher;
import java.util.Map;
import java.util.Optional;

/** Logs in which a test replaces a reader: all others are those of the logs behind it. */
public class ForwardingLogs implements Logs {
  private final Logs logs;

  /** The same logs. */
  public ForwardingLogs(Logs logs) {
    this.logs = logs;
  }

  @Override
  public SlotLog source(Map<String, Object> config, String topic, SourceReading reading) {
    return logs.source(config, topic, reading);
  }

  @Override
  public SlotLog events(Map<String, Object> config, String topic, SourceReading reading) {
    return logs.events(config, topic, reading);
  }

  @Override
  public Announcing announce(
      Map<String, Object> config, Announcing.Topics topics, OrderPlace place) {
    return logs.announce(config, topics, place);
  }

  @Override
  public long groupPosition(Map<String, Object> config, String group, String topic, int partition) {
    return logs.groupPosition(config, group, topic, partition);
  }

  @Override
  public int partitions(Map<String, Object> config, String topic) {
    return logs.partitions(config, topic);
  }

  @Override
  public ReadEnd end(Map<String, Object> config, String topic) {
    return logs.end(config, topic);
  }

  @Override
  public PointLog points(
      Map<String, Object> config, String control, TopicCipher cipher, String events) {
    return logs.points(config, control, cipher, events);
  }

  @Override
  public Optional<byte[]> last(Map<String, Object> config, String topic, int partition) {
    return logs.last(config, topic, partition);
  }

  @Override
  public boolean hasRecords(Map<String, Object> config, String topic, int partition) {
    return logs.hasRecords(config, topic, partition);
  }

  @Override
  public LedgerLog ledger(Map<String, Object> config, String topic) {
    return logs.ledger(config, topic);
  }
}
