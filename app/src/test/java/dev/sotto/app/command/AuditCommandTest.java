package dev.sotto.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.app.Main;
import dev.sotto.evaluation.audit.AuditEffort;
import dev.sotto.evaluation.audit.subject.AuditSubject;
import dev.sotto.evaluation.audit.subject.ProductLearner;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.training.Plan;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class AuditCommandTest {
  private static final String YAML = """
      app.id: points
      events.topic: points
      features.numeric.x: {field: x, min: -1, max: 1}
      label.field: y
      loss: logistic
      batch.size: 64
      privacy: {epsilon: 2, delta: 1e-6, horizon.rounds: 100}
      """;

  private static final AuditEffort LITTLE = new AuditEffort(1 << 14, 64);

  @TempDir
  private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter errors = new StringWriter();
  private Path config;

  @BeforeEach
  void writeConfiguration() throws IOException {
    Path key = folder.resolve("key");
    assertThat(Main.commandLine().execute("key", key.toString())).isZero();
    config =
        Files.writeString(folder.resolve("sotto.yaml"), YAML + "noise.key.file: " + key + "\n");
  }

  private int run(CommandLine line, String... arguments) {
    out.getBuffer().setLength(0);
    errors.getBuffer().setLength(0);
    return line.setOut(new PrintWriter(out)).setErr(new PrintWriter(errors)).execute(arguments);
  }

  private static CommandLine audit(AuditSubject subject, AuditEffort effort) {
    return new CommandLine(new AuditCommand(subject, effort));
  }

  @Test
  void auditsAConfigurationWithARecording() throws IOException {
    Path events = folder.resolve("events.json");
    Files.writeString(events, "{\"x\":0.3,\"y\":1}\nnot json\n".repeat(1000));
    int code = run(
        audit(ProductLearner.AS_IT_IS, LITTLE),
        "-c",
        config.toString(),
        "--recording",
        events.toString(),
        "--canaries",
        "500",
        "--seed",
        "5",
        "--json");
    assertThat(code).isZero();
    String[] lines = out.toString().split("\n");
    JsonNode json = new ObjectMapper().readTree(lines[lines.length - 1]);
    assertThat(json.get("rounds").asInt()).isEqualTo(31); // 2000 events in rounds of 64
    assertThat(json.get("seed").asLong()).isEqualTo(5);
    assertThat(json.get("epsilonUpper").asDouble()).isLessThanOrEqualTo(2);
    assertThat(errors.toString()).contains("all ", " checks hold", "epsilon     at least");
    assertThat(json.get("checks").get(0).get("name").asText())
        .isEqualTo("slots: a unit moves its own");
    assertThat(json.get("checks").get(0).get("says").asText())
        .startsWith("2 pairs of neighbouring logs from bytes to slots: of ");
  }

  @Tag("long")
  @Test
  void auditsTheOtherAlgorithm() {
    int code = run(
        audit(ProductLearner.AS_IT_IS, AuditEffort.QUICK),
        "-c",
        config.toString(),
        "--set",
        "algorithm=accelerated-dp-srgd",
        "--set",
        "srgd.beta=1",
        "--canaries",
        "4000",
        "--seed",
        "5");
    assertThat(code).as(out.toString() + errors).isZero();
  }

  @Tag("long")
  @Test
  void auditsBlocksAndPaths() throws IOException {
    withoutRounds();
    int code = run(
        audit(ProductLearner.AS_IT_IS, AuditEffort.QUICK),
        "-c",
        config.toString(),
        "--set",
        "algorithm=clipped-ac-sa",
        "--set",
        "block.slots=1024",
        "--canaries",
        "2000",
        "--seed",
        "5");
    assertThat(code).as(out.toString() + errors).isZero();
    assertThat(out.toString()).contains("block-queries noise", "ok     blocks: what a slot moves");
    code = run(
        audit(ProductLearner.AS_IT_IS, AuditEffort.QUICK),
        "-c",
        config.toString(),
        "--set",
        "algorithm=resque",
        "--set",
        "block.slots=512",
        "--canaries",
        "2000",
        "--seed",
        "5");
    assertThat(code).as(out.toString() + errors).isZero();
    assertThat(out.toString())
        .contains("ordered-path noise", "ok     paths: what a slot moves, exactly");
  }

  /** The numbers are judged by CanarySamplesTest. */
  @Test
  void writesSamplesForTestersOfOthers() throws IOException {
    Path samples = folder.resolve("samples");
    int code = run(
        audit(ProductLearner.AS_IT_IS, LITTLE),
        "-c",
        config.toString(),
        "--samples",
        samples.toString(),
        "--canaries",
        "100",
        "--seed",
        "5");
    assertThat(code).as(out.toString() + errors).isZero();
    assertThat(out.toString()).contains("of 100 runs each, 16 rounds long", "a delta of ");
    JsonNode json = new ObjectMapper().readTree(samples.resolve("samples.json").toFile());
    assertThat(json.get("rounds").asInt()).isEqualTo(16);
    assertThat(json.get("epsilon").asDouble()).isPositive().isLessThanOrEqualTo(2);
    assertThat(json.get("canaryRounds").isArray()).isTrue();
    for (String data : List.of("with", "without")) {
      long size = Files.size(samples.resolve(json.get(data).asText()));
      assertThat(size).isEqualTo(128 + 100 * 16 * 8);
    }
    code = run(
        audit(ProductLearner.AS_IT_IS, LITTLE),
        "-c",
        config.toString(),
        "--samples",
        samples.resolve("samples.json").toString());
    assertThat(code).isNotZero();
    assertThat(errors.toString()).contains("--samples must be a folder that can be written");
    withoutRounds();
    code = run(
        audit(ProductLearner.AS_IT_IS, LITTLE),
        "-c",
        config.toString(),
        "--samples",
        samples.toString(),
        "--set",
        "algorithm=clipped-ac-sa",
        "--set",
        "block.slots=1024");
    assertThat(code).isEqualTo(2);
    assertThat(errors.toString()).contains("--samples cannot serve this plan", "blocks");
  }

  @Test
  void refusesPlansThatItCannotServe() throws IOException {
    int code = run(
        Main.commandLine(),
        "audit",
        "-c",
        config.toString(),
        "--set",
        "loss=softmax",
        "--set",
        "loss.classes=3");
    assertThat(code).isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).contains("the audit cannot serve loss softmax(3)");
    withoutRounds();
    code = run(
        Main.commandLine(),
        "audit",
        "-c",
        config.toString(),
        "--set",
        "algorithm=sensitivity-reduced-nsgd",
        "--set",
        "momentum.form=window",
        "--set",
        "block.slots=1024",
        "--set",
        "momentum.batches=512",
        "--set",
        "momentum.epochs=4");
    assertThat(code).as(out.toString() + errors).isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString())
        .contains("windows of up to 1024 queries in a block", "but not window-tree");
  }

  private void withoutRounds() throws IOException {
    Files.writeString(config, Files.readString(config).replaceAll("(?m)^batch.size:.*\\n", ""));
  }

  @Test
  void endsWithACodeOfItsOwnWhereACheckFails() {
    int code = run(audit(new HalfTheNoise(), LITTLE), "-c", config.toString(), "--canaries", "500");
    assertThat(code).isEqualTo(ExitCode.REFUTED.code()).isEqualTo(11);
    assertThat(out.toString()).contains("FAILS  noise: size", "checks FAIL; seed ");
  }

  /** The product's learner with half of the noise that is claimed. */
  private record HalfTheNoise() implements AuditSubject {
    @Override
    public String name() {
      return "half the noise";
    }

    @Override
    public Run start(Plan plan, Identity identity, Window window) {
      Plan half = plan.toBuilder()
          .sigma(plan.sigma() / 2)
          .budget(new Budget(Double.POSITIVE_INFINITY, plan.budget().delta()))
          .build();
      return ProductLearner.AS_IT_IS.start(half, identity, window);
    }
  }

  @Test
  void saysWhatIsWrongWithItsOptions() throws IOException {
    assertThat(run(Main.commandLine(), "audit", "--demo", "-c", config.toString()))
        .isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).contains("--demo and -c exclude each other");
    assertThat(run(Main.commandLine(), "audit", "--recording", "events.json"))
        .isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).contains("need -c FILE");
    assertThat(run(Main.commandLine(), "audit", "-c", config.toString(), "--confidence", "1"))
        .isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).contains("confidence must be above 0 and below 1, but was 1.0");
    Files.delete(folder.resolve("key")); // which no audit uses
    assertThat(run(Main.commandLine(), "audit", "-c", config.toString(), "--confidence", "1"))
        .isEqualTo(ExitCode.USAGE.code());
    assertThat(run(
            Main.commandLine(), "audit", "-c", config.toString(), "--recording", "nowhere.json"))
        .isEqualTo(ExitCode.RECORDING.code());
    assertThat(errors.toString()).contains("nowhere.json does not exist");
    String other =
        Files.writeString(folder.resolve("other.csv"), "a,b\n1,2\n3,4\n").toString();
    assertThat(run(Main.commandLine(), "audit", "-c", config.toString(), "--recording", other))
        .isEqualTo(ExitCode.RECORDING.code());
    assertThat(errors.toString()).contains("none of the 2 events of --recording " + other);
    assertThat(
            run(Main.commandLine(), "audit", "-c", folder.resolve("none.yaml").toString()))
        .isEqualTo(ExitCode.CONFIGURATION.code());
  }
}
