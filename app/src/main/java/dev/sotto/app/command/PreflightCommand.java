package dev.sotto.app.command;

import dev.sotto.app.preflight.Preflight;
import dev.sotto.app.preflight.PreflightFindings;
import dev.sotto.config.SottoConfig;
import dev.sotto.evaluation.text.JsonRenderer;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Checks whether a learner can run on a cluster. */
@Command(
    name = "preflight",
    description = {
      "Check whether a learner can run on its cluster, and run safely: topics, permissions,"
          + " times, replication, the group, the state folder, the ledger.",
      "And what will be written and held of every topic and disk, and what memory that takes, at"
          + " the present rate of the events, or the one given.",
      "Connects with the configured clients, and changes nothing. What is printed does not depend"
          + " on what records hold.",
      "Prints a verdict, then each FAULT and WARNING with what was found, what is needed, and what"
          + " puts it right; with --all also what is OK.",
      "Ends with 13 where there is a fault."
    })
public final class PreflightCommand implements Callable<Integer> {
  @Spec
  private CommandSpec spec;

  @Mixin
  private LearnerOptions options;

  @Option(
      names = "--outage-hours",
      paramLabel = "N",
      defaultValue = "24",
      description =
          "For how long the learner may be down without losing records. Default: ${DEFAULT-VALUE}.")
  private int outageHours;

  @Mixin
  private LoadOptions load;

  @Mixin
  private DetailOptions detail;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Override
  public Integer call() {
    if (outageHours < 0) {
      throw new ParameterException(
          spec.commandLine(), "--outage-hours must be at least 0, but was " + outageHours);
    }
    SottoConfig config = SottoConfig.load(options.source());
    PreflightFindings findings =
        Preflight.run(config, Duration.ofHours(outageHours), load.expected());
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(JsonRenderer.of(findings.describe()));
    } else {
      detail.print(findings.describe(), out);
    }
    out.flush();
    return findings.anyFault() ? ExitCode.UNFIT.code() : ExitCode.OK.code();
  }
}
