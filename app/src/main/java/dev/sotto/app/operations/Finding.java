package dev.sotto.app.operations;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * One line of a preflight.
 *
 * @param level how bad it is
 * @param subject what was looked at
 * @param found what was found
 * @param needed what is needed; empty where all is well
 * @param fix the command or setting that puts it right; empty where all is well
 */
public record Finding(Level level, String subject, String found, String needed, String fix) {
  /** How bad something is. */
  public enum Level {
    /** All is well. */
    OK,
    /** It will run, but should be looked at; or nobody could tell. */
    WARNING,
    /** It will not run, or not safely. */
    FAULT
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

  Map<String, Object> json(int number) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("number", number);
    json.put("level", level.name());
    json.put("subject", subject);
    json.put("found", found);
    json.put("needed", needed.isEmpty() ? null : needed);
    json.put("fix", fix.isEmpty() ? null : fix);
    return json;
  }
}
