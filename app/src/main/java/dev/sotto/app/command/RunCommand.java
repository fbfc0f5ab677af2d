package dev.sotto.app.command;

import dev.sotto.app.preflight.EventSchemaCheck;
import dev.sotto.app.view.GuaranteeDescription;
import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.evaluation.plan.UnitContribution;
import dev.sotto.evaluation.text.TextRenderer;
import dev.sotto.learner.description.Section;
import dev.sotto.learner.training.PlanKeys;
import dev.sotto.serdes.event.EventKeys;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.runtime.ExactMetricsWarning;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.apache.avro.Schema;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs a learner until it is stopped, or says why it cannot. */
@Command(
    name = "run",
    description = "Learn from a topic, and publish models with what they cost.",
    footer = {
      "",
      "Stop it with Ctrl-C or SIGTERM; what is not committed is learned again at the next start."
    })
public final class RunCommand implements Callable<Integer> {
  @Spec
  private CommandSpec spec;

  @Mixin
  private ConfigOptions options;

  @Option(
      names = "--embedded",
      description =
          "Start a broker inside this process, kept under state.dir, and learn from a topic there.")
  private boolean embedded;

  @Option(
      names = "--check",
      description = "Start nothing: check the configuration, print it and what the guarantee is.")
  private boolean check;

  @Option(
      names = "--schema",
      paramLabel = "FILE",
      description =
          "With --check: an Avro schema (.avsc) of the events, whose fields must have types"
              + " that can be read; several where they have several.")
  private List<Path> schemas = List.of();

  @Override
  public Integer call() throws InterruptedException {
    if (embedded && options.bootstrapServers() != null) {
      throw new ParameterException(
          spec.commandLine(),
          "--embedded and --bootstrap-server exclude each other: choose one cluster");
    }
    if (!schemas.isEmpty() && !check) {
      throw new ParameterException(spec.commandLine(), "--schema is for --check: add it");
    }
    ConfigSource source = options.source(environment()).withEmbedded(embedded);
    SottoConfig config = SottoConfig.load(source);
    PrintWriter errors = spec.commandLine().getErr();
    config.warnings().forEach(warning -> errors.println("warning: " + warning));
    errors.flush();
    if (!check) {
      return new LearnerRun(config, embedded, errors).untilEnd();
    }
    // A run has this in its log, from which warnings come to the terminal.
    ExactMetricsWarning.warning(config.learner()).forEach(line -> errors.println("WARN  " + line));
    compareTypes(config, errors);
    errors.flush();
    explain(config, spec.commandLine().getOut());
    return ExitCode.OK.code();
  }

  /** With the schemas that are given, and with the newest one of the registry. */
  private void compareTypes(SottoConfig config, PrintWriter errors) {
    if (!schemas.isEmpty() && !EventSchemaCheck.isAvro(config)) {
      throw new ParameterException(
          spec.commandLine(),
          "--schema is for events in Avro, but events.format is "
              + config.effective().get(EventKeys.FORMAT));
    }
    List<EventSchemaCheck.Result> results = new ArrayList<>();
    if (!schemas.isEmpty()) {
      List<Schema> read = schemas.stream().map(SchemaFile::read).toList();
      results.add(EventSchemaCheck.of(config, "--schema", read));
    }
    EventSchemaCheck.ofRegistry(config).ifPresent(results::add);
    for (EventSchemaCheck.Result each : results) {
      if (!each.note().isEmpty()) {
        errors.println("warning: " + each.name() + ": " + each.note());
      }
      if (!each.faults().isEmpty()) {
        throw new SottoException(
            FailureKind.CONFIGURATION, each.name() + " " + String.join("; ", each.faults()));
      }
    }
  }

  private static void explain(SottoConfig config, PrintWriter out) {
    out.println("# The settings in force");
    out.print(config.effective().yaml());
    out.println();
    out.println("# What is promised");
    Section promised =
        Section.untitled().append(GuaranteeDescription.of(config)).append(contribution(config));
    out.print(TextRenderer.of(promised)
        .lines()
        .map(line -> "# " + line + System.lineSeparator())
        .reduce("", String::concat));
    out.flush();
  }

  /** How many records of a unit can be learned from, before anything is started. */
  private static Section contribution(SottoConfig config) {
    return UnitContribution.inShort(
        config.learner().plan(),
        config
            .effective()
            .find(PlanKeys.RECORDS)
            .map(OptionalLong::of)
            .orElseGet(OptionalLong::empty));
  }

  private static Map<String, String> environment() {
    return System.getenv();
  }
}
