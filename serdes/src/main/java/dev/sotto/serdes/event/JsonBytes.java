package dev.sotto.serdes.event;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Passes over JSON without building anything of it: however deep or long it is, it costs no memory.
 */
final class JsonBytes {
  private final byte[] bytes;
  private int at;

  JsonBytes(byte[] bytes) {
    this.bytes = bytes;
  }

  int position() {
    return at;
  }

  /** The next byte behind blanks, or -1. */
  int peek() {
    while (at < bytes.length
        && (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == '\n' || bytes[at] == '\r')) {
      at++;
    }
    return at < bytes.length ? bytes[at] : -1;
  }

  /** Takes the next byte behind blanks where it is this one. */
  boolean take(char wanted) {
    if (peek() != wanted) {
      return false;
    }
    at++;
    return true;
  }

  /** Where the text that comes next begins, behind its quote. */
  int textBegins() {
    peek();
    return at + 1;
  }

  /** Passes over a text; where it ends, before its quote, or -1 where none is there. */
  int skipText() {
    if (!take('"')) {
      return -1;
    }
    for (; at < bytes.length; at++) {
      if (bytes[at] == '\\') {
        at++;
      } else if (bytes[at] == '"') {
        return at++;
      }
    }
    return -1;
  }

  /** Passes over a value of any kind; whether it was there whole. */
  boolean skipValue() {
    int first = peek();
    if (first == '"') {
      return skipText() >= 0;
    }
    return first == '{' || first == '[' ? skipNested() : skipWord();
  }

  private boolean skipNested() {
    int depth = 0;
    while (at < bytes.length) {
      byte next = bytes[at];
      if (next == '"') {
        if (skipText() < 0) {
          return false;
        }
        continue;
      }
      at++;
      if (next == '{' || next == '[') {
        depth++;
      } else if ((next == '}' || next == ']') && --depth == 0) {
        return true;
      }
    }
    return false;
  }

  private boolean skipWord() {
    int from = at;
    while (at < bytes.length && ",:}] \t\r\n\"{[".indexOf(bytes[at]) < 0) {
      at++;
    }
    return at > from;
  }

  /** Whether the text between two places is a name. */
  boolean isText(int from, int to, byte[] name) {
    if (Arrays.equals(bytes, from, to, name, 0, name.length)) {
      return true;
    }
    return hasEscape(from, to) && new String(name, StandardCharsets.UTF_8).equals(text(from, to));
  }

  /**
   * A value between two places as text; null unless it is a text with content or a whole number.
   */
  String idText(int from, int to) {
    if (bytes[from] != '"') {
      String word = new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
      return word.matches("-?(0|[1-9][0-9]*)") ? word : null;
    }
    String text = text(from + 1, to - 1);
    return text == null || text.isEmpty() ? null : text;
  }

  private boolean hasEscape(int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] == '\\') {
        return true;
      }
    }
    return false;
  }

  /** Null where it is no text of JSON, or has no form in UTF-8. */
  private String text(int from, int to) {
    try {
      String raw = StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .decode(ByteBuffer.wrap(bytes, from, to - from))
          .toString();
      if (raw.chars().anyMatch(each -> each < ' ')) {
        return null;
      }
      String text = raw.indexOf('\\') < 0 ? raw : unescaped(raw);
      return text == null || !StandardCharsets.UTF_8.newEncoder().canEncode(text) ? null : text;
    } catch (CharacterCodingException broken) {
      return null;
    }
  }

  private static String unescaped(String raw) {
    StringBuilder text = new StringBuilder(raw.length());
    for (int i = 0; i < raw.length(); i++) {
      char next = raw.charAt(i);
      if (next != '\\') {
        text.append(next);
        continue;
      }
      char escape = raw.charAt(++i);
      int plain = "\"\\/bfnrt".indexOf(escape);
      if (plain >= 0) {
        text.append("\"\\/\b\f\n\r\t".charAt(plain));
      } else if (escape == 'u' && i + 4 < raw.length()) {
        int code = 0;
        for (int end = i + 4; i < end; ) {
          int digit = Character.digit(raw.charAt(++i), 16);
          if (digit < 0) {
            return null;
          }
          code = 16 * code + digit;
        }
        text.append((char) code);
      } else {
        return null;
      }
    }
    return text.toString();
  }
}
