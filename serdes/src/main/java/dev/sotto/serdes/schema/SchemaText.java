package dev.sotto.serdes.schema;

import java.util.LinkedHashMap;
import java.util.Map;

/** A schema that is its text, with the texts to which it refers. */
abstract sealed class SchemaText implements WriterSchema permits JsonSchema, ProtobufSchema {
  private final String text;
  private final Map<String, String> references;

  SchemaText(String text, Map<String, String> references) {
    this.text = text;
    this.references = new LinkedHashMap<>(references);
  }

  @Override
  public final String text() {
    return text;
  }

  @Override
  public final Map<String, String> references() {
    return references;
  }

  @Override
  public final boolean equals(Object other) {
    return other instanceof SchemaText same
        && kind() == same.kind()
        && text.equals(same.text)
        && references.equals(same.references);
  }

  @Override
  public final int hashCode() {
    return text.hashCode();
  }
}
