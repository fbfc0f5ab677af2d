package dev.sotto.serdes.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.settings.ConfigError;
import dev.sotto.serdes.event.ShapeProblems;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.feature.Transform;
import dev.sotto.serdes.schema.FieldShape.Found;
import dev.sotto.serdes.schema.WriterSchema.Kind;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What schemas say of fields before any record is there. */
class FieldShapeTest {
  private static final WriterSchema PROTO = WriterSchema.parse(
      Kind.PROTOBUF,
      """
      syntax = "proto3";
      import "google/protobuf/wrappers.proto";
      import "other.proto";
      message Event {
        int32 n = 1; bytes raw = 2; repeated double many = 3; Kind kind = 4; bool ok = 5;
        google.protobuf.DoubleValue w = 6; google.protobuf.Timestamp at = 7;
        map<string, Place> places = 8; Place place = 9; o.Far far = 10; gone.Type gone = 11;
        string s = 12; Place.Deep deep = 13;
        enum Kind { A = 0; B = 1; }
        message Place { string city = 1; Place inner = 2; message Deep { float d = 1; } }
      }
      message Helper { double help = 1; }
      """,
      Map.of("other.proto", "syntax = \"proto3\"; package o; message Far { double y = 1; }"));

  private static final WriterSchema JSON = WriterSchema.parse(
      Kind.JSON,
      """
      {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object",
       "properties": {
         "n": {"oneOf": [{"type": "null"}, {"type": "integer"}]},
         "many": {"type": "array", "items": {"type": "number"}},
         "kind": {"enum": ["A", "New York"]},
         "ok": {"type": ["boolean", "null"]},
         "a.b": {"type": "string"},
         "place": {"$ref": "#/definitions/Place"},
         "far": {"$ref": "other.json#/definitions/Far"},
         "tags": {"type": "object", "additionalProperties": {"type": "number"}},
         "any": {},
         "both": {"allOf": [{"$ref": "#/definitions/Place"},
           {"properties": {"no": {"type": "integer"}}}]},
         "loop": {"anyOf": [{"$ref": "#/properties/loop"}]},
         "gone": {"$ref": "gone.json"}},
       "required": ["n", "kind"],
       "anyOf": [{"required": ["ok"]}, {"required": ["n"]}],
       "definitions": {"Place": {"type": "object", "properties": {
         "city": {"type": "string"}, "inner": {"$ref": "#/definitions/Place"}}}}}
      """,
      Map.of("other.json", "{\"definitions\":{\"Far\":{\"properties\":{\"y\":{\"const\":2.5}}}}}"));

  private static List<String> types(WriterSchema schema, String path) {
    return schema.shapes().stream()
        .map(each -> Found.of(each, path))
        .flatMap(each -> each.isThere()
            ? each.types().stream().map(FieldShape::type)
            : Stream.of(each.isBlocked() ? "blocked" : "absent"))
        .distinct()
        .filter(each -> schema != PROTO || !each.equals("absent"))
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "n, int32",
    "raw, bytes",
    "many, repeated",
    "many.x, blocked",
    "kind, enum",
    "ok, bool",
    "w, wrapped double",
    "at, timestamp",
    "places, map",
    "places.home.city, string",
    "places.a.b.city, string",
    "place, message",
    "place.inner.inner.city, string",
    "far.y, double",
    "gone, gone.Type",
    "gone.x, blocked",
    "help, double",
    "deep.d, float",
    "place.no, ",
    "N, "
  })
  void knowsTypesOfProtobuf(String path, String type) {
    assertThat(types(PROTO, path)).isEqualTo(type == null ? List.of() : List.of(type));
  }

  @ParameterizedTest
  @CsvSource({
    "n, integer",
    "many, array",
    "many.x, blocked",
    "kind, enum",
    "ok, boolean",
    "a.b, string",
    "place.inner.inner.city, string",
    "far.y, number",
    "tags.x, number",
    "tags.x.y, number",
    "any.thing, anything",
    "both.city, string",
    "both.no, integer",
    "loop, ",
    "gone.x, anything",
    "place.no, absent",
    "N, absent"
  })
  void knowsTypesOfJson(String path, String type) {
    assertThat(types(JSON, path))
        .isEqualTo(
            path.equals("loop") ? List.of("absent") : type == null ? List.of() : List.of(type));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "raw | n | \"raw\" is to be a number and is bytes",
        "many | n | \"many\" is to be a number and is repeated",
        "kind | n | \"kind\" is to be a number and is enum",
        "places | n | \"places\" is to be a number and is map",
        "gone | n | \"gone\" is to be a number and is gone.Type",
        "n | kind | \"kind\" is to be a number, or true or false and is enum",
        "nowhere | n | \"nowhere\" is in none of 2",
        "many.x | n | \"many.x\" lies inside an array or a map",
        "w | ok | ",
        "at | n | ",
        "places.x.city | n | "
      })
  void refusesWhatNoMessageCouldBeReadAs(String feature, String label, String fault) {
    FeatureMap map = FeatureMap.builder()
        .numeric("f", feature, -1, 1, Transform.IDENTITY, true)
        .label(label, new LabelRule.AsItIs())
        .build();
    assertThat(ShapeProblems.of(map, List.of(PROTO), "k"))
        .extracting(ConfigError::message)
        .satisfies(each -> assertThat(each).hasSize(fault == null ? 0 : 1))
        .allSatisfy(each -> assertThat(each).startsWith("k must have").contains(fault));
  }

  @Test
  void knowsTheNamesOfAnEnumAsClasses() {
    for (WriterSchema each : List.of(PROTO, JSON)) {
      FeatureMap map = FeatureMap.builder()
          .label("kind", new LabelRule.Classes(List.of("A", "C")))
          .build();
      assertThat(ShapeProblems.of(map, List.of(each), "k"))
          .extracting(ConfigError::message)
          .singleElement()
          .asString()
          .contains("\"C\" is none of the symbols A, ");
    }
  }
}
