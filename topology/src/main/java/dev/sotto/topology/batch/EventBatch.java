package dev.sotto.topology.batch;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/**
 * Records of one partition in the order of their offsets, which a consumer of our own hands to
 * Kafka Streams as one record, and our processor takes apart again
 * (docs/decisions/0032-records-in-batches.md). It has the place and the time of the first of them:
 * while it waits Streams commits no later offset. The others travel in a header that never leaves
 * the process.
 */
public final class EventBatch implements Header {
  /** The longest batch. */
  static final int MOST = 64;

  /** A batch ends with the record that reaches as many bytes: large ones gain nothing together. */
  static final int ENOUGH_BYTES = 64 * 1024;

  private static final String KEY = "sotto.batch";
  private static final byte[] NOTHING = {};

  private final List<ConsumerRecord<byte[], byte[]>> records;

  private EventBatch(List<ConsumerRecord<byte[], byte[]>> records) {
    this.records = List.copyOf(records);
  }

  /**
   * The same records, a few of them in each of what is returned.
   *
   * @param records of one partition, in the order of their offsets
   * @param rule which of them may be together
   */
  public static List<ConsumerRecord<byte[], byte[]>> batches(
      List<ConsumerRecord<byte[], byte[]>> records, BatchRule rule) {
    List<ConsumerRecord<byte[], byte[]>> batches = new ArrayList<>(records.size() / MOST + 1);
    int from = 0;
    int bytes = 0;
    long group = records.isEmpty() ? 0 : rule.group(records.get(0));
    for (int i = 0; i < records.size(); i++) {
      bytes += bytes(records.get(i));
      boolean last = i == records.size() - 1;
      long next = last ? group : rule.group(records.get(i + 1));
      if (last || i - from == MOST - 1 || bytes >= ENOUGH_BYTES || next != group) {
        batches.add(together(records.subList(from, i + 1), bytes));
        from = i + 1;
        bytes = 0;
      }
      group = next;
    }
    return batches;
  }

  private static int bytes(ConsumerRecord<byte[], byte[]> record) {
    return Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize());
  }

  private static ConsumerRecord<byte[], byte[]> together(
      List<ConsumerRecord<byte[], byte[]>> records, int bytes) {
    ConsumerRecord<byte[], byte[]> first = records.get(0);
    if (records.size() == 1) {
      return first;
    }
    return new ConsumerRecord<>(
        first.topic(),
        first.partition(),
        first.offset(),
        first.timestamp(),
        TimestampType.CREATE_TIME,
        0,
        bytes, // what Streams counts as consumed
        null,
        null,
        new RecordHeaders(List.of(new EventBatch(records))),
        first.leaderEpoch());
  }

  /** The batch that a record's headers stand for; empty for a record that came alone. */
  public static Optional<EventBatch> of(Headers headers) {
    return headers.lastHeader(KEY) instanceof EventBatch batch
        ? Optional.of(batch)
        : Optional.empty();
  }

  /** At least two. */
  public List<ConsumerRecord<byte[], byte[]>> records() {
    return records;
  }

  /** Offset behind the last of them. */
  public long end() {
    return records.get(records.size() - 1).offset() + 1;
  }

  @Override
  public String key() {
    return KEY;
  }

  @Override
  public byte[] value() {
    return NOTHING;
  }
}
