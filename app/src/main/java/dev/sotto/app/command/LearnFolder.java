package dev.sotto.app.command;

import dev.sotto.app.view.ReplayedModels;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The folder into which {@code learn} writes; what is there is replaced where that is said. */
final class LearnFolder {
  private final Path folder;

  private LearnFolder(Path folder) {
    this.folder = folder;
  }

  /** A named one; null for the one beside a file, or around a configuration that is given. */
  static LearnFolder of(Path named, Path file, Path config) {
    if (named != null) {
      return new LearnFolder(named);
    }
    if (config != null) {
      return new LearnFolder(config.getParent() == null ? Path.of("") : config.getParent());
    }
    return new LearnFolder(file.resolveSibling(shortName(file) + "-sotto"));
  }

  /** The name of a file up to its first dot. */
  static String shortName(Path file) {
    return file.getFileName().toString().split("\\.", 2)[0];
  }

  Path config() {
    return folder.resolve("sotto.yaml");
  }

  Path noiseKey() {
    return folder.resolve("noise.key");
  }

  Path model() {
    return ReplayedModels.file(folder);
  }

  Path path() {
    return folder;
  }

  /**
   * Refuses to replace what is there.
   *
   * @param writesConfig whether a configuration is to be written too
   */
  void requireNew(boolean writesConfig) {
    List<Path> all = writesConfig ? List.of(model(), config()) : List.of(model());
    for (Path each : all) {
      if (Files.exists(each)) {
        throw new SottoException(
            FailureKind.USAGE,
            each
                + " must be a new file, but exists; name another folder with --out, replace it with"
                + " --force"
                + (each.equals(config()) ? ", or learn under it with -c " + each : ""));
      }
    }
  }

  void create() {
    try {
      Files.createDirectories(folder);
    } catch (IOException unwritable) {
      throw failed(folder, unwritable);
    }
  }

  void write(String config) {
    try {
      Files.writeString(config(), config);
    } catch (IOException unwritable) {
      throw failed(config(), unwritable);
    }
  }

  private static SottoException failed(Path path, IOException unwritable) {
    return new SottoException(
        FailureKind.USAGE,
        path + " could not be written: " + unwritable
            + "; name a folder that you can write to with --out",
        unwritable);
  }
}
