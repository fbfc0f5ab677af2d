package dev.sotto.app.predict;

import dev.sotto.learner.key.OwnerOnly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Files that are there whole, or as they were before. */
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
    Path whole = file.toAbsolutePath();
    Path beside = whole.resolveSibling(whole.getFileName() + ".new");
    try {
      content.write(beside);
      Files.move(
          beside, whole, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(beside); // a part of it, where the disk is full
    }
  }
}
