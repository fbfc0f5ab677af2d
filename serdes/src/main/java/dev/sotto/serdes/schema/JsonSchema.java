package dev.sotto.serdes.schema;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.serdes.schema.FieldShape.OneOf;
import dev.sotto.serdes.schema.FieldShape.Plain;
import dev.sotto.serdes.schema.FieldShape.Unreadable;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;

/**
 * A JSON Schema, of which the types of fields are read and nothing else: no event is validated. An
 * object may have names besides those that it states only where it says so by {@code
 * additionalProperties} or {@code patternProperties}, or states none. What is not understood is of
 * any type.
 */
public final class JsonSchema extends SchemaText {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
  private static final FieldShape ANY = new Plain(FieldShape.Kind.ANY, "anything");

  private static final int DEEPEST = 8; // of schemas that an object must all fit

  /** What states types beside alternatives. */
  private static final List<String> STATED = List.of("properties", "enum", "const", "allOf");

  /** What an alternative has that states a type. */
  private static final List<String> TYPED =
      List.of("type", "properties", "enum", "const", "allOf", "$ref", "oneOf", "anyOf");

  /** A part of a document. */
  private record Place(JsonNode node, JsonNode document) {}

  private final JsonNode root;
  private final Map<String, JsonNode> documents = new LinkedHashMap<>();

  private JsonSchema(String text, Map<String, String> references) {
    super(text, references);
    this.root = tree(text);
    references.forEach((name, each) -> document(name, tree(each)));
    document("", root);
  }

  /**
   * Reads a schema.
   *
   * @param references texts by the names by which schemas refer to them
   * @throws RuntimeException where it is no JSON object, true or false
   */
  public static JsonSchema parse(String text, Map<String, String> references) {
    return new JsonSchema(text, references);
  }

  private static JsonNode tree(String text) {
    try {
      JsonNode tree = JSON.readTree(text);
      if (tree.isObject() || tree.isBoolean()) {
        return tree;
      }
    } catch (JsonProcessingException noJson) {
      // said below, without the text
    }
    throw new IllegalArgumentException("it is no JSON Schema");
  }

  private void document(String name, JsonNode tree) {
    documents.put(name, tree);
    String id = tree.path("$id").asText("");
    documents.putIfAbsent(id.endsWith("#") ? id.substring(0, id.length() - 1) : id, tree);
  }

  @Override
  public Kind kind() {
    return Kind.JSON;
  }

  @Override
  public List<FieldShape> shapes() {
    return List.of(new Reading().shape(root, root));
  }

  /** Schemas that were met, each once: one may refer to itself. */
  private final class Reading {
    private final Map<JsonNode, FieldShape> known = new IdentityHashMap<>();

    FieldShape shape(JsonNode node, JsonNode document) {
      FieldShape before = known.get(node);
      if (before != null) {
        return before;
      }
      List<FieldShape> branches = new ArrayList<>();
      OneOf shape = new OneOf(branches);
      known.put(node, shape);
      alternatives(node, document, branches);
      if (branches.isEmpty() || STATED.stream().anyMatch(node::has)) {
        types(node, document, branches);
      }
      return shape;
    }

    private void alternatives(JsonNode node, JsonNode document, List<FieldShape> into) {
      if (node.path("$ref").isTextual()) {
        Place place = place(node, document);
        into.add(place == null ? ANY : shape(place.node(), place.document()));
      }
      for (String word : List.of("oneOf", "anyOf")) {
        for (JsonNode each : node.path(word)) {
          if (TYPED.stream().anyMatch(each::has)) { // not those of which only others are required
            into.add(shape(each, document));
          }
        }
      }
    }

    /** To where a schema refers; null where that is not there. */
    private Place place(JsonNode node, JsonNode document) {
      String[] parts = node.get("$ref").textValue().split("#", 2);
      JsonNode there = parts[0].isEmpty() ? document : documents.get(parts[0]);
      String fragment = parts.length == 1 ? "" : parts[1];
      if (there == null || !fragment.isEmpty() && !fragment.startsWith("/")) {
        return null;
      }
      JsonNode found = there.at(URLDecoder.decode(fragment, StandardCharsets.UTF_8));
      return found.isMissingNode() ? null : new Place(found, there);
    }

    private void types(JsonNode node, JsonNode document, List<FieldShape> into) {
      JsonNode values =
          node.has("const") ? JSON.createArrayNode().add(node.get("const")) : node.path("enum");
      if (!values.isEmpty()) {
        listed(values, into);
        return;
      }
      JsonNode type = node.path("type");
      if (type.isTextual()) {
        into.add(type(type.textValue(), node, document));
      }
      type.forEach(each -> into.add(type(each.asText(), node, document)));
      if (into.isEmpty()) {
        boolean named = node.has("properties") || node.has("allOf");
        into.add(named ? object(node, document) : ANY);
      }
    }

    /** Values that are stated one by one. */
    private static void listed(JsonNode values, List<FieldShape> into) {
      List<String> words = new ArrayList<>();
      Set<FieldShape> others = new HashSet<>();
      for (JsonNode each : values) {
        if (each.isTextual()) {
          words.add(each.textValue());
        } else {
          others.add(plain(
              each.isNull()
                  ? "null"
                  : each.isBoolean()
                      ? "boolean"
                      : each.isIntegralNumber()
                          ? "integer"
                          : each.isNumber() ? "number" : "object"));
        }
      }
      if (!words.isEmpty()) {
        into.add(new FieldShape.Words(words, "enum"));
      }
      into.addAll(others);
    }

    private FieldShape type(String word, JsonNode node, JsonNode document) {
      return word.equals("object") ? object(node, document) : plain(word);
    }

    private static FieldShape plain(String word) {
      return switch (word) {
        case "null" -> new Plain(FieldShape.Kind.NULL, word);
        case "boolean" -> new Plain(FieldShape.Kind.BOOLEAN, word);
        case "integer" -> new Plain(FieldShape.Kind.WHOLE, word);
        case "number" -> new Plain(FieldShape.Kind.DOUBLE, word);
        case "string" -> new Plain(FieldShape.Kind.TEXT, word);
        case "array" -> new Unreadable(word, true, "a list");
        default -> new Unreadable(word, false, "an object");
      };
    }

    private FieldShape object(JsonNode node, JsonNode document) {
      FieldShape.Fields fields = new FieldShape.Fields("object", !node.has("additionalProperties"));
      List<FieldShape> others = new ArrayList<>();
      properties(node, document, fields, others, 0);
      if (fields.fields().isEmpty()) {
        return new FieldShape.Keyed(others.isEmpty() ? ANY : new OneOf(others), "object");
      }
      return others.isEmpty()
          ? fields
          : new OneOf(List.of(fields, new FieldShape.Keyed(new OneOf(others), "object")));
    }

    /** Those of all schemas that an object must fit. */
    private void properties(
        JsonNode node,
        JsonNode document,
        FieldShape.Fields fields,
        List<FieldShape> others,
        int depth) {
      Set<String> required = new HashSet<>();
      node.path("required").forEach(each -> required.add(each.asText()));
      node.path("properties")
          .properties()
          .forEach(each -> fields.put(
              each.getKey(), shape(each.getValue(), document), required.contains(each.getKey())));
      JsonNode further = node.path("additionalProperties");
      if (further.isObject() || further.asBoolean()) {
        others.add(shape(further, document));
      }
      StreamSupport.stream(node.path("patternProperties").spliterator(), false)
          .forEach(each -> others.add(shape(each, document)));
      for (JsonNode each : node.path("allOf")) {
        Place part =
            each.path("$ref").isTextual() ? place(each, document) : new Place(each, document);
        if (part == null || depth == DEEPEST) {
          others.add(ANY);
        } else {
          properties(part.node(), part.document(), fields, others, depth + 1);
        }
      }
    }
  }
}
