package dev.sotto.learner.key;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;

/**
 * A small text file with a secret, for its owner's eyes alone. A file that root owns may be read by
 * its group too: so orchestrators hand secrets to processes that are not root, and who is in that
 * group is root's choice.
 */
public final class SecretFile {
  private static final Set<PosixFilePermission> OTHERS = EnumSet.of(
      PosixFilePermission.GROUP_READ, PosixFilePermission.GROUP_WRITE,
      PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_WRITE);

  private static final Path THIS_PROCESS = Path.of("/proc/self"); // owned by who runs it
  private static final int ROOT = 0;

  private SecretFile() {}

  /**
   * The text of a file.
   *
   * @param what the kind of file, for messages: "noise key file"
   * @param holds what it must hold, for messages
   * @param mostBytes the longest such a file can be
   * @throws IOException where there is no such file, others than {@link #tooOpen} admits can read
   *     or write it, or it is longer; no message repeats what it holds
   */
  public static String read(Path file, String what, String holds, long mostBytes)
      throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new IOException("the " + what + " " + file + " does not exist or is not a file"
          + (file.isAbsolute()
              ? ""
              : ", seen from " + Path.of("").toAbsolutePath() + ", where this runs"));
    }
    if (Files.getFileStore(file).supportsFileAttributeView("posix")) {
      Set<PosixFilePermission> others =
          tooOpen(Files.getPosixFilePermissions(file), owner(file), owner(THIS_PROCESS));
      if (!others.isEmpty()) {
        throw new IOException("the " + what + " " + file
            + " must be readable by its owner alone, or also by its group if root owns it and"
            + " another user runs this, but allows " + others + "; chmod 600 it");
      }
    }
    if (Files.size(file) > mostBytes) {
      throw new IOException("the " + what + " " + file + " must hold " + holds + ", but is longer");
    }
    return Files.readString(file, StandardCharsets.US_ASCII);
  }

  /**
   * What a file's permissions allow to others than they may.
   *
   * @param owner the file's, by number; negative where that is not known
   * @param user who runs this, likewise
   */
  static Set<PosixFilePermission> tooOpen(
      Set<PosixFilePermission> permissions, int owner, int user) {
    Set<PosixFilePermission> others = new HashSet<>(permissions);
    others.retainAll(OTHERS);
    if (owner == ROOT && user > ROOT) {
      others.remove(PosixFilePermission.GROUP_READ);
    }
    return others;
  }

  /** The number of a file's owner; negative where the system has no such numbers. */
  private static int owner(Path file) throws IOException {
    return Files.exists(file) && Files.getFileStore(file).supportsFileAttributeView("unix")
        ? (Integer) Files.getAttribute(file, "unix:uid")
        : -1;
  }

  /** Writes a new file that only its owner can read; one that exists is not overwritten. */
  public static void create(Path file, String text) throws IOException {
    Files.createFile(file, OwnerOnly.attributes(file));
    boolean written = false;
    try {
      write(file, text);
      written = true;
    } finally {
      if (!written) {
        Files.deleteIfExists(file); // where the disk is full: half a secret is none
      }
    }
  }

  /**
   * Puts another text in the place of a file's own: after a crash the file holds the one or the
   * other.
   */
  public static void replace(Path file, String text) throws IOException {
    Path target = file.toRealPath();
    Path fresh =
        Files.createTempFile(target.getParent(), ".key", ".tmp", OwnerOnly.attributes(target));
    try {
      write(fresh, text);
      Files.move(
          fresh, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  /** Down to the disk: what is encrypted next must not outlive its key. */
  private static void write(Path file, String text) throws IOException {
    Files.writeString(
        file, text, StandardCharsets.US_ASCII, StandardOpenOption.WRITE, StandardOpenOption.SYNC);
  }
}
