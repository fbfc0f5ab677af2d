package dev.sotto.client.console;

import dev.sotto.serdes.avro.SchemaFiles;
import dev.sotto.serdes.avro.SingleObject;
import dev.sotto.serdes.avro.UnreadableRecordException;
import dev.sotto.serdes.feature.CanonicalText;
import dev.sotto.serdes.topic.PublishedRecords;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.MessageFormatter;

/**
 * Makes the public topics readable in Kafka's console consumer: a line for each record, with its
 * partition, offset, key and the record as JSON. Bytes are hexadecimal; weights are counted rather
 * than written out. {@code kafka-console-consumer --formatter
 * dev.sotto.client.console.PublishedRecordFormatter}.
 */
public final class PublishedRecordFormatter implements MessageFormatter {
  private static final int LONGEST_BYTES = 64;

  private final Map<Long, SingleObject> records = new HashMap<>();
  private final HexFormat hex = HexFormat.of();

  /** Knows all public records, by the header of each of their schemas. */
  public PublishedRecordFormatter() {
    for (String name : PublishedRecords.names()) {
      SingleObject reader = SingleObject.of(name);
      List<Schema> all = new ArrayList<>(SchemaFiles.history(name));
      all.add(SchemaFiles.current(name));
      all.forEach(each -> records.put(fingerprint(SingleObject.header(each)), reader));
    }
  }

  private static long fingerprint(byte[] bytes) {
    return bytes.length < SingleObject.HEADER ? 0 : ByteBuffer.wrap(bytes, 2, 8).getLong();
  }

  @Override
  public void writeTo(ConsumerRecord<byte[], byte[]> record, PrintStream out) {
    out.println(record.partition() + ":" + record.offset() + "\t" + key(record.key()) + "\t"
        + value(record.value()));
  }

  private static String key(byte[] key) {
    return key == null ? "-" : new String(key, StandardCharsets.UTF_8);
  }

  private String value(byte[] value) {
    if (value == null) {
      return "null";
    }
    SingleObject reader = records.get(fingerprint(value));
    if (reader == null) {
      return "? " + value.length + " bytes that begin with "
          + hex.formatHex(value, 0, Math.min(value.length, SingleObject.HEADER))
          + ": no record that this version of Sotto knows";
    }
    try {
      StringBuilder text = new StringBuilder();
      write(reader.decode(value), text);
      return text.toString();
    } catch (UnreadableRecordException broken) {
      return "? " + broken.getMessage();
    }
  }

  private void write(Object value, StringBuilder into) {
    if (value instanceof GenericRecord record) {
      into.append('{');
      for (Schema.Field field : record.getSchema().getFields()) {
        into.append(into.charAt(into.length() - 1) == '{' ? "" : ",")
            .append(CanonicalText.quoted(field.name()))
            .append(':');
        write(record.get(field.pos()), into);
      }
      into.append('}');
    } else if (value instanceof Iterable<?> items) {
      into.append('[');
      for (Object each : items) {
        into.append(into.charAt(into.length() - 1) == '[' ? "" : ",");
        write(each, into);
      }
      into.append(']');
    } else if (value instanceof ByteBuffer bytes) {
      write(bytes, into);
    } else if (value instanceof CharSequence text) {
      into.append(CanonicalText.quoted(text.toString()));
    } else {
      into.append(value); // a number, a boolean or null
    }
  }

  private void write(ByteBuffer bytes, StringBuilder into) {
    byte[] held = new byte[bytes.remaining()];
    bytes.duplicate().get(held);
    into.append(
        held.length > LONGEST_BYTES
            ? "\"" + held.length + " bytes\""
            : "\"" + hex.formatHex(held) + "\"");
  }
}
