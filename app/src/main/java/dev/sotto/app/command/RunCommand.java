package dev.sotto.app.command;

import dev.sotto.app.preflight.EventSchemaCheck;
import dev.sotto.app.view.CheckDescription;
import dev.sotto.app.view.LogSource;
import dev.sotto.app.view.Screen;
import dev.sotto.app.view.StatusLine;
import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.learner.description.Section;
import dev.sotto.serdes.event.EventKeys;
import dev.sotto.serdes.schema.WriterSchema;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.runtime.ExactMetricsWarning;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
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
      description =
          "Start nothing: check the configuration, and print what is promised; with --all also the"
              + " settings in force.")
  private boolean check;

  @Mixin
  private DetailOptions detail;

  @Option(
      names = "--json",
      description = "Print what happens as lines of JSON, on standard output.")
  private boolean json;

  @Option(
      names = "--schema",
      paramLabel = "FILE",
      description =
          "With --check: a schema of the events (.avsc of Avro, .proto, or .json of JSON Schema),"
              + " whose fields must have types that can be read; several where they have several.")
  private List<Path> schemas = List.of();

  @Override
  public Integer call() throws InterruptedException {
    if (embedded && options.bootstrapServers() != null) {
      throw new ParameterException(
          spec.commandLine(),
          "--embedded and --bootstrap-server exclude each other: choose one cluster");
    }
    if (detail.all() && !check) {
      throw new ParameterException(spec.commandLine(), "--all is for --check: add it");
    }
    if (json && check) {
      throw new ParameterException(spec.commandLine(), "--json is for a run: leave --check out");
    }
    if (!schemas.isEmpty() && !check) {
      throw new ParameterException(spec.commandLine(), "--schema is for --check: add it");
    }
    ConfigSource source = options.source(environment()).withEmbedded(embedded);
    SottoConfig config = SottoConfig.load(source);
    PrintWriter errors = spec.commandLine().getErr();
    if (!check) {
      return run(config, errors);
    }
    config.warnings().forEach(warning -> errors.println("warning: " + warning));
    // A run has this in its log, from which warnings come to the terminal.
    ExactMetricsWarning.warning(config.learner()).forEach(line -> errors.println("WARN  " + line));
    compareTypes(config, errors);
    errors.flush();
    Section found = detail.all()
        ? CheckDescription.whole(config)
        : CheckDescription.answer(config).detail(CheckDescription.whole(config));
    detail.print(found, spec.commandLine().getOut());
    return ExitCode.OK.code();
  }

  /** With the schemas that are given, and with the newest one of the registry. */
  private void compareTypes(SottoConfig config, PrintWriter errors) {
    if (!schemas.isEmpty() && EventSchemaCheck.kind(config).isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "--schema is for events in Avro, Protobuf or JSON with a schema, but events.format is "
              + config.effective().get(EventKeys.FORMAT));
    }
    List<EventSchemaCheck.Result> results = new ArrayList<>();
    if (!schemas.isEmpty()) {
      List<WriterSchema> read = schemas.stream().map(SchemaFile::writer).toList();
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

  private int run(SottoConfig config, PrintWriter errors) throws InterruptedException {
    EventSchemaCheck.requireUsable(config);
    String app = config.learner().app();
    String instance = LogSource.instance(config.service().stateFolder());
    LogSource.name(app, instance);
    RunEvents.Form form = RunEvents.Form.of(json, environment().get("SOTTO_LOG"));
    StatusLine terminal = new StatusLine(errors, Screen.errors());
    try (RunEvents events = new RunEvents(
        form,
        Section.untitled().fact("app", app).fact("instance", instance),
        spec.commandLine().getOut(),
        terminal)) {
      events.withWarnings();
      config.warnings().forEach(warning -> events.tell("warning", "warning: " + warning));
      return new LearnerRun(config, embedded, events).untilEnd();
    }
  }

  private static Map<String, String> environment() {
    return System.getenv();
  }
}
