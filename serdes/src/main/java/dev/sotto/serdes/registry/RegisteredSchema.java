package dev.sotto.serdes.registry;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sotto.serdes.registry.SchemaId.By;
import dev.sotto.serdes.schema.WriterSchema;
import dev.sotto.serdes.schema.WriterSchema.AvroSchema;
import dev.sotto.serdes.schema.WriterSchema.Kind;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.avro.Schema;

/**
 * What a registry has under one id, which never changes.
 *
 * @param schema empty where it is none that can be used
 * @param fault why it cannot be used; empty where it can
 */
public record RegisteredSchema(SchemaId id, Optional<WriterSchema> schema, String fault) {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  /** Schemas to which one may refer, those to which these refer among them. */
  private static final int MOST_REFERENCES = 200;

  /** Characters of one schema with all to which it refers. */
  private static final int LONGEST = 4 << 20;

  private static final String SCHEMA = "schema";
  private static final String TYPE = "schemaType";
  private static final String REFERENCES = "references";
  private static final String NAME = "name";

  /** Who has the schemas to which others refer. */
  @FunctionalInterface
  public interface Subjects {
    /**
     * A registry's answer to {@code GET /subjects/<subject>/versions/<version>}, or the like of it
     * where it has other paths; empty where it has none.
     *
     * @throws IOException where it says nothing that decides
     */
    Optional<String> version(String subject, String version)
        throws IOException, InterruptedException;
  }

  /** A schema that can be used. */
  public RegisteredSchema(SchemaId id, WriterSchema schema) {
    this(id, Optional.of(schema), "");
  }

  /** One of Avro. */
  public RegisteredSchema(SchemaId id, Schema schema) {
    this(id, new AvroSchema(schema));
  }

  /** One that cannot. */
  public static RegisteredSchema unusable(SchemaId id, String fault) {
    return new RegisteredSchema(id, Optional.empty(), fault);
  }

  /**
   * A registry's answer to {@code GET /schemas/ids/<id>} or {@code /schemas/guids/<guid>}: an
   * object with {@code schema}, with {@code schemaType} unless that is Avro, and with {@code
   * references} where there are any: those are asked for too, each once.
   *
   * @throws IllegalArgumentException where it is no such answer
   * @throws IOException that of the subjects
   */
  public static RegisteredSchema answer(SchemaId id, String json, Subjects subjects)
      throws IOException, InterruptedException {
    JsonNode node = object(json);
    Map<String, String> references = new LinkedHashMap<>();
    String fault = collect(node, subjects, references, new LinkedHashMap<>());
    return fault.isEmpty() ? of(id, node, references) : unusable(id, fault);
  }

  /**
   * Adds what a schema refers to, each after that to which it refers itself.
   *
   * @param met names that have been begun with, and by which subject and version
   * @return why it cannot be; empty where it can
   */
  private static String collect(
      JsonNode node, Subjects subjects, Map<String, String> found, Map<String, String> met)
      throws IOException, InterruptedException {
    for (JsonNode each : node.path(REFERENCES)) {
      String name = each.path(NAME).asText();
      String subject = each.path("subject").asText();
      String version = each.path("version").asText();
      if (name.isEmpty() || subject.isEmpty() || version.isEmpty() || version.matches("0|-.*")) {
        return "its references have no name, subject and version";
      }
      String before = met.putIfAbsent(name, subject + " " + version);
      if (before != null && !before.equals(subject + " " + version)) {
        return "it refers to two schemas by one name";
      }
      if (before != null) {
        continue;
      }
      if (met.size() > MOST_REFERENCES) {
        return "it refers to more than " + MOST_REFERENCES + " schemas";
      }
      Optional<String> answer = subjects.version(subject, version);
      if (answer.isEmpty()) {
        return "it refers to a schema that the registry does not have";
      }
      JsonNode there = object(answer.get());
      String fault = collect(there, subjects, found, met);
      if (!fault.isEmpty()) {
        return fault;
      }
      found.put(name, text(there));
    }
    return "";
  }

  /**
   * One line of a file: {@code id}, or {@code guid}, with {@code schema}, as text or as JSON, as
   * registries answer it but for {@code references}, which have {@code name} and {@code schema}; or
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
    Map<String, String> references = new LinkedHashMap<>();
    for (JsonNode each : node.path(REFERENCES)) {
      references.put(each.path(NAME).asText(), text(each));
    }
    RegisteredSchema found = of(id, node, references);
    if (found.schema().isEmpty() && !node.has(TYPE)) {
      throw new IllegalArgumentException(found.fault());
    }
    return Optional.of(found);
  }

  private static SchemaId id(JsonNode node) {
    List<By> given =
        Stream.of(By.values()).filter(each -> node.has(each.word())).toList();
    JsonNode id = given.size() == 1 ? node.get(given.get(0).word()) : JSON.nullNode();
    if (id.isTextual() && given.get(0) == By.GUID) {
      return SchemaId.of(UUID.fromString(id.textValue()));
    }
    if (!id.isInt() || given.get(0) == By.GUID) {
      throw new IllegalArgumentException(
          "it has no whole number \"id\", or text \"guid\", or Apicurio's whole number"
              + " \"globalId\" or \"contentId\", alone");
    }
    return SchemaId.of(given.get(0), id.intValue());
  }

  /** The number in an error of a registry that says what is missing; 0 where there is none. */
  public static int errorCode(String json) {
    try {
      return object(json).path("error_code").asInt();
    } catch (IllegalArgumentException noObject) {
      return 0;
    }
  }

  /** Whether Apicurio's own paths say by an error that what was asked for is not there. */
  public static boolean isApicuriosMissing(String json) {
    try {
      return object(json).path("name").asText().matches("\\w+NotFoundException");
    } catch (IllegalArgumentException noObject) {
      return false;
    }
  }

  /**
   * What Apicurio's own paths have of a schema, as {@link #answer} takes it. Its kind follows from
   * the text: Protobuf is no JSON, and Avro names a type that JSON Schema does not have.
   *
   * @param references the list of those to which it refers
   * @throws IllegalArgumentException where that is none
   */
  public static String ofApicurio(String text, String references) {
    ObjectNode node = JSON.createObjectNode().put(SCHEMA, text);
    ArrayNode into = node.putArray(REFERENCES);
    try {
      JsonNode list = JSON.readTree(references);
      if (!list.isArray()) {
        throw new IllegalArgumentException("its references are no list");
      }
      for (JsonNode each : list) {
        into.addObject()
            .put(NAME, each.path(NAME).asText())
            .put(
                "subject",
                apicurioSubject(each.path("groupId"), each.path("artifactId").asText()))
            .put("version", each.path("version").asText());
      }
    } catch (JsonProcessingException noJson) {
      throw new IllegalArgumentException("its references are no list", noJson);
    }
    return node.put(TYPE, kindOf(text).name()).toString();
  }

  /** Where Apicurio has an artifact, below its groups. */
  public static String apicurioSubject(String artifact) {
    return apicurioSubject(JSON.nullNode(), artifact);
  }

  private static String apicurioSubject(JsonNode group, String artifact) {
    String named = group.asText().matches("|null") ? "default" : group.asText();
    return encoded(named) + "/artifacts/" + encoded(artifact);
  }

  private static String encoded(String part) {
    return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static Kind kindOf(String text) {
    try {
      JsonNode node = JSON.readTree(text);
      boolean avro = node.isArray() || node.path("type").asText().matches("record|enum|fixed");
      return node.isMissingNode() ? Kind.PROTOBUF : avro ? Kind.AVRO : Kind.JSON;
    } catch (JsonProcessingException noJson) {
      return Kind.PROTOBUF;
    }
  }

  /** Apicurio's number in what it says of an artifact; 0 where there is none below 2^31. */
  public static int globalIdOf(String json) {
    JsonNode id = object(json).path(By.GLOBAL_ID.word());
    return id.isInt() ? id.intValue() : 0;
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
      node.put(id.by().word(), id.number());
    } else {
      node.put(id.by().word(), id.guid().toString());
    }
    if (schema.isEmpty()) {
      return node.put("unusable", fault).toString();
    }
    WriterSchema own = schema.get();
    if (own.kind() != Kind.AVRO) {
      node.put(TYPE, own.kind().name());
    }
    node.put(SCHEMA, own.text());
    if (!own.references().isEmpty()) {
      ArrayNode references = node.putArray(REFERENCES);
      own.references()
          .forEach((name, text) -> references.addObject().put(NAME, name).put(SCHEMA, text));
    }
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

  /** The schema in an answer, or in a part of a line. */
  private static String text(JsonNode node) {
    JsonNode schema = node.path(SCHEMA);
    if (!schema.isTextual() && !schema.isContainerNode()) {
      throw new IllegalArgumentException("it has no \"schema\"");
    }
    return schema.isTextual() ? schema.textValue() : schema.toString();
  }

  private static RegisteredSchema of(SchemaId id, JsonNode node, Map<String, String> references) {
    String text = text(node);
    String type = node.path(TYPE).asText(Kind.AVRO.name());
    Optional<Kind> kind =
        Stream.of(Kind.values()).filter(each -> each.name().equals(type)).findFirst();
    if (kind.isEmpty()) {
      return unusable(id, "it is of type " + type + ", which is not known");
    }
    if (references.values().stream().mapToLong(String::length).sum() + text.length() > LONGEST) {
      return unusable(id, "it and what it refers to are longer than " + LONGEST + " characters");
    }
    try {
      return new RegisteredSchema(id, WriterSchema.parse(kind.get(), text, references));
    } catch (RuntimeException | StackOverflowError noSchema) {
      return unusable(id, "its schema cannot be read as " + type);
    }
  }
}
