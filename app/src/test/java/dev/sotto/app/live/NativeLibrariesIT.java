package dev.sotto.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.app.command.ExitCode;
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

  /** Asks for the libraries, and ends with the exit code of the failure. */
  static final class Asking {
    public static void main(String[] args) {
      int code = 0;
      try {
        NativeLibraries.require();
      } catch (SottoException missing) {
        System.out.println(missing.getMessage());
        code = ExitCode.of(missing.kind()).code();
      }
      Runtime.getRuntime().halt(code);
    }
  }

  private int ask(Path temporary, Path out) throws Exception {
    Process process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-Djava.io.tmpdir=" + temporary,
            "-cp",
            System.getProperty("java.class.path"),
            Asking.class.getName())
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
      assertThat(ask(disk.folder(), out))
          .isEqualTo(ExitCode.of(FailureKind.STATE_FOLDER).code());
      assertThat(Files.readString(out))
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
