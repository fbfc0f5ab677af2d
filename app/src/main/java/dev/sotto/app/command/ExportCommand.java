package dev.sotto.app.command;

import dev.sotto.app.predict.ExportedModel;
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
          + " without a broker. JSON (docs/wire-format.md, docs/python.md), or ONNX"
          + " (docs/onnx.md).",
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
      required = true,
      paramLabel = "FILE",
      description = "The file; replaced as a whole where it is there.")
  private Path out;

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
    if (form != null && !onnx) {
      throw new SottoException(
          FailureKind.USAGE,
          "--onnx-input says what goes into an ONNX model: give --onnx too, or leave it out");
    }
    source.requireNamed();
    Optional<FileModel> read = source.inFile();
    ScoringModel model = read.isPresent()
        ? read.get().model()
        : ModelSource.published(
            source.clients(), source.appId(), choice.choice(), choice.patience());
    read.ifPresent(each -> VersionSource.tellNotes(each, spec.commandLine().getErr()));
    try {
      if (onnx) {
        OnnxModel.Form chosen = form == null ? OnnxModel.formOf(model.inputs()) : form;
        List<String> notes = read.map(FileModel::notes).orElse(List.of());
        WholeFile.write(out, OnnxModel.of(model, chosen, notes));
      } else {
        ExportedModel.write(model.published(), read.flatMap(FileModel::origin), out);
      }
    } catch (IllegalArgumentException unfit) {
      throw new SottoException(FailureKind.USAGE, unfit.getMessage(), unfit);
    } catch (IOException unwritable) {
      throw new SottoException(
          FailureKind.USAGE,
          "--out must be a file that can be written, but " + out + " cannot: "
              + unwritable.getMessage(),
          unwritable);
    }
    System.err.println("wrote " + model.modelId() + "@" + model.version() + " to " + out);
    if (form == OnnxModel.Form.FIELDS) {
      System.err.println("it takes a column each for: "
          + String.join(", ", OnnxModel.columns(model))
          + "; where text is hashed, only ONNX Runtime can run it (docs/onnx.md)");
    }
    return ExitCode.OK.code();
  }
}
