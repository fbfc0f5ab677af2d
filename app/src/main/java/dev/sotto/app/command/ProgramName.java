package dev.sotto.app.command;

import java.util.Collection;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name by which this program was called, for commands that are shown to be typed: the launcher
 * hands it down in the system property {@value #PROPERTY}.
 */
public final class ProgramName {
  /** The system property with the name; without it the name is {@value #USUAL}. */
  static final String PROPERTY = "sotto.command";

  private static final String USUAL = "sotto";

  private ProgramName() {}

  /** The name, quoted for a shell where that is needed. */
  public static String called() {
    return quoted(System.getProperty(PROPERTY, USUAL));
  }

  /** A text with blanks or signs of the shell in quotes. */
  static String quoted(String text) {
    return text.matches("[A-Za-z0-9_./@:+=,-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
  }

  /**
   * A text whose commands of this program have the name by which it was called.
   *
   * @param commands the names of all commands
   */
  public static String in(String text, Collection<String> commands) {
    return Pattern.compile("(?<![\\w./-])(\\./)?sotto(?= (" + String.join("|", commands) + ")\\b)")
        .matcher(text)
        .replaceAll(Matcher.quoteReplacement(called()));
  }
}
