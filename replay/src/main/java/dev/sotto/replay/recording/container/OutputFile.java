package dev.sotto.replay.recording.container;

import dev.sotto.topology.ExitCode;
import dev.sotto.topology.StartFailure;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** The file that is recorded to: for its owner alone, and for one recorder at a time. */
final class OutputFile {
  private OutputFile() {}

  static FileChannel open(Path file, boolean exists) throws IOException {
    return exists
        ? FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)
        : FileChannel.open(
            file,
            Set.of(
                StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
            ownerOnly(file));
  }

  /** Takes a file that was there from all others: a copy may be open to them. */
  static void claim(Path file) throws IOException {
    for (FileAttribute<?> each : ownerOnly(file)) {
      Files.setAttribute(file, each.name(), each.value());
    }
  }

  static void lock(Path file, FileChannel channel) throws IOException {
    try {
      if (channel.tryLock() != null) {
        return;
      }
    } catch (OverlappingFileLockException ours) {
      // Said below.
    }
    throw new StartFailure(
        ExitCode.IN_USE, file + " is being written by another recorder; wait for it, or end it");
  }

  private static FileAttribute<?>[] ownerOnly(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }

  static StartFailure unwritable(Path file, IOException failed) {
    return new StartFailure(
        ExitCode.RECORDING,
        file + " cannot be written: " + failed
            + "; free some space, or name a file in a folder that you can write to. What was recorded is gone on with"
            + " by the same command",
        failed);
  }
}
