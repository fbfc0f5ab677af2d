package dev.sotto.app.crash;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/** One life of a {@link CrashLearner}. */
final class LearnerProcess {
  private final Process process;

  private LearnerProcess(Process process) {
    this.process = process;
  }

  static LearnerProcess start(Properties config, Path folder, String name) throws IOException {
    Path file = folder.resolve(name + ".properties");
    try (Writer writer = Files.newBufferedWriter(file)) {
      config.store(writer, null);
    }
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command = List.of(
        java,
        "-Xmx512m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-Dsotto.log.dir=" + folder.resolve("logs"),
        "-cp",
        System.getProperty("java.class.path"),
        CrashLearner.class.getName(),
        file.toString());
    Path output = folder.resolve(name + ".out");
    return new LearnerProcess(new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
        .start());
  }

  boolean isAlive() {
    return process.isAlive();
  }

  int exitCode() {
    return process.exitValue();
  }

  /** SIGKILL. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** SIGTERM, and the end of it. */
  void stop() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      kill();
      throw new IllegalStateException("the learner did not stop within 60 s");
    }
  }

  /** Stands still for a while, so that the group and the transaction give it up; then goes on. */
  void freeze(long millis) throws IOException, InterruptedException {
    signal("STOP");
    Thread.sleep(millis);
    signal("CONT");
  }

  private void signal(String name) throws IOException, InterruptedException {
    int code = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
        .start()
        .waitFor();
    if (code != 0) {
      throw new IllegalStateException("kill -" + name + " ended with " + code);
    }
  }
}
