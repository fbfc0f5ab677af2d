package dev.sotto.app.preflight;

import dev.sotto.config.SottoConfig;
import dev.sotto.topology.settings.ApplicationKeys;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Whether the local state can be written, and no other instance writes it. */
public final class StateFolderCheck {
  private static final long LEAST = 16L << 20;
  private static final long COMFORTABLE = 1L << 30;
  private static final String SUBJECT = ApplicationKeys.STATE_DIR.name();

  private StateFolderCheck() {}

  static void run(SottoConfig config, PreflightFindings findings) {
    Path folder = config.service().stateFolder().toAbsolutePath().normalize();
    Path existing = folder;
    while (existing != null && !Files.exists(existing)) {
      existing = existing.getParent();
    }
    if (existing == null || !Files.isDirectory(existing) || !Files.isWritable(existing)) {
      String why = existing == null || Files.isDirectory(existing)
          ? existing + " cannot be written"
          : existing + " is a file";
      findings.fault(
          SUBJECT,
          folder + ": " + why,
          "a folder that can be written",
          "correct state.dir, or the folder's permissions");
      return;
    }
    space(folder, existing, findings);
    Path own = folder.resolve(config.learner().app());
    if (isLocked(own)) {
      findings.warning(
          SUBJECT,
          own + " is in use by an instance on this machine",
          "a folder of its own for each instance",
          "stop that instance before another starts here, or give the other its own state.dir");
    }
  }

  private static void space(Path folder, Path existing, PreflightFindings findings) {
    long space;
    try {
      space = Files.getFileStore(existing).getUsableSpace();
    } catch (IOException unknown) {
      findings.warning(
          SUBJECT, folder + ": its free space is unknown (" + unknown + ")", "", "look yourself");
      return;
    }
    String found = folder + ": " + (space >> 20) + " MiB free";
    if (space < LEAST) {
      findings.fault(
          SUBJECT,
          found,
          (LEAST >> 20) + " MiB at the very least",
          "free some space, or move state.dir");
    } else if (space < COMFORTABLE) {
      findings.warning(
          SUBJECT,
          found,
          (COMFORTABLE >> 20) + " MiB are comfortable",
          "free some space, or move state.dir");
    } else {
      findings.ok(SUBJECT, found + ", can be written");
    }
  }

  /** Whether an instance holds Streams' own lock on its folder. */
  public static boolean isLocked(Path own) {
    Path file = own.resolve(".lock");
    if (!Files.exists(file)) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      return lock == null;
    } catch (OverlappingFileLockException ours) {
      return true;
    } catch (IOException unreadable) {
      return false; // another check says so
    }
  }
}
