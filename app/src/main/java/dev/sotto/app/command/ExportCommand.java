package dev.sotto.app.command;

import dev.sotto.app.predict.ExportedModel;
import dev.sotto.app.predict.MlflowModel;
import dev.sotto.app.predict.ReplayOrigin;
import dev.sotto.app.predict.WholeFile;
import dev.sotto.app.scoring.ModelSource;
import dev.sotto.app.scoring.ModelSource.FileModel;
import dev.sotto.client.ScoringModel;
import dev.sotto.onnx.OnnxModel;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Writes a published version to a file that scores without a broker. */
@Command(
    name = "export",
    description = {
      "Write a version of a model to a file: all that is needed to score with it, elsewhere and"
          + " without a broker. JSON (docs/wire-format.md, docs/python.md), ONNX"
          + " (docs/onnx.md), or a directory of MLflow (docs/mlflow.md).",
      "A published version is checked against its digest and its ledger entry before; one of a"
          + " model file against its digest."
    })
public final class ExportCommand implements Callable<Integer> {
  @Spec
  private CommandSpec spec;

  @Mixin
  private VersionSource source;

  @Mixin
  private ModelOptions choice;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "The file; replaced as a whole where it is there.")
  private Path out;

  @Option(
      names = "--mlflow",
      paramLabel = "DIR",
      description = "Make a model directory of MLflow here instead: as ONNX and as a Python"
          + " function, with the guarantee in its metadata. Must be new or empty.")
  private Path mlflow;

  @Option(
      names = "--onnx",
      description =
          "Write an ONNX model instead, with the guarantee in its metadata (docs/onnx.md).")
  private boolean onnx;

  @Option(
      names = "--onnx-input",
      paramLabel = "FORM",
      description = "dense (vectors of any number of examples), sparse (indices and values of one),"
          + " or fields (a column for each feature, of any number of examples: the feature map is"
          + " in the model; where text is hashed, only ONNX Runtime can run it). Default: sparse"
          + " from 4096 coordinates on, otherwise dense.")
  private OnnxModel.Form form;

  @Override
  public Integer call() throws InterruptedException {
    requireOneResult();
    source.requireNamed();
    Optional<FileModel> read = source.inFile();
    ScoringModel model = read.isPresent()
        ? read.get().model()
        : ModelSource.published(
            source.clients(), source.appId(), choice.choice(), choice.patience());
    read.ifPresent(each -> VersionSource.tellNotes(each, spec.commandLine().getErr()));
    try {
      write(model, read.flatMap(FileModel::origin));
    } catch (IllegalArgumentException unfit) {
      throw new SottoException(FailureKind.USAGE, unfit.getMessage(), unfit);
    } catch (IOException unwritable) {
      throw new SottoException(
          FailureKind.USAGE,
          (mlflow == null
                  ? "--out must be a file that can be written, but " + out
                  : "--mlflow must be a directory that can be made, but " + mlflow)
              + " cannot: " + unwritable,
          unwritable);
    }
    System.err.println("wrote " + model.modelId() + "@" + model.version() + " to "
        + (mlflow == null ? out : mlflow));
    if (form == OnnxModel.Form.FIELDS) {
      System.err.println("it takes a column each for: "
          + String.join(", ", OnnxModel.columns(model))
          + "; where text is hashed, only ONNX Runtime can run it (docs/onnx.md)");
    }
    return ExitCode.OK.code();
  }

  private void write(ScoringModel model, Optional<ReplayOrigin> origin) throws IOException {
    OnnxModel.Form chosen = form == null ? OnnxModel.formOf(model.inputs()) : form;
    if (mlflow != null) {
      MlflowModel.write(model, origin, chosen, mlflow);
    } else if (onnx) {
      List<String> notes = origin.map(ReplayOrigin::notes).orElse(List.of());
      WholeFile.write(out, OnnxModel.of(model, chosen, notes));
    } else {
      ExportedModel.write(model.published(), origin, out);
    }
  }

  private void requireOneResult() {
    if ((out == null) == (mlflow == null)) {
      throw new SottoException(
          FailureKind.USAGE, "give either --out FILE or --mlflow DIR: what is to be written");
    }
    if (mlflow != null && onnx) {
      throw new SottoException(
          FailureKind.USAGE, "a directory of --mlflow holds the ONNX model: leave out --onnx");
    }
    if (form != null && !onnx && mlflow == null) {
      throw new SottoException(
          FailureKind.USAGE,
          "--onnx-input says what goes into an ONNX model: give --onnx or --mlflow too, or leave"
              + " it out");
    }
  }
}
