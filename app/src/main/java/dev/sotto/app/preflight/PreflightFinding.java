package dev.sotto.app.preflight;

import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import dev.sotto.app.view.Json;
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
    Level level,
    String subject,
    String found,
    @JsonSerialize(using = Json.EmptyAsNull.class) String needed,
    @JsonSerialize(using = Json.EmptyAsNull.class) String fix) {
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

  String line(int number) {
    return String.format(
        Locale.ROOT,
        "%3d %-8s %s: %s%s%s",
        number,
        level,
        subject,
        found,
        needed.isEmpty() ? "" : "; needed: " + needed,
        fix.isEmpty() ? "" : System.lineSeparator() + " ".repeat(13) + "fix: " + fix);
  }
}
