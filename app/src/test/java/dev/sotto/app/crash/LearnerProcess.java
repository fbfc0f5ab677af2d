package dev.sotto.app.crash;

import dev.sotto.testbroker.ChildProcess;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/** One life of a learner, in a process of its own. */
public final class LearnerProcess {
  private final Process process;

  private LearnerProcess(Process process) {
    this.process = process;
  }

  static LearnerProcess start(Properties config, Path folder, String name) throws IOException {
    Path file = folder.resolve(name + ".properties");
    try (Writer writer = Files.newBufferedWriter(file)) {
      config.store(writer, null);
    }
    return launch(folder, name, "-Xmx512m", CrashLearner.class.getName(), file.toString());
  }

  /**
   * Runs a main class of the class path.
   *
   * @param folder for its logs, and for what it prints: the name with {@code .out}
   * @param command options of the JVM, the class and its arguments
   */
  public static LearnerProcess launch(Path folder, String name, String... command)
      throws IOException {
    ProcessBuilder whole = ChildProcess.of(
        "-Dsotto.log.dir=" + folder.resolve("logs"), "-Dlogback.configurationFile=logback.xml");
    whole.command().addAll(List.of(command));
    Path output = folder.resolve(name + ".out");
    return new LearnerProcess(whole
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
        .start());
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  public int exitCode() {
    return process.exitValue();
  }

  /** Waits for its end; whether it came in time. */
  public boolean await(long time, TimeUnit unit) throws InterruptedException {
    return process.waitFor(time, unit);
  }

  /** SIGKILL. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** SIGTERM, and the end of it. */
  public void stop() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      kill();
      throw new IllegalStateException("the learner did not stop within 60 s");
    }
  }

  /** Stands still for a while, so that the group and the transaction give it up; then goes on. */
  public void freeze(long millis) throws IOException, InterruptedException {
    stand();
    Thread.sleep(millis);
    goOn();
  }

  /** SIGSTOP. */
  public void stand() throws IOException, InterruptedException {
    signal("STOP");
  }

  /** SIGCONT. */
  public void goOn() throws IOException, InterruptedException {
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
