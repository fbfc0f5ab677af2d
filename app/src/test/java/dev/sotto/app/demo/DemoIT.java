package dev.sotto.app.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.app.Main;
import dev.sotto.learner.key.NoiseKey;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoIT {
  /** Always the same noise: of 150 other keys one leads to a log-loss above 0.32. */
  private static final String KEY =
      "5be1c7a0934d2f68e0b91d47c2f3a65806d8e4b17f9a2c35d1604e8b7a39f2c5";

  @TempDir
  static Path folder;

  @BeforeAll
  static void pointAtTheBuild() {
    Path module = Path.of("").toAbsolutePath();
    System.setProperty("sotto.home", module.getFileName().toString().equals("app") ? ".." : ".");
  }

  private static JsonNode demo(String... more) throws Exception {
    String[] arguments = new String[more.length + 2];
    arguments[0] = "demo";
    arguments[1] = "--json";
    System.arraycopy(more, 0, arguments, 2, more.length);
    PrintStream before = System.out;
    ByteArrayOutputStream captured = new ByteArrayOutputStream();
    System.setOut(new PrintStream(captured, true, StandardCharsets.UTF_8));
    try {
      assertThat(Main.commandLine().execute(arguments)).isZero();
    } finally {
      System.setOut(before);
    }
    String[] lines = captured.toString(StandardCharsets.UTF_8).strip().split("\n");
    return new ObjectMapper().readTree(lines[lines.length - 1]);
  }

  @Test
  void learnsAsWellAsPromisedAndTheSameAgainWithTheSameKey() throws Exception {
    Path key = folder.resolve("noise.key");
    NoiseKey.create(key); // for its permissions
    Files.writeString(key, KEY);
    JsonNode first = demo("--noise-key-file", key.toString());
    assertThat(first.get("auc").asDouble()).isGreaterThanOrEqualTo(0.90);
    assertThat(first.get("aucNonPrivate").asDouble()).isGreaterThanOrEqualTo(0.91);
    assertThat(first.get("logLoss").asDouble()).isLessThan(0.32);
    assertThat(first.get("epsilon").asDouble()).isBetween(0.8, 1.0);
    assertThat(first.get("delta").asDouble()).isEqualTo(1e-6);
    assertThat(first.get("unit").asText()).isEqualTo("key");
    assertThat(first.get("mechanism").asText()).isEqualTo("blt");
    assertThat(first.get("epsilonLimit").asDouble()).isBetween(0.9999999, 1.0);
    assertThat(first.get("aucRecordLevel").asDouble()).isGreaterThanOrEqualTo(0.91);
    assertThat(first.get("epsilonRecordLevel").asDouble()).isBetween(0.8, 1.0);
    assertThat(first.get("replayAgrees").asBoolean()).isTrue();
    assertThat(first.get("slots").asLong()).isEqualTo(14 * 4096); // versions of 58,156 events
    assertThat(first.get("rounds").asLong()).isGreaterThan(14);
    assertThat(first.get("emptySlotsByReason").properties()).hasSize(1);
    assertThat(first.get("emptySlotsByReason").get("NOT_ADMITTED").asLong()).isPositive();
    assertThat(first.get("seconds").asDouble()).isPositive();
    JsonNode second = demo("--noise-key-file", key.toString());
    assertThat(second.get("snapshotDigest").asText())
        .hasSize(64)
        .isEqualTo(first.get("snapshotDigest").asText());
  }

  @Tag("long")
  @Test
  void variesMechanismAndBudget() throws Exception {
    JsonNode other = demo("--mechanism", "independent", "--unit", "record", "--epsilon", "0.5");
    assertThat(other.get("mechanism").asText()).isEqualTo("independent");
    assertThat(other.get("epsilon").asDouble()).isBetween(0.49, 0.5);
    assertThat(other.get("epsilonLimit").asDouble())
        .isEqualTo(other.get("epsilon").asDouble());
    assertThat(other.get("auc").asDouble()).isGreaterThanOrEqualTo(0.90);
    assertThat(other.get("emptySlots").asLong()).isZero();
    assertThat(other.get("replayAgrees").asBoolean()).isTrue();
  }

  @Test
  void namesWhatItDoesNotKnow() {
    assertThat(Main.commandLine().execute("demo", "--mechanism", "none")).isEqualTo(2);
    assertThat(Main.commandLine().execute("demo", "--epsilon", "-1")).isEqualTo(2);
    assertThat(Main.commandLine().execute("demo", "--epsilon", "Infinity")).isEqualTo(2);
  }
}
