package dev.sotto.app.command;

import dev.sotto.app.view.Screen;
import dev.sotto.evaluation.text.TextRenderer;
import dev.sotto.learner.description.Section;
import java.io.PrintWriter;
import picocli.CommandLine.Option;

/** Whether a command prints its answer alone, or all that it has found: a picocli mixin. */
final class DetailOptions {
  @Option(names = "--all", description = "Print all of it, not the answer alone.")
  private boolean all;

  boolean all() {
    return all;
  }

  /** What people read of it. */
  String text(Section section) {
    return TextRenderer.of(section, Screen.output().width(), all);
  }

  void print(Section section, PrintWriter out) {
    out.print(text(section));
    out.flush();
  }
}
