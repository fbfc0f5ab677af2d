package dev.sotto.app.command;

import dev.sotto.app.predict.WholeFile;
import dev.sotto.app.view.ReplayedModels;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The folder into which {@code learn} writes; what is there is replaced where that is said. */
final class LearnFolder {
  private static final Logger LOG = LoggerFactory.getLogger(LearnFolder.class);

  private final Path folder;
  private final Deque<Path> made = new ArrayDeque<>(); // the innermost last
  private boolean madeKey;

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

  /** Makes the folder, and remembers what was there before. */
  void create() {
    madeKey |= !Files.exists(noiseKey());
    for (Path each = folder.toAbsolutePath();
        each != null && !Files.exists(each);
        each = each.getParent()) {
      made.addFirst(each);
    }
    try {
      Files.createDirectories(folder);
    } catch (FileAlreadyExistsException file) {
      throw new SottoException(
          FailureKind.USAGE, folder + " must be a folder, but is a file; name another with --out");
    } catch (IOException unwritable) {
      throw failed(folder, unwritable);
    }
  }

  /** What was made stays, as a model is beside it. */
  void keep() {
    made.clear();
    madeKey = false;
  }

  /**
   * Takes away what was made for a model that there is not: the noise key, under which nothing was
   * published, and folders that are empty then.
   */
  void undo() {
    try {
      if (madeKey) {
        Files.deleteIfExists(noiseKey());
      }
      while (!made.isEmpty()) {
        Files.deleteIfExists(made.removeLast());
      }
    } catch (IOException left) {
      LOG.debug("what was made for no model is left", left); // it is in nobody's way
    }
  }

  void write(String config) {
    try {
      WholeFile.write(config(), config.getBytes(StandardCharsets.UTF_8));
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
