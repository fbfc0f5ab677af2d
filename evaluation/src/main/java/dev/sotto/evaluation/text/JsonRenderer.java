package dev.sotto.evaluation.text;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import dev.sotto.learner.description.Detail;
import dev.sotto.learner.description.Fact;
import dev.sotto.learner.description.Items;
import dev.sotto.learner.description.Nested;
import dev.sotto.learner.description.Part;
import dev.sotto.learner.description.Section;
import dev.sotto.learner.description.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes descriptions and results as JSON. A number that is infinite, or is none, is null; bytes
 * are hexadecimal digits; facts keep their order.
 */
public final class JsonRenderer {
  private static final JsonSerializer<Double> FINITE_OR_NULL = new JsonSerializer<>() {
    @Override
    public void serialize(Double value, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      if (Double.isFinite(value)) {
        out.writeNumber(value);
      } else {
        out.writeNull();
      }
    }
  };

  private static final JsonSerializer<Section> OBJECT = new JsonSerializer<>() {
    @Override
    public void serialize(Section section, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      out.writeStartObject();
      fields(section, out, provider);
      out.writeEndObject();
    }
  };

  private static final JsonSerializer<byte[]> HEX = new JsonSerializer<>() {
    @Override
    public void serialize(byte[] value, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      out.writeString(HexFormat.of().formatHex(value));
    }
  };

  @SuppressWarnings("rawtypes")
  private static final JsonSerializer<Optional> VALUE_OR_NULL = new JsonSerializer<>() {
    @Override
    public void serialize(Optional value, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      provider.defaultSerializeValue(value.isPresent() ? value.get() : null, out);
    }
  };

  private static final ObjectMapper MAPPER = new ObjectMapper()
      .registerModule(new SimpleModule()
          .addSerializer(Section.class, OBJECT)
          .addSerializer(Double.class, FINITE_OR_NULL)
          .addSerializer(Double.TYPE, FINITE_OR_NULL)
          .addSerializer(byte[].class, HEX)
          .addSerializer(Optional.class, VALUE_OR_NULL));

  private JsonRenderer() {}

  /** One line of JSON. */
  public static String of(Object result) {
    try {
      return MAPPER.writeValueAsString(result);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("results can always be written as JSON", impossible);
    }
  }

  /** The fields of an object, in their order. */
  public static Map<String, Object> fields(Object result) {
    return MAPPER.convertValue(result, new TypeReference<LinkedHashMap<String, Object>>() {});
  }

  /** Writes JSON to a file, for people to read. */
  public static void write(Path file, Object result) throws IOException {
    MAPPER.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), result);
  }

  private static void fields(Section section, JsonGenerator out, SerializerProvider provider)
      throws IOException {
    for (Part part : section.parts()) {
      if (part instanceof Fact fact) {
        provider.defaultSerializeField(fact.id(), fact.value(), out);
      } else if (part instanceof Nested nested) {
        provider.defaultSerializeField(nested.id(), nested.section(), out);
      } else if (part instanceof Items items && !items.id().isEmpty()) {
        provider.defaultSerializeField(items.id(), items.all(), out);
      } else if (part instanceof Table table && !table.id().isEmpty()) {
        List<Section> rows = table.rows().stream().map(Table.Row::facts).toList();
        provider.defaultSerializeField(table.id(), rows, out);
      } else if (part instanceof Detail detail) {
        fields(detail.section(), out, provider);
      } else if (part instanceof Section inner) {
        fields(inner, out, provider);
      }
    }
  }
}
