package dev.sotto.topology.runtime;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.rocksdb.StoreFiles;
import dev.sotto.topology.settings.Names;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.streams.processor.TaskId;

/** The folder of the local stores, and whether it can be written. */
record StateFolder(Path folder) {
  private static final long LEAST_SPACE = 16L << 20;
  private static final int PROBE = 1 << 20;
  private static final String MEMBER = "member";
  private static final List<String> STORES =
      List.of(Names.HEADS, Names.LEARNER, Names.UNITS, Names.JOINS);

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

  /**
   * A name in the group, for whoever works on this folder: the same after every restart, as the
   * folder's stores are.
   *
   * @throws SottoException where it cannot be read or written
   */
  String member() {
    Path file = folder.resolve(MEMBER);
    try {
      String found = Files.exists(file) ? Files.readString(file, ISO_8859_1) : "";
      if (!found.chars().allMatch(each -> each == 0 || Character.isWhitespace(each))) {
        return name(found.strip());
      }
      // None yet, or a power cut has emptied it. A new name is safe: tasks wait for the end of the
      // session of the member that was, as they do without names.
      String name = UUID.randomUUID().toString();
      Path whole = Files.createTempFile(folder, MEMBER, ".tmp");
      try (FileChannel out = FileChannel.open(whole, StandardOpenOption.WRITE)) {
        out.write(ByteBuffer.wrap(name.getBytes(ISO_8859_1)));
        out.force(true);
      }
      Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
      sync(folder);
      return name;
    } catch (IOException | IllegalArgumentException unusable) {
      throw new SottoException(
          FailureKind.STATE_FOLDER,
          "the instance's name in the group, in " + file + ", cannot be used: "
              + unusable.getMessage() + "; delete the file, and the next start makes another",
          unusable);
    }
  }

  /** A name as it was written, and not the beginning of one. */
  private static String name(String found) {
    String name = UUID.fromString(found).toString();
    if (!name.equalsIgnoreCase(found)) {
      throw new IllegalArgumentException("it is not whole: " + found);
    }
    return name;
  }

  /** So that a file's name is there after a power cut. */
  private static void sync(Path folder) {
    try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
      names.force(true);
    } catch (IOException notHere) {
      // some systems open no folders: a name that is lost is renewed
    }
  }

  /**
   * Notes that a task's stores may be damaged: whoever opens them next has them restored.
   *
   * @param task whose they are; all that lie here, if it is not known
   */
  void suspect(String app, Optional<TaskId> task) throws IOException {
    Path own = folder.resolve(app);
    if (!Files.isDirectory(own)) {
      return;
    }
    try (Stream<Path> all = Files.list(own)) {
      for (Path each : all.filter(Files::isDirectory).toList()) {
        if (task.isEmpty() || each.endsWith(task.get().toString())) {
          for (String store : STORES) {
            StoreFiles.in(each, store).suspect();
          }
        }
      }
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
