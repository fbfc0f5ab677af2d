package dev.sotto.app.command;

import dev.sotto.app.cluster.Brokers;
import dev.sotto.app.explain.RecordExplainer;
import dev.sotto.app.explain.RecordExplanation;
import dev.sotto.app.explain.RecordPosition;
import dev.sotto.app.view.Progress;
import dev.sotto.config.SottoConfig;
import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.evaluation.text.TextRenderer;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says where one record went. */
@Command(
    name = "explain",
    description = {
      "Say which round and which published version a record went into, or why none.",
      "The answer is for inside the trust boundary: it says whose record is in which model.",
      "Ends with 18 where there is no such record."
    })
public final class ExplainCommand implements Callable<Integer> {
  private static final long SHORT = 5_000; // records that need no bar

  @Spec
  private CommandSpec spec;

  @Mixin
  private LearnerOptions options;

  @Parameters(
      paramLabel = "TOPIC/PARTITION/OFFSET",
      description = "The record: of the event topic.")
  private String record;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Override
  public Integer call() {
    RecordPosition place = RecordPosition.of(record)
        .orElseThrow(() -> new ParameterException(
            spec.commandLine(),
            "the record must be TOPIC/PARTITION/OFFSET, as in flights/0/1234, but was " + record));
    SottoConfig config = SottoConfig.load(options.source());
    Brokers.requireAnswer(config.service().bootstrapServers());
    RecordExplanation explanation;
    try (Progress progress = Progress.onTerminal();
        RecordExplainer explain = new RecordExplainer(config, (task, done, most) -> {
          if (most >= SHORT) {
            progress.at(task, done, most, "records");
          }
        })) {
      explanation = explain.explain(place);
    }
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(JsonRenderer.of(explanation.describe()));
    } else {
      out.print(TextRenderer.of(explanation.describe()));
    }
    out.flush();
    return (explanation.outcome().isRecord() ? ExitCode.OK : ExitCode.NOT_THERE).code();
  }
}
