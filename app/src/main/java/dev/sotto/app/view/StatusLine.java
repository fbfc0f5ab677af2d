package dev.sotto.app.view;

import java.io.PrintWriter;
import java.util.List;

/**
 * The last line of a terminal, drawn again in place, with lines above it that stay. Elsewhere there
 * are only those lines. Safe for use by several threads.
 */
public final class StatusLine implements AutoCloseable {
  private final PrintWriter out;
  private final Screen screen;
  private String shown = "";
  private boolean closed;

  /** Lines on a stream that goes to this screen. */
  public StatusLine(PrintWriter out, Screen screen) {
    this.out = out;
    this.screen = screen;
  }

  /** Prints a line that stays. */
  public synchronized void print(String line) {
    clear();
    out.println(line);
    out.print(shown);
    out.flush();
  }

  /**
   * Draws the last line anew.
   *
   * @param forms of what it is to say, longest first; the first is taken that fits, else as much of
   *     the last one as does
   */
  public synchronized void show(List<String> forms) {
    if (closed || !screen.isTerminal()) {
      return;
    }
    int width = Math.max(1, screen.width() - 1); // in the last column terminals begin a line
    String fits = forms.stream()
        .filter(each -> each.length() <= width)
        .findFirst()
        .orElseGet(() -> forms.get(forms.size() - 1).substring(0, width));
    if (!fits.equals(shown)) {
      clear();
      shown = fits;
      out.print(shown);
      out.flush();
    }
  }

  /** All of the row: a key that was pressed may stand in it. */
  private void clear() {
    if (!shown.isEmpty()) {
      out.print("\r" + " ".repeat(Math.max(0, screen.width() - 1)) + "\r");
    }
  }

  /** Takes the last line away. */
  @Override
  public synchronized void close() {
    clear();
    shown = "";
    closed = true;
    out.flush();
  }
}
