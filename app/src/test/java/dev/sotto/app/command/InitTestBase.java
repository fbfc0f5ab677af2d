package dev.sotto.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.learner.key.SeededNoiseKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;

/** Runs init over made-up samples. */
abstract class InitTestBase extends CommandRuns {
  private static final String SCHEMA = """
      {"type": "record", "name": "Visit", "fields": [
        {"name": "user", "type": {"type": "record", "name": "User", "fields": [
          {"name": "id", "type": "long"}, {"name": "age", "type": ["null", "int"]}]}},
        {"name": "amount", "type": "double"},
        {"name": "device", "type": {"type": "enum", "name": "Device",
          "symbols": ["PHONE", "DESK"]}},
        {"name": "outcome", "type": {"type": "enum", "name": "Outcome",
          "symbols": ["LEFT", "BOUGHT", "RETURNED"]}},
        {"name": "tags", "type": {"type": "array", "items": "string"}}]}
      """;

  private static final String PROTO = """
      syntax = "proto3";
      import "user.proto";
      import "google/protobuf/timestamp.proto";
      message Visit {
        User user = 1;
        double amount = 2;
        Device device = 3;
        Outcome outcome = 4;
        repeated string tags = 5;
        bytes raw = 6;
        google.protobuf.Timestamp at = 7;
        optional bool member = 8;
        map<string, double> prices = 9;
        enum Device { PHONE = 0; DESK = 1; }
        enum Outcome { LEFT = 0; BOUGHT = 1; RETURNED = 2; }
      }
      """;

  private static final String USER = """
      syntax = "proto3";
      message User { int64 id = 1; optional int32 age = 2; }
      """;

  private static final String JSON_SCHEMA = """
      {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": {
        "user": {"$ref": "#/definitions/User"},
        "amount": {"type": "number"},
        "device": {"enum": ["PHONE", "DESK"]},
        "outcome": {"enum": ["LEFT", "BOUGHT", "RETURNED"]},
        "tags": {"type": "array", "items": {"type": "string"}},
        "member": {"oneOf": [{"type": "null"}, {"type": "boolean"}]},
        "prices": {"type": "object", "additionalProperties": {"type": "number"}}},
       "required": ["user", "amount", "outcome"],
       "definitions": {"User": {"type": "object", "required": ["id"], "properties": {
         "id": {"type": "integer"}, "age": {"type": "integer"}}}}}
      """;

  private static final String VISITS = """
      {"user":{"id":7,"mail":"a@b"},"at":1700000000000,"amount":3.5,"clicked":true,"tags":[1]}
      {"user":{"id":8,"mail":"c@d"},"at":1700000000001,"amount":"NA","clicked":false,"o":null}
      """;

  @TempDir
  Path folder;

  Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  /** What init prints with these flags. */
  String made(String... flags) {
    String[] all =
        Stream.concat(Stream.of("init", "--out", "-"), Stream.of(flags)).toArray(String[]::new);
    assertThat(run(all)).as("%s", errors).isZero();
    return out.toString();
  }

  /** 400 visits to a shop; every user comes eight times. */
  static String shop() {
    Random random = new Random(2); // the files that are compared are of these, under any seed
    StringBuilder text = new StringBuilder("user_id;age;amount;country;bought\n");
    for (int i = 0; i < 400; i++) {
      int age = 18 + random.nextInt(60);
      double amount = Math.rint(1000 * Math.exp(2 * random.nextGaussian())) / 100;
      text.append(1000 + i % 50)
          .append(i % 9 == 0 ? ";" : ";" + age)
          .append(";" + amount)
          .append(";" + List.of("NL", "DE", "FR").get(random.nextInt(3)))
          .append(random.nextInt(60) < age ? ";yes\n" : ";no\n");
    }
    return text.toString();
  }

  /** The flags of a sample, with its files made. */
  String[] flags(List<String> sample) throws IOException {
    file("shop.csv", shop());
    file("visits.jsonl", VISITS);
    file("visit.avsc", SCHEMA);
    file("visit.proto", PROTO);
    file("user.proto", USER);
    file("visit.json", JSON_SCHEMA);
    file("a.libsvm", "+1 1:0.5 7:1\n-1 2:1\n");
    return sample.stream()
        .skip(1)
        .map(each -> each.matches("[a-z]+\\.(csv|jsonl|avsc|proto|json|libsvm)")
            ? folder.resolve(each).toString()
            : each)
        .toArray(String[]::new);
  }

  /** As somebody does who knows the events. */
  static String completed(String yaml) {
    return yaml.lines()
            .map(line -> line.startsWith("#") ? line : line.replaceFirst(" # .*", ""))
            .map(line -> line.replace("label.field: TODO", "label.field: amount"))
            .map(line -> line.replace("label.classes: TODO", "label.classes: [yes]"))
            .map(line -> line.replace("features.dimension: TODO", "features.dimension: 7"))
            .map(line -> line.replace("loss: TODO", "loss: logistic"))
            .map(line -> line.replace("privacy.unit: TODO", "privacy.unit: record"))
            .map(line -> line.replace("registry.url: TODO", "registry.url: http://localhost:1"))
            .collect(Collectors.joining("\n"))
        + "\n";
  }

  static SottoConfig load(String yaml) {
    return SottoConfig.load(ConfigSource.of("made.yaml", yaml).withNoiseKey(SeededNoiseKey.of(1)));
  }

  /** The settings in force: no comments. */
  static List<String> settings(String yaml) {
    return yaml.lines()
        .filter(line -> !line.startsWith("#") && !line.isBlank())
        .map(line -> line.replaceFirst(" # .*", ""))
        .toList();
  }
}
