package dev.sotto.serdes.feature;

import java.util.Locale;

/** What a comma means in a text that is to be a number. */
public enum NumberComma {
  /** It makes the text no number. */
  NONE,
  /** It begins the fraction, and points part groups of three digits: 1.234,5. */
  DECIMAL,
  /** It parts groups of three digits: 1,234.5. */
  THOUSANDS;

  /** The name in the configuration. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
