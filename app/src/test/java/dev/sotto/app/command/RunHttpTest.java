package dev.sotto.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.app.Main;
import dev.sotto.learner.key.NoiseKey;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunHttpTest {
  @TempDir
  Path folder;

  @Test
  void endsBeforeAnythingElseStartsWhereThePortIsTaken() throws IOException {
    Path key = folder.resolve("key");
    NoiseKey.create(key);
    Path state = folder.resolve("state");
    StringWriter errors = new StringWriter();
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int code = run(errors, key, state, "http.listen=" + taken.getLocalPort());
      assertThat(code).isEqualTo(ExitCode.LISTEN.code());
      assertThat(errors.toString())
          .contains("http.listen 127.0.0.1:" + taken.getLocalPort(), "cannot be listened on");
    }
    assertThat(Files.exists(state)).isFalse();
  }

  @Test
  void endsBeforeAnythingElseStartsWhereThePortOfItsBrokerIsTaken() throws IOException {
    Path key = folder.resolve("key");
    NoiseKey.create(key);
    Path state = folder.resolve("state");
    StringWriter errors = new StringWriter();
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String servers = "localhost:" + taken.getLocalPort();
      assertThat(run(errors, key, state, "bootstrap.servers=" + servers))
          .isEqualTo(ExitCode.LISTEN.code());
      assertThat(errors.toString())
          .contains("bootstrap.servers " + servers, "leave --embedded out", "another port")
          .as("nothing is said of what would run")
          .doesNotContain("health and metrics", "in a browser", "starting a broker");
    }
    assertThat(Files.exists(state)).isFalse();
  }

  /** Kafka's clients would ask for twenty seconds before they say so. */
  @Test
  void saysAtOnceThatNoBrokerAnswersAndNothingOfClosing() throws IOException {
    Path key = folder.resolve("key");
    NoiseKey.create(key);
    StringWriter errors = new StringWriter();
    int code = execute(
        errors,
        key,
        folder.resolve("state"),
        "--set",
        "http.listen=0",
        "--bootstrap-server",
        "127.0.0.1:1");
    assertThat(code).isEqualTo(ExitCode.UNREACHABLE.code());
    assertThat(errors.toString())
        .contains("no broker answered at 127.0.0.1:1", "check bootstrap.servers")
        .doesNotContain("closing", "closed", "learning", "health and metrics");
  }

  private static int run(StringWriter errors, Path key, Path state, String setting) {
    return execute(errors, key, state, "--embedded", "--set", setting);
  }

  private static int execute(StringWriter errors, Path key, Path state, String... more) {
    List<String> all = new ArrayList<>(List.of(more));
    all.addAll(
        0,
        List.of(
            "run",
            "-c",
            Path.of(System.getProperty("basedir", "."), "..", "examples/minimal.yaml")
                .normalize()
                .toString(),
            "--set",
            "noise.key.file=" + key,
            "--set",
            "state.dir=" + state));
    return Main.commandLine().setErr(new PrintWriter(errors)).execute(all.toArray(String[]::new));
  }
}
