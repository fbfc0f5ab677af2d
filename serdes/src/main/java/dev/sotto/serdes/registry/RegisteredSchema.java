package dev.sotto.serdes.registry;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.UUID;
import org.apache.avro.Schema;

/**
 * What a registry has under one id, which never changes.
 *
 * @param schema empty where it is none that can be used
 * @param fault why it cannot be used; empty where it can
 */
public record RegisteredSchema(SchemaId id, Optional<Schema> schema, String fault) {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  /** A schema that can be used. */
  public RegisteredSchema(SchemaId id, Schema schema) {
    this(id, Optional.of(schema), "");
  }

  /** One that cannot. */
  public static RegisteredSchema unusable(SchemaId id, String fault) {
    return new RegisteredSchema(id, Optional.empty(), fault);
  }

  /**
   * A registry's answer to {@code GET /schemas/ids/<id>} or {@code /schemas/guids/<guid>}: an
   * object with {@code schema}, and with {@code schemaType} unless that is Avro.
   *
   * @throws IllegalArgumentException where it is no such answer
   */
  public static RegisteredSchema answer(SchemaId id, String json) {
    return of(id, object(json));
  }

  /**
   * One line of a file: {@code id}, or {@code guid}, with {@code schema}, as text or as JSON, or
   * with {@code unusable} and the reason.
   *
   * @return empty for {@code "absent": true}, which says nothing: a schema may have been registered
   *     since
   * @throws IllegalArgumentException where it is none
   */
  public static Optional<RegisteredSchema> line(String json) {
    JsonNode node = object(json);
    SchemaId id = id(node);
    if (node.path("absent").asBoolean()) {
      return Optional.empty();
    }
    if (node.path("unusable").isTextual()) {
      return Optional.of(unusable(id, node.path("unusable").textValue()));
    }
    RegisteredSchema found = of(id, node);
    if (found.schema().isEmpty() && !node.has("schemaType")) {
      throw new IllegalArgumentException(found.fault());
    }
    return Optional.of(found);
  }

  private static SchemaId id(JsonNode node) {
    if (node.path("guid").isTextual() && !node.has("id")) {
      return SchemaId.of(UUID.fromString(node.get("guid").textValue()));
    }
    if (!node.path("id").isInt() || node.has("guid")) {
      throw new IllegalArgumentException("it has no whole number \"id\", or text \"guid\"");
    }
    return SchemaId.of(node.get("id").intValue());
  }

  /** The number in an error of a registry that says what is missing; 0 where there is none. */
  public static int errorCode(String json) {
    try {
      return object(json).path("error_code").asInt();
    } catch (IllegalArgumentException noObject) {
      return 0;
    }
  }

  /** What is sent to register a schema, or to ask for its id. */
  public static String request(Schema schema) {
    return JSON.createObjectNode().put("schema", schema.toString()).toString();
  }

  /**
   * The id in an answer to {@link #request}.
   *
   * @throws IllegalArgumentException where there is none
   */
  public static int idOf(String json) {
    JsonNode id = object(json).path("id");
    if (!id.isInt()) {
      throw new IllegalArgumentException("its answer has no whole number \"id\"");
    }
    return id.intValue();
  }

  /** This as a line of a file, without its end. */
  public String line() {
    ObjectNode node = JSON.createObjectNode();
    if (id.guid() == null) {
      node.put("id", id.number());
    } else {
      node.put("guid", id.guid().toString());
    }
    schema.ifPresentOrElse(
        each -> node.put("schema", each.toString()), () -> node.put("unusable", fault));
    return node.toString();
  }

  private static JsonNode object(String json) {
    try {
      JsonNode node = JSON.readTree(json);
      if (node != null && node.isObject()) {
        return node;
      }
    } catch (JsonProcessingException noJson) {
      // said below, without the text
    }
    throw new IllegalArgumentException("it is no JSON object");
  }

  private static RegisteredSchema of(SchemaId id, JsonNode node) {
    JsonNode schema = node.path("schema");
    if (!schema.isTextual() && !schema.isContainerNode()) {
      throw new IllegalArgumentException("it has no \"schema\"");
    }
    String type = node.path("schemaType").asText("AVRO");
    if (!type.equals("AVRO")) {
      return unusable(id, "it is of type " + type + ", and only AVRO is read");
    }
    if (!node.path("references").isEmpty()) {
      return unusable(id, "it refers to other schemas, which is not supported");
    }
    try {
      String text = schema.isTextual() ? schema.textValue() : schema.toString();
      return new RegisteredSchema(id, new Schema.Parser().parse(text));
    } catch (RuntimeException | StackOverflowError noSchema) {
      return unusable(id, "its schema is no Avro schema");
    }
  }
}
