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
 * What a registry says of one id.
 *
 * @param schema empty where there is no Avro schema of this id
 */
public record RegisteredSchema(SchemaId id, Optional<Schema> schema) {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  /**
   * A registry's answer to {@code GET /schemas/ids/<id>} or {@code /schemas/guids/<guid>}: an object with {@code schema}, and with
   * {@code schemaType} unless that is Avro.
   *
   * @throws IllegalArgumentException where it is none, or an Avro schema that cannot be read
   */
  public static RegisteredSchema answer(SchemaId id, String json) {
    return of(id, object(json));
  }

  /**
   * One line of a file: {@code id}, or {@code guid}, with {@code schema}, as text or as JSON, or with
   * {@code "absent": true}.
   *
   * @throws IllegalArgumentException where it is none
   */
  public static RegisteredSchema line(String json) {
    JsonNode node = object(json);
    SchemaId id = id(node);
    return node.path("absent").asBoolean()
        ? new RegisteredSchema(id, Optional.empty())
        : of(id, node);
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
        each -> node.put("schema", each.toString()), () -> node.put("absent", true));
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
    if (!node.path("schemaType").asText("AVRO").equals("AVRO")) {
      return new RegisteredSchema(id, Optional.empty());
    }
    if (!node.path("references").isEmpty()) {
      throw new IllegalArgumentException("it refers to other schemas, which is not supported");
    }
    JsonNode schema = node.path("schema");
    if (!schema.isTextual() && !schema.isContainerNode()) {
      throw new IllegalArgumentException("it has no \"schema\"");
    }
    try {
      String text = schema.isTextual() ? schema.textValue() : schema.toString();
      return new RegisteredSchema(id, Optional.of(new Schema.Parser().parse(text)));
    } catch (RuntimeException noSchema) {
      throw new IllegalArgumentException("its schema is no Avro schema");
    }
  }
}
