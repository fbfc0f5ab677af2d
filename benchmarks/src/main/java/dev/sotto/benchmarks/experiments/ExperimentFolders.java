package dev.sotto.benchmarks.experiments;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Where things lie on this machine. */
final class ExperimentFolders {
  private ExperimentFolders() {}

  /** The project's folder: {@code sotto.home}, or what lies around the current folder. */
  static Path project() {
    String set = System.getProperty("sotto.home");
    if (set != null) {
      return Path.of(set);
    }
    Path here = Path.of("").toAbsolutePath();
    return Files.exists(here.resolve("examples")) ? here : here.getParent();
  }

  /** The folder of the recorded data sets, beside the project; empty where there is none. */
  static Optional<Path> data() {
    String set = System.getenv("SOTTO_SHARED_DATA");
    Path data = set == null ? project().resolve("../shared/data").normalize() : Path.of(set);
    return Files.exists(data.resolve("schema.json")) ? Optional.of(data) : Optional.empty();
  }
}
