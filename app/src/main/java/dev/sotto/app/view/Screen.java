package dev.sotto.app.view;

import dev.sotto.evaluation.text.TextRenderer;
import java.io.IOException;
import java.util.Map;
import java.util.function.IntSupplier;
import org.jline.terminal.spi.SystemStream;
import org.jline.terminal.spi.TerminalProvider;

/** Where a standard stream goes: to a terminal and of which width, or elsewhere. */
public final class Screen {
  private static final int USUAL = 80;

  private final boolean terminal;
  private final IntSupplier columns;

  private Screen(boolean terminal, IntSupplier columns) {
    this.terminal = terminal;
    this.columns = columns;
  }

  /** Standard error. */
  public static Screen errors() {
    return errors(System.getenv());
  }

  static Screen errors(Map<String, String> environment) {
    return of(SystemStream.Error, environment);
  }

  /** Standard output. */
  public static Screen output() {
    return System.console() == null ? none() : of(SystemStream.Output, System.getenv());
  }

  /** No terminal: a file, a pipe. */
  public static Screen none() {
    return new Screen(false, () -> TextRenderer.WIDTH);
  }

  /** A terminal of this width. */
  public static Screen terminal(IntSupplier columns) {
    return new Screen(true, columns);
  }

  private static Screen of(SystemStream stream, Map<String, String> environment) {
    String type = environment.getOrDefault("TERM", "");
    if (type.isEmpty() || type.equals("dumb")) {
      return none(); // nothing can be drawn twice there
    }
    for (String name : new String[] {"jni", "exec"}) {
      try {
        TerminalProvider provider = TerminalProvider.load(name);
        return provider.isSystemStream(stream)
            ? terminal(() -> provider.systemStreamWidth(stream))
            : none();
      } catch (IOException | RuntimeException | LinkageError missing) {
        continue; // no native library for this machine: the next asks tty and stty
      }
    }
    return none();
  }

  /** Whether lines can be drawn again in place. */
  public boolean isTerminal() {
    return terminal;
  }

  /** Columns of a line as of now. */
  public int width() {
    int now = columns.getAsInt();
    return now > 0 ? now : USUAL;
  }
}
