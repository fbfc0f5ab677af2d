package dev.sotto.serdes.record;

import dev.sotto.serdes.avro.SingleObject;
import dev.sotto.serdes.avro.UnreadableRecordException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;

/**
 * One kind of record to and from Avro's single-object encoding, by one {@link RecordMapping}. It
 * writes the schema in force (or the form before it: {@link #asBefore}) and reads that and every
 * form before it; fields that an older form lacks get the default of the schema in force. Equal
 * records give equal bytes. Safe for use by several threads.
 */
public final class RecordCodec<T> {
  private final SingleObject format;
  private final RecordMapping<T> mapping;
  private final Optional<Before<T>> before;

  /** The form before that in force, and which records are written by it. */
  private record Before<T>(SingleObject format, Predicate<T> which) {}

  private RecordCodec(SingleObject format, RecordMapping<T> mapping, Optional<Before<T>> before) {
    this.format = format;
    this.mapping = mapping;
    this.before = before;
  }

  /** That of a class whose schema has its name, and fields of the names of its components. */
  static <T extends Record> RecordCodec<T> of(Class<T> type) {
    return of(type, new RecordMapping.Names());
  }

  /** The same where fields have other names. */
  static <T extends Record> RecordCodec<T> of(Class<T> type, RecordMapping.Names names) {
    SingleObject format = SingleObject.of(type.getSimpleName());
    RecordMapping<T> mapping = RecordMapping.of(type, format.schema(), names);
    return new RecordCodec<>(format, mapping, Optional.empty());
  }

  /**
   * The same, which writes some records by the form before that in force: those that say nothing in
   * the field that is new. Then they stay the same bytes, and older programs read them.
   */
  RecordCodec<T> asBefore(Predicate<T> which) {
    return new RecordCodec<>(format, mapping, Optional.of(new Before<>(format.before(), which)));
  }

  /** The schema in force. */
  public Schema schema() {
    return format.schema();
  }

  /** Every schema that it writes records by, the older first. */
  public List<Schema> written() {
    return Stream.concat(before.map(each -> each.format().schema()).stream(), Stream.of(schema()))
        .toList();
  }

  /** The record's bytes, a new array. */
  public byte[] encode(T record) {
    SingleObject by =
        before.filter(each -> each.which().test(record)).map(Before::format).orElse(format);
    GenericRecord fields = new GenericData.Record(by.schema());
    mapping.write(record, fields);
    return by.encode(fields);
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
