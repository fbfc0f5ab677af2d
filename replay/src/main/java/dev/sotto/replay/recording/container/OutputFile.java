package dev.sotto.replay.recording.container;

import dev.sotto.learner.key.OwnerOnly;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.failure.TransientException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;

/** The file that is written: for its owner alone, and for one recorder at a time. */
final class OutputFile {
  private OutputFile() {}

  static FileChannel open(Path file, boolean exists) throws IOException {
    return exists
        ? FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)
        : FileChannel.open(
            file,
            Set.of(
                StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
            OwnerOnly.attributes(file));
  }

  /** Restricts an existing file to its owner: a copy may be readable by others. */
  static void restrict(Path file) throws IOException {
    for (FileAttribute<?> each : OwnerOnly.attributes(file)) {
      Files.setAttribute(file, each.name(), each.value());
    }
  }

  static FileLock lock(Path file, FileChannel channel) throws IOException {
    FileLock lock = null;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException lockedInThisProcess) {
      // As if another process had it.
    }
    if (lock == null) {
      throw new TransientException(
          FailureKind.IN_USE,
          file + " is being written by another recorder; wait for it, or end it");
    }
    return lock;
  }

  static SottoException unwritable(Path file, IOException failed) {
    return new SottoException(
        FailureKind.RECORDING,
        file + " cannot be written: " + failed
            + "; free some space, or name a file in a folder that you can write to. The same"
            + " command"
            + " continues what was recorded",
        failed);
  }
}
