package dev.sotto.topology.log;

import dev.sotto.serdes.registry.SchemaHeaders;
import dev.sotto.serdes.registry.SchemaIds;
import dev.sotto.topology.registry.RegistrySettings;
import dev.sotto.topology.settings.LearnerSettings;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * From a topic's record to what the learner takes of it, wherever it is read: as it comes, again,
 * from a recording, or by a command that explains it. What counts of its headers is decided here.
 */
public final class SourceReading {
  /** Values, whatever their headers. */
  public static final SourceReading PLAIN = new SourceReading("", null, SchemaIds.NONE);

  /** Tells what a record holds. */
  private static final Logger INSIDE = LoggerFactory.getLogger("inside.schemas");

  private final String topic;
  private final String modelHeader; // null for none
  private final SchemaIds ids;
  private final AtomicBoolean warned = new AtomicBoolean();

  private SourceReading(String topic, String modelHeader, SchemaIds ids) {
    this.topic = topic;
    this.modelHeader = modelHeader;
    this.ids = ids;
  }

  /** What counts in one of a learner's topics. */
  public static SourceReading of(LearnerSettings settings, String topic) {
    return new SourceReading(topic, settings.modelIds().header(), settings.schemaIds(topic));
  }

  /** One record, as it is handed on. */
  public SourceRecord record(
      long offset, long appended, byte[] key, byte[] value, Headers headers) {
    byte[] model = modelHeader == null ? null : last(headers, modelHeader);
    return new SourceRecord(offset, appended, key, value(value, headers), model);
  }

  /** The same of a record as a consumer hands it on. */
  public SourceRecord record(ConsumerRecord<byte[], byte[]> record) {
    return record(
        record.offset(), record.timestamp(), record.key(), record.value(), record.headers());
  }

  /** A value, with the id of its schema before it where a header names it. */
  public byte[] value(byte[] value, Headers headers) {
    byte[] framed = ids.framed(name -> last(headers, name), value);
    if (framed != value
        && SchemaHeaders.isOfUnknownForm(framed)
        && warned.compareAndSet(false, true)) {
      INSIDE.warn(
          "a record of {} has a header with the id of its schema, of a form that is not known: {}"
              + " is 0 with 4 bytes or 1 with 16, {} and {} are 8 bytes of a number below 2^31, and"
              + " which of the three are read says {}. It is a dead letter, UNREADABLE, and so"
              + " are others like it",
          topic,
          SchemaHeaders.CONFLUENT,
          SchemaHeaders.CONTENT_ID,
          SchemaHeaders.GLOBAL_ID,
          RegistrySettings.IDS);
    }
    return framed;
  }

  private static byte[] last(Headers headers, String name) {
    Header last = headers.lastHeader(name);
    return last == null ? null : last.value();
  }
}
