package dev.sotto.app.predict;

import dev.sotto.learner.key.OwnerOnly;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Files that are there whole, or as they were before; links to them stay. */
public final class WholeFile {
  private WholeFile() {}

  /** What is written beside the file, until it takes its place. */
  @FunctionalInterface
  interface Content {
    void write(Path beside) throws IOException;
  }

  /** Replaces a file by bytes. */
  public static void write(Path file, byte[] content) throws IOException {
    write(file, beside -> Files.write(beside, content));
  }

  /** Replaces a file by a text that its owner alone can read. */
  public static void writeForOwner(Path file, String text) throws IOException {
    write(file, beside -> {
      OwnerOnly.create(beside);
      Files.writeString(beside, text);
    });
  }

  static void write(Path file, Content content) throws IOException {
    if (Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file)) {
      into(file, content);
      return;
    }
    Path whole = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath(); // a link stays one
    Path beside = whole.resolveSibling(whole.getFileName() + ".new");
    try {
      content.write(beside);
      Files.move(
          beside, whole, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(beside); // a part of it, where the disk is full
    }
  }

  /** A pipe or a device, as /dev/stdout is, takes what is written, and nothing takes its place. */
  private static void into(Path pipe, Content content) throws IOException {
    Path folder = Files.createTempDirectory("sotto-");
    Path whole = folder.resolve("whole");
    try (OutputStream out = Files.newOutputStream(pipe)) {
      content.write(whole);
      Files.copy(whole, out);
    } finally {
      Files.deleteIfExists(whole);
      Files.delete(folder);
    }
  }
}
