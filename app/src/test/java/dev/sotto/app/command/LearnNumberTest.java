package dev.sotto.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.testing.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LearnNumberTest extends LearnRuns {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String[] SAID = {
    "--label", "rent", "--loss", "squared", "--unit-record", "--epsilon", "8"
  };

  /** A label that is a number, of which nothing is said: its range is measured. */
  @Test
  void learnsANumberWithoutItsBounds() throws IOException {
    Random random = Seed.random(6);
    StringBuilder text = new StringBuilder("rooms,rent\n");
    for (int i = 0; i < 6_000; i++) {
      double rooms = 1 + 4 * random.nextDouble();
      text.append(rooms)
          .append(',')
          .append(300 + 200 * rooms + random.nextGaussian())
          .append('\n');
    }
    Path file = file("rents.csv", text.toString());
    assertThat(learn(file, SAID)).as("%s", errors).isZero();
    assertThat(errors.toString()).contains("warning: the range of the label is measured once");
    assertThat(out.toString())
        .containsPattern("error +\\d+[.0-9]*, the root mean square in the unit of the label");
    Path to = folder.resolve("rents-sotto");
    assertThat(Files.readString(to.resolve("sotto.yaml")))
        .doesNotContainPattern("(?m)^label.min")
        .doesNotContain(": TODO");
    JsonNode model = JSON.readTree(Files.readString(to.resolve("model.json")));
    assertThat(model.get("features").asText()).containsPattern("label-range measured [5-7]\\d\\d");
    assertThat(run(
            "predict", file.toString(), "--model-file", to.resolve("model.json").toString()))
        .as("%s", errors)
        .isZero();
    List<String> rows = Files.readAllLines(file);
    double error = 0;
    int at = 1;
    for (String line : out.toString().lines().toList()) {
      double rent = Double.parseDouble(rows.get(at++).split(",")[1]);
      error += Math.abs(JSON.readTree(line).get("prediction").asDouble() - rent);
    }
    assertThat(error / (at - 1)).isLessThan(120); // of rents from 500 to 1,300

    Path zeros = file("zeros.csv", text.toString().replaceAll("(?m),\\d.*$", ",0"));
    assertThat(learn(zeros, SAID)).isEqualTo(ExitCode.CONFIGURATION.code());
    assertThat(errors.toString())
        .contains("has learned nothing: no range of the label was found")
        .contains("give label.min and label.max");
    assertThat(folder.resolve("zeros-sotto/model.json")).doesNotExist();
    Path few = file("some.csv", String.join("\n", rows.subList(0, 300)) + "\n");
    assertThat(learn(few, SAID)).isEqualTo(ExitCode.NOTHING_LEARNED.code());
    assertThat(errors.toString())
        .containsPattern("first [\\d,]+ slots measure the range of the label");
  }
}
