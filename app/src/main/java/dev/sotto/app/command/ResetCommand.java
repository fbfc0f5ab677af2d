package dev.sotto.app.command;

import dev.sotto.app.cluster.Brokers;
import dev.sotto.app.reset.ResetPlan;
import dev.sotto.app.reset.ResetRun;
import dev.sotto.config.SottoConfig;
import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.evaluation.text.TextRenderer;
import java.io.Console;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Takes the state of a stopped learner away, so that the next run derives it again from the logs.
 */
@Command(
    name = "reset",
    description = {
      "Take the state of a stopped learner away: its folder on this machine, its changelogs and"
          + " its place in the logs, so that the next run derives the very same rounds again and"
          + " compares them with the ledger.",
      "Prints what would go, and does it with --execute only. Never touches ledger, snapshots,"
          + " metrics, dead letters, events or the sequence.",
      "Ends with 14 where instances run, and with 7 where the state could not be derived again."
    })
public final class ResetCommand implements Callable<Integer> {
  @Spec
  private CommandSpec spec;

  @Mixin
  private LearnerOptions options;

  @Option(names = "--execute", description = "Do it, after app.id was typed once more.")
  private boolean execute;

  @Option(
      names = "--yes",
      paramLabel = "APP_ID",
      description = "The app.id, instead of typing it when asked.")
  private String yes;

  @Option(
      names = "--json",
      description = "Print one JSON object: the plan, and whether it was carried out.")
  private boolean json;

  @Override
  public Integer call() {
    SottoConfig config = SottoConfig.load(options.source());
    Brokers.requireAnswer(config.service().bootstrapServers());
    PrintWriter out = spec.commandLine().getOut();
    try (ResetRun reset = new ResetRun(config)) {
      ResetPlan plan = reset.plan();
      if (!json) {
        out.print(TextRenderer.of(plan.describe()));
        out.flush();
      }
      if (execute) {
        confirm(plan.app());
        reset.execute(plan, done -> say(json ? spec.commandLine().getErr() : out, done));
      } else if (!json) {
        out.println("Nothing was changed. To do it, add --execute.");
      }
      if (json) {
        out.println(JsonRenderer.of(plan.describe().fact("executed", execute)));
      }
    }
    out.flush();
    return ExitCode.OK.code();
  }

  private static void say(PrintWriter out, String line) {
    out.println(line);
    out.flush();
  }

  private void confirm(String app) {
    String typed = yes;
    if (typed == null) {
      Console console = System.console();
      if (console == null) {
        throw new ParameterException(
            spec.commandLine(), "--execute without a terminal needs --yes " + app);
      }
      typed = console.readLine("Type %s to take its state away: ", app);
    }
    if (!app.equals(typed == null ? null : typed.strip())) {
      throw new ParameterException(
          spec.commandLine(), "nothing was changed: app.id is " + app + ", not " + typed);
    }
  }
}
