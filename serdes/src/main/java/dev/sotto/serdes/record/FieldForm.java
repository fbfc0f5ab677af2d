package dev.sotto.serdes.record;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.serdes.avro.PackedDoubles;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;

/** How a component's Java type stands in a field of Avro. */
interface FieldForm {
  /**
   * What is put into a field.
   *
   * @param schema the field's
   */
  Object write(Object value, Schema schema);

  /** The component of what is in a field, which must be there. */
  Object read(Object value);

  /** The form of a type in a field. */
  static FieldForm of(Type type, Schema schema, RecordMapping.Names names) {
    if (PLAIN.containsKey(type)) {
      return PLAIN.get(type);
    }
    if (names.encodedForm(type) != null) {
      return names.encodedForm(type);
    }
    if (type == double.class) {
      return schema.getType() == Schema.Type.UNION ? BOUND : SAME;
    }
    if (type instanceof ParameterizedType of && of.getRawType() == List.class) {
      return new Items(of(of.getActualTypeArguments()[0], schema.getElementType(), names));
    }
    if (type instanceof ParameterizedType of && of.getRawType() == Optional.class) {
      return new OrNull(of(of.getActualTypeArguments()[0], schema.getTypes().get(1), names));
    }
    if (type instanceof Class<?> inner && inner.isRecord()) {
      return new Inner(RecordMapping.of(inner, schema, new RecordMapping.Names()));
    }
    throw new IllegalStateException("no field can hold " + type);
  }

  /** A record as the bytes of its own codec. */
  static <T> FieldForm encoded(Class<T> type, RecordCodec<T> codec) {
    return new Both(
        value -> ByteBuffer.wrap(codec.encode(type.cast(value))),
        value -> codec.decode(bytes(value)));
  }

  /** Numbers, and what else Avro holds as Java does. */
  FieldForm SAME = new Both(value -> value, value -> value);

  /** A bound: null where it is infinite. */
  FieldForm BOUND = new Both(
      value -> value.equals(Double.POSITIVE_INFINITY) ? null : value,
      value -> value == null ? Double.POSITIVE_INFINITY : value);

  /** Types that need no schema. */
  Map<Type, FieldForm> PLAIN = Map.of(
      int.class, SAME,
      long.class, SAME,
      boolean.class, SAME,
      String.class, new Both(value -> value, Object::toString),
      // The bytes themselves, not a copy: they are written before anyone can change them.
      byte[].class, new Both(value -> ByteBuffer.wrap((byte[]) value), FieldForm::bytes),
      double[].class,
          new Both(
              value -> ByteBuffer.wrap(PackedDoubles.pack((double[]) value)),
              value -> PackedDoubles.unpack(bytes(value))),
      PrivacyUnit.class,
          new Both(
              value -> ((PrivacyUnit) value).configName(),
              value -> PrivacyUnit.named(value.toString()).orElseThrow()),
      Adjacency.class,
          new Both(
              value -> ((Adjacency) value).configName(),
              value -> Adjacency.named(value.toString()).orElseThrow()));

  /** A byte field; the array is the record's own. */
  private static byte[] bytes(Object value) {
    ByteBuffer buffer = (ByteBuffer) value;
    if (buffer.hasArray()
        && buffer.arrayOffset() == 0
        && buffer.array().length == buffer.remaining()) {
      return buffer.array();
    }
    byte[] copy = new byte[buffer.remaining()];
    buffer.duplicate().get(copy);
    return copy;
  }

  /** One there and one back. */
  record Both(Function<Object, Object> there, Function<Object, Object> back) implements FieldForm {
    @Override
    public Object write(Object value, Schema schema) {
      return there.apply(value);
    }

    @Override
    public Object read(Object value) {
      return back.apply(value);
    }
  }

  /** A record in the record. */
  record Inner(RecordMapping<?> mapping) implements FieldForm {
    @Override
    public Object write(Object value, Schema schema) {
      GenericRecord record = new GenericData.Record(schema);
      mapping.write(value, record);
      return record;
    }

    @Override
    public Object read(Object value) {
      return mapping.read((GenericRecord) value);
    }
  }

  /** A list. */
  record Items(FieldForm item) implements FieldForm {
    @Override
    public Object write(Object value, Schema schema) {
      List<?> list = (List<?>) value;
      var items = new GenericData.Array<Object>(list.size(), schema);
      list.forEach(each -> items.add(item.write(each, schema.getElementType())));
      return items;
    }

    @Override
    public Object read(Object value) {
      List<Object> list = new ArrayList<>();
      ((List<?>) value).forEach(each -> list.add(item.read(each)));
      return list;
    }
  }

  /** A union with null, which comes first. */
  record OrNull(FieldForm form) implements FieldForm {
    @Override
    public Object write(Object value, Schema schema) {
      return ((Optional<?>) value)
          .map(each -> form.write(each, schema.getTypes().get(1)))
          .orElse(null);
    }

    @Override
    public Object read(Object value) {
      return Optional.ofNullable(value).map(form::read);
    }
  }
}
