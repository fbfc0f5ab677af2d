package dev.sotto.app.preflight;

import dev.sotto.learner.description.Section;
import java.util.Locale;

/**
 * One line of a preflight.
 *
 * @param level how bad it is
 * @param subject what was looked at
 * @param found what was found
 * @param needed what is needed; empty where all is well
 * @param fix the command or setting that puts it right; empty where all is well
 */
public record PreflightFinding(
    Level level, String subject, String found, String needed, String fix) {
  /** How bad something is. */
  public enum Level {
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

  Section describe(int number) {
    String line = String.format(
        Locale.ROOT,
        "%3d %-8s %s: %s%s%s",
        number,
        level,
        subject,
        found,
        needed.isEmpty() ? "" : "; needed: " + needed,
        fix.isEmpty() ? "" : System.lineSeparator() + " ".repeat(13) + "fix: " + fix);
    return Section.untitled()
        .fact("number", number, line)
        .fact("level", level)
        .fact("subject", subject)
        .fact("found", found)
        .fact("needed", needed.isEmpty() ? null : needed)
        .fact("fix", fix.isEmpty() ? null : fix);
  }
}
