package dev.sotto.serdes.record;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;

/**
 * One mapping between the components of a record class and the fields of a schema, which writes and
 * reads. A component is the field of its name. A component that is a record, and has no field of
 * its name, lies flat: its own components are fields beside the others. What a mapping
 * {@link Names names} otherwise is said there. Classes come from the program, never from data.
 */
final class RecordMapping<T> {
  /** What is written of a component, and how it is read again. */
  interface Part {
    void write(Object value, GenericRecord to);

    Object read(GenericRecord from);
  }

  /** Where fields have other names than components, or several fields make one component. */
  static final class Names {
    private final Map<String, String> fields = new HashMap<>();
    private final Map<String, Part> parts = new HashMap<>();
    private final Map<String, Absent> absent = new HashMap<>();
    private final Map<Class<?>, FieldForm> encoded = new HashMap<>();

    private record Absent(Object instead, Predicate<Object> is) {}

    /** The field of a component, by its path from the record that is mapped. */
    Names field(String component, String field) {
      fields.put(component, field);
      return this;
    }

    /** A component that is more than a field. */
    Names part(String component, Part part) {
      parts.put(component, part);
      return this;
    }

    /** Records of a class, where they stand as the bytes of their own codec. */
    <R> Names encoded(Class<R> type, RecordCodec<R> codec) {
      encoded.put(type, FieldForm.encoded(type, codec));
      return this;
    }

    FieldForm encodedForm(Type type) {
      return encoded.get(type);
    }

    /** A component that lies flat, and may be null: what stands there then. */
    <R extends Record> Names absent(
        String component, Class<R> type, R instead, Predicate<R> isAbsent) {
      absent.put(component, new Absent(instead, value -> isAbsent.test(type.cast(value))));
      return this;
    }
  }

  private static final MethodType ACCESSOR = MethodType.methodType(Object.class, Object.class);

  private final Class<T> type;
  private final MethodHandle constructor; // of an array of components
  private final List<MethodHandle> accessors = new ArrayList<>();
  private final List<Part> parts = new ArrayList<>();

  private RecordMapping(Class<T> type, Schema schema, Names names, String path) {
    this.type = type;
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      constructor = lookup
          .unreflectConstructor(type.getDeclaredConstructor(types))
          .asSpreader(Object[].class, types.length)
          .asType(MethodType.methodType(Object.class, Object[].class));
      for (RecordComponent each : components) {
        accessors.add(lookup.unreflect(each.getAccessor()).asType(ACCESSOR));
        parts.add(part(each, schema, names, path + each.getName()));
      }
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException(type + " must be public, with its components", impossible);
    }
  }

  /** The mapping of a class to a schema, which has a field for each component, or lies flat. */
  static <T> RecordMapping<T> of(Class<T> type, Schema schema, Names names) {
    return new RecordMapping<>(type, schema, names, "");
  }

  private static Part part(RecordComponent component, Schema schema, Names names, String path) {
    if (names.parts.containsKey(path)) {
      return names.parts.get(path);
    }
    String name = names.fields.getOrDefault(path, component.getName());
    Schema.Field field = schema.getField(name);
    if (field != null) {
      return new OneField(field, FieldForm.of(component.getGenericType(), field.schema(), names));
    }
    if (!component.getType().isRecord()) {
      throw new IllegalStateException(schema.getName() + " has no field for " + path);
    }
    RecordMapping<?> inner = new RecordMapping<>(component.getType(), schema, names, path + ".");
    return new Flat(inner, names.absent.get(path));
  }

  /** Writes a record's fields; those that an older schema lacks are left out. */
  void write(Object value, GenericRecord to) {
    for (int i = 0; i < parts.size(); i++) {
      parts.get(i).write(called(accessors.get(i), value), to);
    }
  }

  /** The record of some fields. */
  T read(GenericRecord from) {
    Object[] values = new Object[parts.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = parts.get(i).read(from);
    }
    try {
      return type.cast(constructor.invokeExact(values));
    } catch (Throwable refused) { // the record's own code
      throw unchecked(refused);
    }
  }

  private static Object called(MethodHandle accessor, Object of) {
    try {
      return accessor.invokeExact(of);
    } catch (Throwable failed) {
      throw unchecked(failed);
    }
  }

  private static RuntimeException unchecked(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    return thrown instanceof RuntimeException own ? own : new IllegalStateException(thrown);
  }

  /** Of the schema in force, by which all that is read has been read. */
  private record OneField(Schema.Field own, FieldForm form) implements Part {
    @Override
    public void write(Object value, GenericRecord to) {
      Schema.Field field = to.getSchema().getField(own.name());
      if (field != null) {
        to.put(field.pos(), form.write(value, field.schema()));
      }
    }

    @Override
    public Object read(GenericRecord from) {
      return form.read(from.get(own.pos()));
    }
  }

  private record Flat(RecordMapping<?> inner, Names.Absent absent) implements Part {
    @Override
    public void write(Object value, GenericRecord to) {
      inner.write(value == null && absent != null ? absent.instead() : value, to);
    }

    @Override
    public Object read(GenericRecord from) {
      Object value = inner.read(from);
      return absent != null && absent.is().test(value) ? null : value;
    }
  }
}
