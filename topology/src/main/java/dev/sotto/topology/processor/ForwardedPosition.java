package dev.sotto.topology.processor;

import dev.sotto.topology.failure.NewHistory;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.store.StateTable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;

/**
 * How far one event partition has been forwarded into the sequence: the store's word, of which the
 * group's offset is only a hint. Offsets that expire or are reset must not let an event teach
 * twice.
 */
final class ForwardedPosition {
  private static final String TOPIC = "topic-id";
  private static final String NEXT = "next";

  private final StateTable store;
  private final String topic;
  private final String topicId;
  private final BooleanSupplier forwardedBefore;
  private boolean marked;

  /**
   * A position.
   *
   * @param topicId id of the event topic as it is now
   * @param forwardedBefore looks into the sequence whether it holds events of this partition; asked
   *     only where the store knows nothing
   */
  ForwardedPosition(
      StateTable store, String topic, String topicId, BooleanSupplier forwardedBefore) {
    this.store = store;
    this.topic = topic;
    this.topicId = topicId;
    this.forwardedBefore = forwardedBefore;
  }

  /** Refuses another topic, and a store that was lost; remembers a topic that is new. */
  void check() {
    if (marked) {
      return;
    }
    byte[] known = store.get(TOPIC);
    if (known == null) {
      if (forwardedBefore.getAsBoolean()) {
        throw new UnsafeToContinueException("how far topic " + topic
            + " has been forwarded is lost, but the sequence holds events of it:"
            + " the changelog of store " + Names.FORWARDED
            + " was deleted. Restore it; or " + NewHistory.START);
      }
      store.put(TOPIC, topicId.getBytes(StandardCharsets.UTF_8));
    } else if (!new String(known, StandardCharsets.UTF_8).equals(topicId)) {
      throw new UnsafeToContinueException("the event topic " + topic
          + " was deleted and made again: what was forwarded belongs to topic id "
          + new String(known, StandardCharsets.UTF_8) + ", the topic now has id " + topicId
          + "; its records are others, or would count twice. Restore the topic, or "
          + NewHistory.START);
    }
    marked = true;
  }

  /** The first offset that has not been forwarded; {@code first} where none has. */
  long next(long first) {
    byte[] next = store.get(NEXT);
    return next == null ? first : ByteBuffer.wrap(next).getLong();
  }

  void next(byte[] offsetAsLong) {
    store.put(NEXT, offsetAsLong);
  }
}
