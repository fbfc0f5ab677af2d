package dev.sotto.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.testing.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleFunction;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.Arguments;

/**
 * Files as people have reported them, of other programs too: each gives the model of the same events
 * in plain JSON, or a word that says what is wrong.
 */
abstract class ReportedCases extends CommandRuns {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Map<String, JsonNode> EXPECTED = new HashMap<>();
  static final int ROWS = 480;

  static final String YAML = """
      app.id: cases
      bootstrap.servers: localhost:9092
      events.topic: cases
      layout: direct
      label.field: y
      batch.size: 48
      release.every.slots: 96
      privacy.epsilon: 200
      privacy.delta: 1e-6
      noise.key.file: none
      """;
  static final String LOGISTIC = "loss: logistic\n";
  static final String NUMBER = LOGISTIC + "features.numeric.x: {field: x, min: -1, max: 1}\n";
  static final String CATEGORY =
      LOGISTIC + "features.categorical.x: {field: x}\nfeatures.hash.bits: 4\n";

  @TempDir
  Path folder;

  /** How one writer writes the events: x between -1 and 1, y whether it is likely above 0. */
  record Form(String name, String head, DoubleFunction<String> x, List<String> labels) {
    static Form json(DoubleFunction<String> x, String zero, String one) {
      return new Form("events.jsonl", "", x, List.of(zero, one));
    }

    static Form csv(String head, DoubleFunction<String> x, String zero, String one) {
      return new Form("events.csv", head + "\n", x, List.of(zero, one));
    }

    private String line(double x, int y) {
      String form = name.endsWith(".csv") ? "%s" + separator() + "%s" : "{\"x\":%s,\"y\":%s}";
      return String.format(form, this.x.apply(x), labels.get(y));
    }

    private String separator() {
      return head.contains(";") ? ";" : head.contains("\t") ? "\t" : ",";
    }

    String text() {
      Random random = Seed.random(1);
      StringBuilder text = new StringBuilder(head);
      for (int i = 0; i < ROWS; i++) {
        double x = (random.nextInt(2001) - 1000) / 1000.0;
        text.append(line(x, random.nextDouble() < 1 / (1 + Math.exp(-8 * x)) ? 1 : 0))
            .append('\n');
      }
      return text.toString();
    }
  }

  static String plain(double x) {
    return String.format(Locale.ROOT, "%.3f", x);
  }

  static String quoted(double x) {
    return '"' + plain(x) + '"';
  }

  static String comma(double x) {
    return plain(x).replace('.', ',');
  }

  static String signed(double x) {
    return (x < 0 ? " " : " +") + plain(x) + "0 ";
  }

  static final Form TRUTH = Form.json(ReportedCases::plain, "0", "1");

  static Arguments same(String name, String yaml, Form truth, Form form) {
    return Arguments.of(name, yaml, truth, form);
  }

  static String version(double x) {
    return x < 0 ? "\"3.1\"" : "\"3.10\"";
  }

  static String month(double x) {
    return String.valueOf(Math.abs(Math.round(10 * x)));
  }

  JsonNode replay(Form form, String yaml) throws IOException {
    Path config = Files.writeString(folder.resolve("sotto.yaml"), YAML + yaml);
    Path events = Files.writeString(folder.resolve(form.name()), form.text());
    assertThat(
            run("replay", events.toString(), "-c", config.toString(), "--throwaway-key", "--json"))
        .as("%s", errors)
        .isZero();
    return JSON.readTree(out.toString());
  }

  /** The form learns to the bit what the plain one does, and sets nothing aside. */
  void requireModelOfThePlainForm(String name, String yaml, Form truth, Form form)
      throws IOException {
    String key = yaml + truth.text();
    JsonNode expected = EXPECTED.containsKey(key) ? EXPECTED.get(key) : replay(truth, yaml);
    EXPECTED.put(key, expected);
    assertThat(expected.get("deadLetters").asLong()).isZero();
    assertThat(expected.get("accuracy").asDouble())
        .isGreaterThan(name.startsWith("months") ? 0.4 : 0.65);
    JsonNode found = replay(form, yaml);
    assertThat(found.get("deadLetters").asLong()).as("%s", errors).isZero();
    assertThat(found.get("snapshotDigest")).isEqualTo(expected.get("snapshotDigest"));
    assertThat(errors.toString()).doesNotContain("Labels:");
  }
}
