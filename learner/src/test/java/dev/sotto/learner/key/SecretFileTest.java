package dev.sotto.learner.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretFileTest {
  private static final int ROOT = 0;
  private static final int SOMEBODY = 10001;

  @TempDir
  Path folder;

  /** A mounted Kubernetes secret with fsGroup is root's, and its group may read it. */
  @ParameterizedTest
  @CsvSource({
    "r--r-----, 0, 10001, true", // what fsGroup makes of mode 0400
    "rw-r-----, 0, 10001, true",
    "r--------, 10001, 10001, true",
    "r--r-----, 10001, 10001, false", // its owner could have kept it
    "r--r-----, 0, 0, false",
    "r--r-----, 7, 10001, false", // not root's choice
    "r--r--r--, 0, 10001, false",
    "rw-rw----, 0, 10001, false",
    "r-----r--, 0, 10001, false",
    "r--r-----, -1, 10001, false", // nobody knows whose
    "r--r-----, 0, -1, false"
  })
  void admitsTheGroupOfAFileThatRootHandsOver(
      String permissions, int owner, int user, boolean admitted) {
    assertThat(SecretFile.tooOpen(PosixFilePermissions.fromString(permissions), owner, user)
            .isEmpty())
        .isEqualTo(admitted);
  }

  /** Whoever runs this owns the file. */
  @Test
  void refusesAFileOfOursThatItsGroupReads() throws IOException {
    assumeThat(Files.getFileStore(folder).supportsFileAttributeView("posix")).isTrue();
    Path file = Files.writeString(folder.resolve("noise.key"), "secret");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r-----"));
    assertThatThrownBy(() -> SecretFile.read(file, "noise key file", "digits", 100))
        .hasMessageContaining("must be readable by its owner alone")
        .hasMessageContaining("if root owns it and another user runs this")
        .hasMessageContaining("GROUP_READ")
        .hasMessageNotContaining("secret");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--------"));
    assertThat(SecretFile.read(file, "noise key file", "digits", 100)).isEqualTo("secret");
    assertThat(SecretFile.tooOpen(Files.getPosixFilePermissions(file), ROOT, SOMEBODY))
        .isEmpty();
  }

  /** A path without a root is looked for from where the program runs, not beside its setting. */
  @Test
  void saysFromWhereAFileIsMissing() {
    assertThatThrownBy(() -> SecretFile.read(Path.of("a/noise.key"), "noise key file", "", 100))
        .hasMessage("the noise key file a/noise.key does not exist or is not a file, seen from "
            + Path.of("").toAbsolutePath() + ", where this runs");
    Path absent = folder.resolve("noise.key");
    assertThatThrownBy(() -> SecretFile.read(absent, "noise key file", "", 100))
        .hasMessage("the noise key file " + absent + " does not exist or is not a file");
  }
}
