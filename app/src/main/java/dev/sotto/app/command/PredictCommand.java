package dev.sotto.app.command;

import dev.sotto.app.scoring.ModelSource;
import dev.sotto.app.scoring.ModelSource.FileModel;
import dev.sotto.app.scoring.PredictionLines;
import dev.sotto.client.Scorer;
import dev.sotto.client.ScoringModel;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Predicts for the events of a file, of a topic, or of standard input. */
@Command(
    name = "predict",
    description = {
      "Print what a published model predicts for each event of a file, of a topic as far as it goes"
          + " now, or of standard input: one line of JSON each.",
      "Events have the form from which the model learns; label and privacy unit are not needed.",
      "Ends with 15 where nothing could be predicted for any of them.",
      "What is printed tells of the events: it stays where they may be."
    })
public final class PredictCommand implements Callable<Integer> {
  @Spec
  private CommandSpec spec;

  @Mixin
  private PredictInput input;

  @Mixin
  private VersionSource source;

  @Mixin
  private ModelOptions model;

  @Mixin
  private EventSchemaOptions schemas;

  @Option(names = "--with-event", description = "Put each event into its line of JSON.")
  private boolean withEvent;

  @Option(names = "--csv", description = "Print lines of CSV with a header instead of JSON.")
  private boolean csv;

  @Override
  public Integer call() throws InterruptedException, IOException {
    input.problem().ifPresent(wrong -> {
      throw new SottoException(FailureKind.USAGE, wrong);
    });
    ScoringModel loaded = load();
    requireReadable(loaded);
    Scorer scorer = scorer(loaded);
    PrintWriter out = spec.commandLine().getOut();
    PredictionLines lines = new PredictionLines(scorer, csv, withEvent, out);
    input.read(source::clients, lines::add);
    out.flush();
    PrintWriter errors = spec.commandLine().getErr();
    errors.println(lines.summary());
    lines.warning().ifPresent(errors::println);
    errors.flush();
    return (lines.isUseless() ? ExitCode.RECORDING : ExitCode.OK).code();
  }

  private ScoringModel load() throws InterruptedException {
    source.requireNamed();
    Optional<FileModel> read = source.inFile();
    if (read.isPresent()) {
      VersionSource.tellNotes(read.get(), spec.commandLine().getErr());
      return read.get().model();
    }
    return ModelSource.published(
        source.clients(), source.appId(), model.choice(), model.patience());
  }

  private void requireReadable(ScoringModel loaded) {
    String features = loaded.manifest().features();
    if (features.startsWith("events own")) {
      throw new SottoException(
          FailureKind.USAGE,
          "model " + loaded.modelId() + " learns from events that your own decoder reads: score"
              + " their vectors in Java instead (docs/client.md)");
    }
    if (withEvent && (csv || !features.contains("\nevents json\n"))) {
      throw new SottoException(
          FailureKind.USAGE,
          "--with-event is for lines of JSON and for models that learn from events in JSON; leave"
              + " it out");
    }
  }

  private Scorer scorer(ScoringModel loaded) {
    try {
      return schemas.read(source.configFile()).scorer(loaded);
    } catch (IllegalArgumentException unfit) {
      throw new SottoException(FailureKind.USAGE, unfit.getMessage(), unfit);
    }
  }
}
