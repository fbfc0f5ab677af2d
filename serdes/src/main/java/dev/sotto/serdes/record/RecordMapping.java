package dev.sotto.serdes.record;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
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
 * reads. A component is the field of its name. A component that is a record, and has no field of its
 * name, lies flat: its own components are fields beside the others. What a mapping {@link Names
 * names} otherwise is said there. Classes come from the program, never from data.
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

  private final Constructor<T> constructor;
  private final List<Method> accessors = new ArrayList<>();
  private final List<Part> parts = new ArrayList<>();

  private RecordMapping(Class<T> type, Schema schema, Names names, String path) {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      constructor = type.getDeclaredConstructor(types);
    } catch (NoSuchMethodException impossible) {
      throw new IllegalStateException(
          "every record has a constructor of its components", impossible);
    }
    for (RecordComponent each : components) {
      accessors.add(each.getAccessor());
      parts.add(part(each, schema, names, path + each.getName()));
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
      return new OneField(name, FieldForm.of(component.getGenericType(), field.schema(), names));
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
      return constructor.newInstance(values);
    } catch (InvocationTargetException refused) {
      throw cause(refused);
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static Object called(Method accessor, Object of) {
    try {
      return accessor.invoke(of);
    } catch (InvocationTargetException failed) {
      throw cause(failed);
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** What the record's own code has thrown. */
  private static RuntimeException cause(InvocationTargetException thrown) {
    return thrown.getCause() instanceof RuntimeException own
        ? own
        : new IllegalStateException(thrown.getCause());
  }

  private record OneField(String name, FieldForm form) implements Part {
    @Override
    public void write(Object value, GenericRecord to) {
      Schema.Field field = to.getSchema().getField(name);
      if (field != null) {
        to.put(field.pos(), form.write(value, field.schema()));
      }
    }

    @Override
    public Object read(GenericRecord from) {
      return form.read(from.get(name));
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
