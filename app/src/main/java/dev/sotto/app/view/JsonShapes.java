package dev.sotto.app.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.PropertyName;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.introspect.AnnotatedClass;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.introspect.VirtualAnnotatedMember;
import com.fasterxml.jackson.databind.ser.BeanPropertyWriter;
import com.fasterxml.jackson.databind.ser.BeanSerializerModifier;
import com.fasterxml.jackson.databind.ser.VirtualBeanPropertyWriter;
import com.fasterxml.jackson.databind.util.NameTransformer;
import com.fasterxml.jackson.databind.util.SimpleBeanPropertyDefinition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Which fields the records of other modules have in JSON, and in which order. */
@SuppressWarnings("serial") // a mapper is not serialized here
final class JsonShapes extends BeanSerializerModifier {
  private final Map<Class<?>, List<String>> fields = new HashMap<>();
  private final Map<Class<?>, Map<String, Function<Object, Object>>> computed = new HashMap<>();

  /**
   * Gives a type these fields only, in this order.
   *
   * @param names parted by blanks; the fields of a component whose name ends with {@code *} stand
   *     in its place
   */
  JsonShapes fields(Class<?> type, String names) {
    fields.put(type, List.of(names.split(" ")));
    return this;
  }

  /** Gives a type a field that is no component of it; null leaves the field out. */
  <T> JsonShapes computed(Class<T> type, String name, Function<T, Object> value) {
    computed
        .computeIfAbsent(type, none -> new LinkedHashMap<>())
        .put(name, each -> value.apply(type.cast(each)));
    return this;
  }

  @Override
  public List<BeanPropertyWriter> changeProperties(
      SerializationConfig config, BeanDescription type, List<BeanPropertyWriter> properties) {
    List<BeanPropertyWriter> all = new ArrayList<>(properties);
    computed.getOrDefault(type.getBeanClass(), Map.of()).forEach((name, value) -> {
      all.removeIf(each -> each.getName().equals(name));
      all.add(new Computed(config, type, name, value));
    });
    return all;
  }

  @Override
  public List<BeanPropertyWriter> orderProperties(
      SerializationConfig config, BeanDescription type, List<BeanPropertyWriter> properties) {
    List<String> names = fields.get(type.getBeanClass());
    if (names == null) {
      return properties;
    }
    List<BeanPropertyWriter> ordered = new ArrayList<>();
    for (String name : names) {
      boolean flat = name.endsWith("*");
      BeanPropertyWriter property = properties.stream()
          .filter(each -> each.getName().equals(name.replace("*", "")))
          .findFirst()
          .orElseThrow(() -> new IllegalStateException(type.getBeanClass() + " lacks " + name));
      ordered.add(flat ? property.unwrappingWriter(NameTransformer.NOP) : property);
    }
    return ordered;
  }

  @SuppressWarnings("serial")
  private static final class Computed extends VirtualBeanPropertyWriter {
    private final transient Function<Object, Object> value;

    Computed(
        SerializationConfig config,
        BeanDescription type,
        String name,
        Function<Object, Object> value) {
      super(
          SimpleBeanPropertyDefinition.construct(
              config,
              new VirtualAnnotatedMember(
                  type.getClassInfo(),
                  type.getBeanClass(),
                  name,
                  config.constructType(Object.class)),
              PropertyName.construct(name)),
          type.getClassInfo().getAnnotations(),
          config.constructType(Object.class),
          null,
          null,
          null,
          JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS),
          null);
      this.value = value;
    }

    @Override
    protected Object value(Object bean, JsonGenerator out, SerializerProvider provider) {
      return value.apply(bean);
    }

    @Override
    public VirtualBeanPropertyWriter withConfig(
        MapperConfig<?> config,
        AnnotatedClass owner,
        BeanPropertyDefinition property,
        JavaType of) {
      return this;
    }
  }
}
