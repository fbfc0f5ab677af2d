package dev.sotto.serdes.record;

import dev.sotto.serdes.avro.SingleObject;
import dev.sotto.serdes.avro.UnreadableRecordException;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;

/**
 * One kind of record to and from Avro's single-object encoding. It writes the schema in force (or
 * the form before it: {@link #asBefore}) and reads that and every form before it; fields that an older form lacks get the default of the
 * schema in force. Equal records give equal bytes. Safe for use by several threads.
 */
public final class RecordCodec<T> {
  private final SingleObject format;
  private final SingleObject before; // null where all is written by the schema in force
  private final Predicate<T> asBefore;
  private final BiConsumer<T, RecordFields> writer;
  private final Function<RecordFields, T> reader;

  RecordCodec(
      SingleObject format, BiConsumer<T, RecordFields> writer, Function<RecordFields, T> reader) {
    this(format, null, record -> false, writer, reader);
  }

  private RecordCodec(
      SingleObject format,
      SingleObject before,
      Predicate<T> asBefore,
      BiConsumer<T, RecordFields> writer,
      Function<RecordFields, T> reader) {
    this.format = format;
    this.before = before;
    this.asBefore = asBefore;
    this.writer = writer;
    this.reader = reader;
  }

  /**
   * The same, which writes some records by the form before that in force: those that say nothing in
   * the field that is new. Then they stay the same bytes, and older programs read them.
   *
   * @param which records; their writer must leave out the new field
   */
  RecordCodec<T> asBefore(Predicate<T> which) {
    return new RecordCodec<>(format, format.before(), which, writer, reader);
  }

  /** The schema in force. */
  public Schema schema() {
    return format.schema();
  }

  /** Every schema that it writes records by, the older first. */
  public List<Schema> written() {
    return before == null ? List.of(schema()) : List.of(before.schema(), schema());
  }

  /** The record's bytes, a new array. */
  public byte[] encode(T record) {
    SingleObject by = asBefore.test(record) ? before : format;
    var fields = new RecordFields(new GenericData.Record(by.schema()));
    writer.accept(record, fields);
    return by.encode(fields.record());
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
