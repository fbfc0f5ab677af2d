package dev.sotto.serdes.event;

import dev.sotto.serdes.text.SpecialBytes;

/** Texts of JSON without escapes, as they stand between their quotes. */
final class PlainText {
  /** Where something is not of the usual form. */
  static final int NO = -1;

  private static final byte QUOTE = '"';
  private static final byte BACKSLASH = '\\';

  private PlainText() {}

  /**
   * The place of the quote that ends a text; {@link #NO} where it has escapes, or is no UTF-8.
   *
   * @param from its first byte
   * @throws ArrayIndexOutOfBoundsException where no quote ends it
   */
  static int end(byte[] json, int from) {
    int at = from;
    while (at != NO) {
      at = SpecialBytes.first(json, at, json.length, QUOTE, BACKSLASH);
      byte each = json[at];
      if (each >= 0) {
        return each == QUOTE ? at : NO;
      }
      at = afterCharacter(json, at);
    }
    return NO;
  }

  /** Passes over a character that is not ASCII: the Unicode standard, chapter 3.9. */
  private static int afterCharacter(byte[] json, int at) {
    int lead = json[at] & 0xFF;
    if (lead < 0xC2 || lead > 0xF4) {
      return NO;
    }
    int low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    int high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    int end = at + (lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4);
    for (int i = at + 1; i < end; i++) {
      int each = json[i] & 0xFF;
      if (each < low || each > high) {
        return NO;
      }
      low = 0x80;
      high = 0xBF;
    }
    return end;
  }
}
