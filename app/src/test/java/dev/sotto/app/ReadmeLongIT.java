package dev.sotto.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands in blocks of the README, run as they are printed one after the other, in a folder
 * that looks like a checkout. Its embedded broker listens at localhost:9092.
 */
@Tag("long")
class ReadmeLongIT {
  private static final Path HOME =
      Path.of(System.getProperty("basedir", ".")).toAbsolutePath().resolve("..").normalize();

  @TempDir
  private Path folder;

  private final List<Process> inBackground = new ArrayList<>();
  private int number;

  @AfterEach
  void stop() throws InterruptedException {
    for (Process each : inBackground) {
      each.destroy();
      each.waitFor(60, TimeUnit.SECONDS);
    }
  }

  /** Lines of its blocks that are set in by four blanks, continued ones joined. */
  private static List<String> commands() throws IOException {
    String joined = Files.readString(HOME.resolve("README.md")).replaceAll("\\\\\\R\\s*", "");
    return joined
        .lines()
        .filter(line -> line.matches(" {4}(\\./sotto|echo|python3) .*"))
        .map(ShownCommandsTest::command)
        .toList();
  }

  private Process start(String command) throws IOException {
    ProcessBuilder bash = new ProcessBuilder("bash", "-c", "set -o pipefail; " + command);
    bash.directory(folder.toFile());
    bash.environment().keySet().removeIf(each -> each.startsWith("SOTTO_"));
    bash.environment().put("SOTTO_NO_BUILD", "1");
    bash.environment().put("SOTTO_LOG_DIR", folder.resolve("logs").toString());
    bash.environment().put("HOME", folder.toString());
    File output = output();
    return bash.redirectErrorStream(true).redirectOutput(output).start();
  }

  private File output() {
    return folder.resolve("output-" + number).toFile();
  }

  private String printed() throws IOException {
    return Files.readString(output().toPath());
  }

  private void run(String command) throws Exception {
    number++;
    Process process = start(command);
    assertThat(process.waitFor(5, TimeUnit.MINUTES)).as(command).isTrue();
    assertThat(process.exitValue()).as("%s%n%s", command, printed()).isZero();
  }

  /** One that goes on until it is stopped: the next command runs once it has said that it works. */
  private void background(String command, String working) throws Exception {
    number++;
    Process process = start("exec " + command);
    inBackground.add(process);
    await().atMost(Duration.ofMinutes(2)).until(() -> {
      assertThat(process.isAlive()).as("%s%n%s", command, printed()).isTrue();
      return printed().contains(working);
    });
  }

  @Test
  void itsCommandsDoWhatItSays() throws Exception {
    for (String each : List.of("sotto", "examples", "python", "docs")) {
      Files.createSymbolicLink(folder.resolve(each), HOME.resolve(each));
    }
    int ran = 0;
    for (String command : commands()) {
      ran++;
      if (command.contains("sotto run ") && !command.contains("--check")) {
        background(command, "\nrunning: ");
      } else if (command.contains("sotto score ")) {
        background(command, "");
      } else if (command.contains("sotto ledger ")) {
        await().atMost(Duration.ofMinutes(2)).until(() -> {
          run(command);
          return Pattern.compile("^ +44-45 ", Pattern.MULTILINE)
              .matcher(printed())
              .find();
        });
      } else {
        run(command);
      }
    }
    assertThat(ran).isGreaterThan(5);
  }
}
