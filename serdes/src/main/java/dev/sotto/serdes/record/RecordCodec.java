package dev.sotto.serdes.record;

import dev.sotto.serdes.avro.SingleObject;
import dev.sotto.serdes.avro.UnreadableRecordException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;

/**
 * One kind of record to and from Avro's single-object encoding, by one {@link RecordMapping}. It
 * writes the schema in force, and reads that and every form before it; fields that an older form
 * lacks get the default of the schema in force. Equal records give equal bytes. Safe for use by
 * several threads.
 */
public final class RecordCodec<T> {
  private final SingleObject format;
  private final RecordMapping<T> mapping;

  private RecordCodec(SingleObject format, RecordMapping<T> mapping) {
    this.format = format;
    this.mapping = mapping;
  }

  /** That of a class whose schema has its name, and fields of the names of its components. */
  static <T extends Record> RecordCodec<T> of(Class<T> type) {
    return of(type, new RecordMapping.Names());
  }

  /** The same where fields have other names. */
  static <T extends Record> RecordCodec<T> of(Class<T> type, RecordMapping.Names names) {
    SingleObject format = SingleObject.of(type.getSimpleName());
    return new RecordCodec<>(format, RecordMapping.of(type, format.schema(), names));
  }

  /** The schema in force. */
  public Schema schema() {
    return format.schema();
  }

  /** The record's bytes, a new array. */
  public byte[] encode(T record) {
    GenericRecord fields = new GenericData.Record(format.schema());
    mapping.write(record, fields);
    return format.encode(fields);
  }

  /**
   * The record in these bytes, which must hold nothing else.
   *
   * @throws UnreadableRecordException if they are null, damaged, of another kind, or written by a
   *     schema that this version does not know
   */
  public T decode(byte[] bytes) {
    GenericRecord fields = format.decode(bytes);
    try {
      return mapping.read(fields);
    } catch (RuntimeException e) {
      throw format.fault("a field breaks its rule", e);
    }
  }
}
