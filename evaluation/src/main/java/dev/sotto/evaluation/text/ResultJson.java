package dev.sotto.evaluation.text;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;

/** Writes results as JSON. A number that is infinite, or is none, is null. */
public final class ResultJson {
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

  private static final ObjectMapper MAPPER = new ObjectMapper()
      .registerModule(new SimpleModule()
          .addSerializer(Double.class, FINITE_OR_NULL)
          .addSerializer(Double.TYPE, FINITE_OR_NULL));

  private ResultJson() {}

  /** One line of JSON. */
  public static String of(Object result) {
    try {
      return MAPPER.writeValueAsString(result);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("results can always be written as JSON", impossible);
    }
  }
}
