package dev.sotto.serdes.schema;

import java.util.List;
import java.util.Map;
import org.apache.avro.NameValidator;
import org.apache.avro.Schema;

/** A schema by which records are written, of one of the kinds that registries have. */
public interface WriterSchema {
  /** The kinds, by the names that registries have for them. */
  enum Kind {
    AVRO,
    PROTOBUF,
    JSON
  }

  Kind kind();

  /** The schema as a registry has it. */
  String text();

  /** The texts of what it refers to, by the names that it has for them; empty where it is whole. */
  Map<String, String> references();

  /**
   * What its records can hold: one shape, or one for each message of a file that has several. Not
   * empty.
   */
  List<FieldShape> shapes();

  /**
   * Reads a schema.
   *
   * @param references texts by name, each after those to which it refers itself
   * @throws RuntimeException where it is none of this kind
   */
  static WriterSchema parse(Kind kind, String text, Map<String, String> references) {
    return switch (kind) {
      case AVRO -> {
        Schema.Parser parser = avroParser();
        references.values().forEach(parser::parse);
        yield new AvroSchema(parser.parse(text));
      }
      case PROTOBUF -> ProtobufSchema.parse(text, references);
      case JSON -> JsonSchema.parse(text, references);
    };
  }

  /**
   * A parser of schemas that somebody else has written, and which are in use: with defaults that
   * their types cannot have, and names with dashes, as registries hold them. Records are read by
   * the schema that wrote them, which never asks for a default.
   */
  static Schema.Parser avroParser() {
    return new Schema.Parser(NameValidator.NO_VALIDATION).setValidateDefaults(false);
  }

  /**
   * One of Avro.
   *
   * @param schema whole, with everything to which it refers
   */
  record AvroSchema(Schema schema) implements WriterSchema {
    @Override
    public Kind kind() {
      return Kind.AVRO;
    }

    @Override
    public String text() {
      return schema.toString();
    }

    @Override
    public Map<String, String> references() {
      return Map.of();
    }

    @Override
    public List<FieldShape> shapes() {
      return List.of(FieldShape.of(schema));
    }
  }
}
