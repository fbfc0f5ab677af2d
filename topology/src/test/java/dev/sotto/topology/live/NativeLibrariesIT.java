package dev.sotto.topology.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.testbroker.ChildProcess;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.runtime.NativeLibraries;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process whose temporary folder may run nothing says so before a learner starts. */
class NativeLibrariesIT {
  @TempDir
  Path folder;

  /** Asks for the libraries, and says what kind of failure it is. */
  static final class Asking {
    public static void main(String[] args) {
      int code = 0;
      try {
        NativeLibraries.require();
      } catch (SottoException missing) {
        System.out.println(missing.kind() + " " + missing.getMessage());
        code = 1;
      }
      Runtime.getRuntime().halt(code);
    }
  }

  private int ask(Path temporary, Path out) throws Exception {
    Process process = ChildProcess.of("-Djava.io.tmpdir=" + temporary, Asking.class.getName())
        .redirectErrorStream(true)
        .redirectOutput(out.toFile())
        .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  @Test
  void saysThatTheTemporaryFolderMustBeExecutable() throws Exception {
    Path out = folder.resolve("out");
    try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), "size=100m,noexec")) {
      assertThat(ask(disk.folder(), out)).isEqualTo(1);
      assertThat(Files.readString(out))
          .startsWith(FailureKind.STATE_FOLDER + " ")
          .contains("RocksDB", disk.folder().toString(), "executable", "java.io.tmpdir");
    }
  }

  @Test
  void saysNothingWhereTheyAreThere() throws Exception {
    Path out = folder.resolve("out");
    assertThat(ask(folder, out)).isZero();
    assertThat(out).isEmptyFile();
  }
}
