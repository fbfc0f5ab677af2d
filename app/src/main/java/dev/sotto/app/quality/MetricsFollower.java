package dev.sotto.app.quality;

import dev.sotto.serdes.avro.UnreadableRecordException;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.ModelMetrics;
import dev.sotto.topology.settings.Names;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands on the published metrics of an application as they are committed; windows may come twice
 * ({@link CommittedFollower}).
 */
public final class MetricsFollower implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MetricsFollower.class);

  /** Who hears of metrics. */
  public interface Listener {
    /** The next window of a model. */
    void window(ModelMetrics window);

    /** All that is committed has been handed on, and nothing more came for a moment. */
    default void caughtUp() {}
  }

  private final List<Listener> listeners;
  private final CommittedFollower follower;

  private MetricsFollower(Map<String, String> clients, String app, List<Listener> listeners) {
    this.listeners = listeners;
    this.follower = CommittedFollower.start(
        clients, Names.metrics(app), this::accept, () -> listeners.forEach(Listener::caughtUp));
  }

  /** Follows from now on. */
  public static MetricsFollower start(
      Map<String, String> clients, String app, List<Listener> listeners) {
    return new MetricsFollower(clients, app, List.copyOf(listeners));
  }

  private void accept(ConsumerRecord<byte[], byte[]> record) {
    try {
      ModelMetrics window = Codecs.METRICS.decode(record.value());
      listeners.forEach(each -> each.window(window));
    } catch (UnreadableRecordException stranger) {
      LOG.debug("{} at offset {} is passed over", record.topic(), record.offset(), stranger);
    }
  }

  @Override
  public void close() {
    follower.close();
  }
}
