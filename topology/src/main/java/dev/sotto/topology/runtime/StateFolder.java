package dev.sotto.topology.runtime;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The folder of the local stores, and whether it can be written. */
record StateFolder(Path folder) {
  private static final long LEAST_SPACE = 16L << 20;
  private static final int PROBE = 1 << 20;

  /**
   * Makes the folder and checks it before anything is started.
   *
   * @throws SottoException where it cannot be used
   */
  void prepare() {
    try {
      Files.createDirectories(folder);
      probe(folder, 4096);
      long space = Files.getFileStore(folder).getUsableSpace();
      if (space < LEAST_SPACE) {
        throw new IOException(
            "only " + (space >> 20) + " MB are free, " + (LEAST_SPACE >> 20) + " are needed");
      }
    } catch (IOException unusable) {
      throw new SottoException(
          FailureKind.STATE_FOLDER,
          "the state folder " + folder + " cannot be used: " + reason(unusable)
              + "; correct state.dir, its permissions, or free some space",
          unusable);
    }
  }

  /** Why the folder, or one in it, cannot be written now; null where it can. */
  String fault() {
    try (Stream<Path> all = Files.walk(folder)) {
      List<Path> folders = all.filter(Files::isDirectory).toList();
      for (Path each : folders) {
        if (!Files.isWritable(each)) {
          return "permission denied for " + each;
        }
      }
      probe(folder, PROBE);
      return null;
    } catch (UncheckedIOException broken) {
      return reason(broken.getCause());
    } catch (IOException broken) {
      return reason(broken);
    }
  }

  private static void probe(Path folder, int bytes) throws IOException {
    Path probe = Files.createTempFile(folder, "probe", ".tmp");
    try {
      Files.write(probe, new byte[bytes]);
    } finally {
      Files.delete(probe);
    }
  }

  /** Java's own message is often but the path. */
  private static String reason(IOException unusable) {
    if (unusable instanceof FileAlreadyExistsException there) {
      return there.getFile() + " is a file, not a folder";
    }
    if (unusable instanceof AccessDeniedException closed) {
      return "permission denied for " + closed.getFile();
    }
    return unusable.getMessage();
  }
}
