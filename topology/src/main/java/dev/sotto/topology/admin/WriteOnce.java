package dev.sotto.topology.admin;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.ProducerFencedException;

/**
 * Writes something to a topic that is written once: of several instances that start together one
 * does it. Each takes the same transactional id, which ends what another has begun, and looks
 * before it writes.
 *
 * @param <T> what is written
 */
public final class WriteOnce<T> {
  private static final int ATTEMPTS = 20;

  /** What is written once. */
  public interface Content<T> {
    /** What a topic holds already; empty where nothing has been written. */
    Optional<T> read();

    /** Looks at what must have been so before anything was written. */
    default void look() {}

    /** What is to be written. */
    List<ProducerRecord<byte[], byte[]>> records();
  }

  private final FencedTransaction transaction;

  /**
   * Something of one application.
   *
   * @param clients Kafka client settings
   * @param what is written, and where, for messages
   */
  public WriteOnce(Map<String, String> clients, String transactionalId, String what) {
    this.transaction = new FencedTransaction(clients, transactionalId, what);
  }

  /** What was written, by whomever. */
  public T find(Content<T> content) {
    Optional<T> found = content.read();
    for (int i = 0; found.isEmpty(); i++) {
      try {
        write(content);
      } catch (ProducerFencedException raced) {
        if (i >= ATTEMPTS) {
          throw new SottoException(
              FailureKind.UNEXPECTED,
              "other instances keep starting at the same time; start them one after the other",
              raced);
        }
        AdminRequests.pause(50L * (i + 1));
      }
      found = content.read();
    }
    return found.get();
  }

  private void write(Content<T> content) {
    transaction.run(() -> {
      content.look();
      // a rival's transaction has ended by now
      return content.read().isPresent() ? List.of() : content.records();
    });
  }
}
