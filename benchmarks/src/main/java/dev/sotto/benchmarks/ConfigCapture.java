package dev.sotto.benchmarks;

import dev.sotto.serdes.record.OrderPlace;
import dev.sotto.topology.encryption.TopicCipher;
import dev.sotto.topology.log.Announcing;
import dev.sotto.topology.log.KafkaLogs;
import dev.sotto.topology.log.LedgerLog;
import dev.sotto.topology.log.Logs;
import dev.sotto.topology.log.PointLog;
import dev.sotto.topology.log.ReadEnd;
import dev.sotto.topology.log.SlotLog;
import dev.sotto.topology.log.SourceReading;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Sees the configuration that a learner runs with, so that others can be measured under the same.
 */
final class ConfigCapture implements Logs {
  private final Logs logs;
  private volatile Map<String, Object> config;
  private volatile Runnable joins = () -> {};

  ConfigCapture(Logs logs) {
    this.logs = logs;
  }

  /** Before the logs that a learner reads in earnest. */
  static ConfigCapture make() {
    return new ConfigCapture(new KafkaLogs(Duration.ofSeconds(10)));
  }

  /** What the last learner ran with; a learner must have run. */
  Map<String, Object> config() {
    if (config == null) {
      throw new IllegalStateException("a learner must have run first");
    }
    return config;
  }

  /** What to do when a task that joins labels begins. */
  void whenJoining(Runnable begins) {
    joins = begins;
  }

  @Override
  public ReadEnd end(Map<String, Object> seen, String topic) {
    joins.run();
    return logs.end(seen, topic);
  }

  @Override
  public SlotLog source(Map<String, Object> seen, String topic, SourceReading reading) {
    Map<String, Object> settings = new HashMap<>(seen);
    settings.values().removeIf(value -> value == null);
    config = Map.copyOf(settings);
    return logs.source(seen, topic, reading);
  }

  @Override
  public SlotLog events(Map<String, Object> seen, String topic, SourceReading reading) {
    return logs.events(seen, topic, reading);
  }

  @Override
  public Announcing announce(Map<String, Object> seen, Announcing.Topics topics, OrderPlace place) {
    return logs.announce(seen, topics, place);
  }

  @Override
  public long groupPosition(Map<String, Object> seen, String group, String topic, int partition) {
    return logs.groupPosition(seen, group, topic, partition);
  }

  @Override
  public int partitions(Map<String, Object> seen, String topic) {
    return logs.partitions(seen, topic);
  }

  @Override
  public PointLog points(
      Map<String, Object> seen, String control, TopicCipher cipher, String events) {
    return logs.points(seen, control, cipher, events);
  }

  @Override
  public LedgerLog ledger(Map<String, Object> seen, String topic) {
    return logs.ledger(seen, topic);
  }
}
