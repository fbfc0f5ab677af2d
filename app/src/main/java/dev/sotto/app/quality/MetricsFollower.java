package dev.sotto.app.quality;

import dev.sotto.serdes.avro.UnreadableRecordException;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.ModelMetrics;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.read.CommittedTopic;
import dev.sotto.topology.settings.Names;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands on the published metrics of an application, from the oldest that are kept, as they are
 * committed: in a thread of its own, which nothing that goes wrong here ends. After a fault the
 * topic is read from its beginning again, so that windows may come twice.
 */
public final class MetricsFollower implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MetricsFollower.class);
  private static final Duration WAIT = Duration.ofMillis(200);
  private static final long PAUSE_MILLIS = 5_000;

  /** Who hears of metrics. */
  public interface Listener {
    /** The next window of a model. */
    void window(ModelMetrics window);

    /** All that is committed has been handed on, and nothing more came for a moment. */
    default void caughtUp() {}
  }

  private final Map<String, String> clients;
  private final String topic;
  private final List<Listener> listeners;
  private final Thread thread;
  private volatile boolean closed;

  private MetricsFollower(Map<String, String> clients, String app, List<Listener> listeners) {
    this.clients = clients;
    this.topic = Names.metrics(app);
    this.listeners = listeners;
    this.thread = new Thread(this::run, "sotto-metrics");
    this.thread.setDaemon(true);
  }

  /** Follows from now on. */
  public static MetricsFollower start(
      Map<String, String> clients, String app, List<Listener> listeners) {
    MetricsFollower follower = new MetricsFollower(clients, app, listeners);
    follower.thread.start();
    return follower;
  }

  private void run() {
    while (!closed) {
      try (CommittedTopic metrics = new CommittedTopic(clients, topic)) {
        follow(metrics);
      } catch (InterruptException stop) {
        return;
      } catch (RuntimeException failed) {
        LOG.debug("following {} failed, and is tried again", topic, failed);
        if (!(failed instanceof SottoException)) {
          LOG.warn("following {} failed, and is tried again: {}", topic, failed.toString());
        }
        try {
          Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException stop) {
          return;
        }
      }
    }
  }

  private void follow(CommittedTopic metrics) {
    metrics.readToEnd(this::accept);
    listeners.forEach(Listener::caughtUp);
    while (!closed) {
      metrics.follow(WAIT, this::accept);
      listeners.forEach(Listener::caughtUp);
    }
  }

  private void accept(ConsumerRecord<byte[], byte[]> record) {
    try {
      ModelMetrics window = Codecs.METRICS.decode(record.value());
      listeners.forEach(each -> each.window(window));
    } catch (UnreadableRecordException stranger) {
      LOG.debug("{} at offset {} is passed over", topic, record.offset(), stranger);
    }
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      thread.join(PAUSE_MILLIS);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }
}
