package dev.sotto.app.command;

import dev.sotto.app.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;

/** Runs commands in this process, and keeps what the last one printed. */
public abstract class CommandRuns {
  protected final StringWriter out = new StringWriter();
  protected final StringWriter errors = new StringWriter();

  /** Runs a command; its exit code. */
  public int run(String... arguments) {
    out.getBuffer().setLength(0);
    errors.getBuffer().setLength(0);
    return Main.commandLine(Map.of("HOME", "/nonexistent"), arguments)
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(errors))
        .execute(arguments);
  }
}
