package dev.sotto.app.command;

import dev.sotto.app.scoring.ModelSource;
import dev.sotto.app.scoring.ModelSource.FileModel;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where a version of a model is: in a learner's topics, or in a file. A picocli mixin. */
final class VersionSource extends LearnerOptions {
  @Option(
      names = "--model-file",
      paramLabel = "FILE",
      description =
          "The model of this file instead (sotto learn, sotto replay --out, sotto export, or sotto"
              + " snapshot --out); needs no broker.")
  private Path file;

  /** What is current says nothing of a model in a file. */
  @Override
  boolean givesConfiguration(Chosen chosen) {
    return file == null || chosen.byFlag();
  }

  /** The version in the file; empty where it is in topics. */
  Optional<FileModel> inFile() {
    return Optional.ofNullable(file).map(ModelSource::file);
  }

  /** Refuses flags that do not say where the version is. */
  void requireNamed() {
    if (file == null && !isComplete()) {
      throw misused("the model is not named: give --bootstrap-server and --app-id, or"
          + " --model-file, or -c FILE, or make a context (sotto context set --help)");
    }
  }

  /** Says what the guarantee of a version from a file does not cover. */
  static void tellNotes(FileModel read, PrintWriter errors) {
    read.notes().forEach(each -> errors.println("note: " + each));
    errors.flush();
  }
}
