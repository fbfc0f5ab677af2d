package dev.sotto.serdes.record;

import dev.sotto.serdes.avro.SingleObject;
import dev.sotto.serdes.avro.UnreadableRecordException;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;

/**
 * One kind of record to and from Avro's single-object encoding. It writes the schema in force and
 * reads that and every form before it; fields that an older form lacks get the default of the
 * schema in force. Equal records give equal bytes. Safe for use by several threads.
 */
public final class RecordCodec<T> {
  private final SingleObject format;
  private final BiConsumer<T, RecordFields> writer;
  private final Function<RecordFields, T> reader;

  RecordCodec(
      SingleObject format, BiConsumer<T, RecordFields> writer, Function<RecordFields, T> reader) {
    this.format = format;
    this.writer = writer;
    this.reader = reader;
  }

  /** The schema that {@link #encode} writes by. */
  public Schema schema() {
    return format.schema();
  }

  /** The record's bytes, a new array. */
  public byte[] encode(T record) {
    var fields = new RecordFields(new GenericData.Record(format.schema()));
    writer.accept(record, fields);
    return format.encode(fields.record());
  }

  /**
   * The record in these bytes, which must hold nothing else.
   *
   * @throws UnreadableRecordException if they are null, damaged, of another kind, or written by a
   *     schema that this version does not know
   */
  public T decode(byte[] bytes) {
    var fields = new RecordFields(format.decode(bytes));
    try {
      return reader.apply(fields);
    } catch (RuntimeException e) {
      throw format.fault("a field breaks its rule", e);
    }
  }
}
