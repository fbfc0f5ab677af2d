package dev.sotto.app.quality;

import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.read.CommittedTopic;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands on the committed records of a topic, from the oldest that are kept, as they are committed:
 * in a thread of its own, which nothing that goes wrong here ends. After a fault the topic is read
 * from its beginning again, so that records may come twice.
 */
public final class CommittedFollower implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CommittedFollower.class);
  private static final Duration WAIT = Duration.ofMillis(200);
  private static final long PAUSE_MILLIS = 5_000;

  private final Supplier<CommittedTopic> opening;
  private final String topic;
  private final Consumer<ConsumerRecord<byte[], byte[]>> visitor;
  private final Runnable caughtUp;
  private final Thread thread;
  private volatile boolean closed;

  private CommittedFollower(
      Supplier<CommittedTopic> opening,
      String topic,
      Consumer<ConsumerRecord<byte[], byte[]>> visitor,
      Runnable caughtUp) {
    this.opening = opening;
    this.topic = topic;
    this.visitor = visitor;
    this.caughtUp = caughtUp;
    this.thread = new Thread(this::run, "sotto-follow-" + topic);
    this.thread.setDaemon(true);
  }

  /**
   * Follows from now on.
   *
   * @param caughtUp called when all that is committed has been handed on, and nothing more came for
   *     a moment
   */
  public static CommittedFollower start(
      Map<String, String> clients,
      String topic,
      Consumer<ConsumerRecord<byte[], byte[]>> visitor,
      Runnable caughtUp) {
    return start(() -> CommittedTopic.followed(clients, topic), topic, visitor, caughtUp);
  }

  /** Follows from now on without what is old: see {@link CommittedTopic#followed}. */
  public static CommittedFollower startAtNewest(
      Map<String, String> clients,
      String topic,
      long newest,
      Consumer<ConsumerRecord<byte[], byte[]>> visitor,
      Runnable caughtUp) {
    return start(() -> CommittedTopic.followed(clients, topic, newest), topic, visitor, caughtUp);
  }

  private static CommittedFollower start(
      Supplier<CommittedTopic> opening,
      String topic,
      Consumer<ConsumerRecord<byte[], byte[]>> visitor,
      Runnable caughtUp) {
    CommittedFollower follower = new CommittedFollower(opening, topic, visitor, caughtUp);
    follower.thread.start();
    return follower;
  }

  private void run() {
    while (!closed) {
      try (CommittedTopic records = opening.get()) {
        follow(records);
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

  private void follow(CommittedTopic records) {
    records.readToEnd(visitor);
    caughtUp.run();
    while (!closed) {
      records.follow(WAIT, visitor);
      caughtUp.run();
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
