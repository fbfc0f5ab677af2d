package dev.sotto.app.preflight;

import dev.sotto.learner.description.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One finding of a preflight.
 *
 * @param level how bad it is
 * @param subject what was looked at
 * @param found what was found
 * @param needed what is needed; empty where all is well
 * @param fix the command or setting that puts it right; empty where all is well
 */
public record PreflightFinding(
    Level level, String subject, String found, String needed, String fix) {
  private static final String INDENT = " ".repeat(9);

  /** How bad something is. */
  public enum Level {
    /** Nothing was checked: a figure that follows from the configuration. */
    NOTE,
    /** All is well. */
    OK,
    /** It will run, but should be looked at; or the cluster does not say. */
    WARNING,
    /** It will not run, or not safely. */
    FAULT
  }

  PreflightFinding withFix(String other) {
    return new PreflightFinding(level, subject, found, needed, other);
  }

  /** What people read of it. */
  String[] lines() {
    List<String> lines = new ArrayList<>();
    lines.add(String.format(Locale.ROOT, "%-8s %s: %s", level, subject, found));
    if (!needed.isEmpty()) {
      lines.add(INDENT + "needed: " + needed);
    }
    if (!fix.isEmpty()) {
      lines.add(INDENT + "fix: " + fix);
    }
    return lines.toArray(String[]::new);
  }

  /** What programs get of it. */
  Section describe(int number) {
    return Section.untitled()
        .fact("number", number)
        .fact("level", level)
        .fact("subject", subject)
        .fact("found", found)
        .fact("needed", needed.isEmpty() ? null : needed)
        .fact("fix", fix.isEmpty() ? null : fix);
  }
}
