package dev.sotto.app.command;

import dev.sotto.app.predict.ExportedModel;
import dev.sotto.app.scoring.ModelSource;
import dev.sotto.client.ScoringModel;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Writes a published version to a file that scores without a broker. */
@Command(
    name = "export",
    description = {
      "Write a published version to a file of JSON: all that is needed to score with it, elsewhere"
          + " and without a broker (docs/wire-format.md, docs/python.md).",
      "The version is checked against its digest and its ledger entry before."
    })
public final class ExportCommand implements Callable<Integer> {
  @Mixin
  private ClusterOptions cluster;

  @Mixin
  private ModelOptions choice;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "FILE",
      description = "The file; replaced as a whole where it is there.")
  private Path out;

  @Override
  public Integer call() throws InterruptedException {
    ScoringModel model = ModelSource.published(
        cluster.clients(), cluster.appId(), choice.choice(), choice.patience());
    try {
      ExportedModel.write(model.published(), out);
    } catch (IOException unwritable) {
      throw new SottoException(
          FailureKind.USAGE,
          "--out must be a file that can be written, but " + out + " cannot: "
              + unwritable.getMessage(),
          unwritable);
    }
    System.err.println(
        "wrote version " + model.version() + " of model " + model.modelId() + " to " + out);
    return ExitCode.OK.code();
  }
}
