package dev.sotto.learner.key;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Files that their owner alone can read, from before there is anything in them. */
public final class OwnerOnly {
  private OwnerOnly() {}

  /** Makes an empty one in the place of whatever is there. */
  public static void create(Path file) throws IOException {
    Files.deleteIfExists(file);
    Files.createFile(file, attributes(file));
  }

  /** What such a file is made with; nothing where the system knows no permissions. */
  public static FileAttribute<?>[] attributes(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }
}
