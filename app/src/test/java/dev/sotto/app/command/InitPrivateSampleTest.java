package dev.sotto.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.testing.Seed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Of a private sample names and types of fields are shown, whatever they are, and nothing else. */
class InitPrivateSampleTest extends InitTestBase {
  private static final String[] KINDS = {"jsonl", "csv", "libsvm"};

  /** Every value has the canary in it: texts as a word, numbers by their digits. */
  private Path canaries(String kind) throws IOException {
    StringBuilder text = new StringBuilder(kind.equals("csv") ? "word,number,flag,label\n" : "");
    for (int i = 0; i < 30; i++) {
      String word = "canary" + i % 3;
      int number = 8675309 + i % 3;
      text.append(
          switch (kind) {
            case "jsonl" ->
              "{\"word\":\"" + word + "\",\"number\":" + number + ",\"deep\":{\"list\":[\"" + word
                  + "\"],\"mixed\":" + (i == 0 ? number : "\"" + word + "\"") + "},\"label\":\""
                  + word + "\"}\n";
            case "csv" -> word + "," + number + ",true," + word + "\n";
            default -> "1 " + number + ":1\n";
          });
    }
    return file("canaries." + kind, text.toString());
  }

  private static boolean hasCanary(String text) {
    return text.contains("canary") || text.contains("86753");
  }

  @Test
  void neverShowsAValueOfASampleThatIsPrivate() throws IOException {
    for (String kind : KINDS) {
      String sample = canaries(kind).toString();
      List<List<String>> uses = new ArrayList<>(List.of(List.of()));
      if (!kind.equals("libsvm")) {
        uses.add(List.of("--label", "label", "--unit", "word"));
        uses.add(List.of("--label", "number", "--unit-record"));
      }
      for (List<String> use : uses) {
        List<String> flags = new ArrayList<>(use);
        flags.add(sample);
        assertThat(hasCanary(made(flags.toArray(String[]::new)))).as(kind + use).isFalse();
        assertThat(hasCanary(errors.toString())).isFalse();
        flags.add("--sample-is-public");
        assertThat(hasCanary(made(flags.toArray(String[]::new))))
            .as("the canary can be seen: " + kind + use)
            .isTrue();
      }
    }
  }

  /** Which record lacks which field is data, and so is the order in which they come. */
  @Test
  void writesTheSameWhateverRecordsLack() throws IOException {
    Path lines = file("same.jsonl", "{\"b\":1}\n{\"a\":\"x\",\"b\":2}\n");
    String before = made(lines.toString());
    file("same.jsonl", "{\"a\":\"y\",\"b\":2}\n{\"b\":1}\n{\"b\":1}\n");
    assertThat(made(lines.toString())).isEqualTo(before);
    file("same.jsonl", "{\"a\":1,\"b\":2}\n");
    assertThat(made(lines.toString())).as("types are shown").isNotEqualTo(before);

    Path table = file("same.csv", "z,a\n,1\n2,\n");
    String rows = made(table.toString());
    file("same.csv", "z,a\n2,\n,1\n");
    assertThat(made(table.toString())).isEqualTo(rows);
    assertThat(rows.indexOf(" z: {"))
        .as("as in the row of names")
        .isLessThan(rows.indexOf(" a: {"));
  }

  /** Odd names of fields at several levels: each is a feature, or named as one that cannot be. */
  @Test
  void makesWhatIsAcceptedWhateverTheNamesOfFields() throws IOException {
    requireAccepted(12);
  }

  @Tag("long")
  @Test
  void makesWhatIsAcceptedOfManyNames() throws IOException {
    requireAccepted(150);
  }

  private void requireAccepted(int samples) throws IOException {
    Random random = Seed.random(4);
    List<String> parts = List.of(
        "a", "b", "min", "field", "null", "TODO", "x y", "größe", "a:b", "#", "{}", "\\\"", "\\n",
        "\\u0000", "😀", "-", "a.b", "", "'", "%", "true", "1", "userId", "[", ",");
    for (int i = 0; i < samples; i++) {
      StringBuilder text = new StringBuilder();
      for (int row = 0; row < 3; row++) {
        text.append(object(random, parts, 3)).append('\n');
      }
      file("odd.jsonl", text.toString());
      String yaml = made(
          folder.resolve("odd.jsonl").toString(),
          "--unit-record",
          random.nextBoolean() ? "--sample-is-public" : "--force");
      assertThat(load(completed(yaml)).learner()).as("%s\n%s", text, yaml).isNotNull();
    }
  }

  private static String object(Random random, List<String> parts, int depth) {
    StringBuilder text = new StringBuilder("{\"always\":1");
    for (int i = random.nextInt(6); i > 0; i--) {
      String name = parts.get(random.nextInt(parts.size()))
          + (random.nextBoolean() ? "" : parts.get(random.nextInt(parts.size())));
      String value = switch (random.nextInt(depth > 0 ? 7 : 6)) {
        case 0 -> String.valueOf(random.nextInt(9));
        case 1 -> String.valueOf(random.nextGaussian());
        case 2 -> "\"" + parts.get(random.nextInt(parts.size())) + "\"";
        case 3 -> "true";
        case 4 -> "null";
        case 5 -> "[1]";
        default -> object(random, parts, depth - 1);
      };
      text.append(",\"").append(name).append("\":").append(value);
    }
    return text.append('}').toString();
  }
}
