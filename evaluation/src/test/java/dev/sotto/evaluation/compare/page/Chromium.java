package dev.sotto.evaluation.compare.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A browser without a window and without a network. */
final class Chromium {
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");

  private final Path program;
  private final Path folder;

  private Chromium(Path program, Path folder) {
    this.program = program;
    this.folder = folder;
  }

  /** The one that is installed; skips the test, and says so, where none is. */
  static Chromium find(Path folder) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .flatMap(each -> NAMES.stream().map(name -> Path.of(each, name)))
        .filter(Files::isExecutable)
        .findFirst()
        .map(program -> new Chromium(program, folder))
        .orElseGet(
            () -> abort("skipped: none of " + NAMES + " is on the PATH, so no page was opened"));
  }

  /** The document after its scripts have run. */
  String dom(Path page) throws IOException, InterruptedException {
    Path out = folder.resolve("dom.html");
    run(out, "--dump-dom", page.toUri().toString());
    return Files.readString(out);
  }

  /** What it looks like, as a PNG file. */
  Path picture(Path page, String... more) throws IOException, InterruptedException {
    Path picture = folder.resolve("page.png");
    List<String> arguments = new ArrayList<>(List.of(more));
    arguments.add("--screenshot=" + picture);
    arguments.add("--hide-scrollbars");
    arguments.add(page.toUri().toString());
    run(folder.resolve("picture.out"), arguments.toArray(String[]::new));
    return picture;
  }

  private void run(Path out, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(
        program.toString(),
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-extensions",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--proxy-server=127.0.0.1:9", // nobody listens there
        "--user-data-dir=" + folder.resolve("profile"),
        "--virtual-time-budget=10000"));
    command.addAll(List.of(arguments));
    Path errors = folder.resolve("chromium.err");
    Process process = new ProcessBuilder(command)
        .redirectOutput(out.toFile())
        .redirectError(errors.toFile())
        .start();
    try {
      assertThat(process.waitFor(2, TimeUnit.MINUTES)).as("the browser ends").isTrue();
      assertThat(process.exitValue()).as(Files.readString(errors)).isZero();
    } finally {
      process.destroyForcibly();
    }
  }
}
