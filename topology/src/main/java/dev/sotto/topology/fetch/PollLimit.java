package dev.sotto.topology.fetch;

import java.nio.ByteBuffer;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.utils.Utils;

/**
 * Ends a poll once its records hold a number of bytes. Kafka bounds what is fetched as it is
 * compressed, and the number of records of a poll: ten thousand records of a compressed megabyte
 * may hold ten thousand megabytes. A consumer that cannot deserialize a record returns those before
 * it, and comes back to it with the next poll. The first record of a poll always passes.
 */
final class PollLimit {
  private final long most;
  private long taken;
  private long keys;
  private long values;

  PollLimit(long most) {
    this.most = most;
  }

  /** A poll begins. */
  void reset() {
    taken = 0;
    keys = 0;
    values = 0;
  }

  Deserializer<byte[]> ofKeys() {
    return new Part() {
      @Override
      byte[] take(ByteBuffer bytes) {
        spend(bytes, values + keys > 0);
        keys++;
        return Utils.toNullableArray(bytes);
      }
    };
  }

  Deserializer<byte[]> ofValues() {
    return new Part() {
      @Override
      byte[] take(ByteBuffer bytes) {
        spend(bytes, values > 0 || keys > 1); // a second key: that of the record before is done
        values++;
        return Utils.toNullableArray(bytes);
      }
    };
  }

  private void spend(ByteBuffer bytes, boolean others) {
    if (others && taken + bytes.remaining() > most) {
      throw new SerializationException("enough for one poll");
    }
    taken += bytes.remaining();
  }

  private abstract static class Part implements Deserializer<byte[]> {
    abstract byte[] take(ByteBuffer bytes);

    @Override
    public byte[] deserialize(String topic, byte[] bytes) {
      return bytes == null ? null : take(ByteBuffer.wrap(bytes));
    }

    @Override
    public byte[] deserialize(String topic, Headers headers, ByteBuffer bytes) {
      return bytes == null ? null : take(bytes);
    }
  }
}
