package dev.sotto.testbroker;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How a test starts a process of its own class path: as little compiled and verified as the tests
 * themselves, since it lives for seconds.
 */
public final class ChildProcess {
  private static final List<String> OPTIONS = List.of(
      "-XX:+UseSerialGC",
      "-XX:TieredStopAtLevel=1",
      "-XX:+UnlockDiagnosticVMOptions",
      "-XX:-BytecodeVerificationRemote");

  private ChildProcess() {}

  /** A command line: further options of the JVM, then the main class and its arguments. */
  public static ProcessBuilder of(String... more) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(OPTIONS);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(more));
    return new ProcessBuilder(command);
  }
}
