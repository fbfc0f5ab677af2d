package dev.sotto.app.init;

import java.util.function.Predicate;
import java.util.regex.Pattern;

/** What texts look like that are read as no number, but may be meant as one, or as a date. */
final class TextLook {
  private static final int LONGEST = 40;

  /** A number with a sign of money or percent, a unit, brackets, groups of digits, unseen marks. */
  private static final Predicate<String> DECORATED = Pattern.compile(
          "[-+(\\p{Sc}\\p{Cf}\u2212<>~\\s\u00a0]*+"
              + "(?:\\p{Nd}{1,3}(?:[ \u00a0\u202f\u2009'\u2019_]\\p{Nd}{3})+"
              + "|\\p{Nd}+(?:,\\p{Nd}{2,3})*)"
              + "(?:[.,]\\p{Nd}+)?"
              + "[\\s\u00a0\u202f]*[-%\u2030\\p{Sc}\u00b0)]*\\s?\\p{L}{0,3}[\u00b2\u00b3]?"
              + "\\p{Cf}*")
      .asMatchPredicate();

  private static final Predicate<String> DATE = Pattern.compile(
          "(?:\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}|\\d{1,2}[-/.]\\d{1,2}[-/.]\\d{4})(?:[T ,].*)?")
      .asMatchPredicate();

  private long numbers;
  private long dates;

  /** Adds a text that is no number. */
  void add(String text) {
    if (text.length() <= LONGEST && text.chars().anyMatch(Character::isDigit)) {
      dates += DATE.test(text) ? 1 : 0;
      numbers += DECORATED.test(text) ? 1 : 0;
    }
  }

  /** The same as another one. */
  void addAll(TextLook other) {
    numbers += other.numbers;
    dates += other.dates;
  }

  /** How many may be meant as numbers. */
  long numbers() {
    return numbers;
  }

  /** How many may be meant as dates. */
  long dates() {
    return dates;
  }
}
