package dev.sotto.connectors.model;

import dev.sotto.learner.key.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * A file name for every model id, a different one for each. Letters of ASCII, digits, hyphens and
 * underscores stay, so do dots that are not first; every other byte of the id's UTF-8 becomes a
 * percent sign and two hex digits.
 */
final class FileNames {
  /** File systems take 255 bytes; the ending and that of a temporary file need their share. */
  static final int LONGEST = 200;

  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private FileNames() {}

  /**
   * The name, without an ending; a very long one is cut and ends in a tilde and a hash of the id.
   */
  static String of(String modelId) {
    byte[] bytes = modelId.getBytes(StandardCharsets.UTF_8);
    StringBuilder name = new StringBuilder();
    for (byte each : bytes) {
      if (plain(each) || each == '.' && !name.isEmpty()) {
        name.append((char) each);
      } else {
        name.append('%').append(HEX.toHexDigits(each));
      }
    }
    if (name.isEmpty()) {
      return "%";
    }
    if (name.length() <= LONGEST) {
      return name.toString();
    }
    String hash = HexFormat.of().formatHex(Sha256.sha256(bytes), 0, 16);
    return name.substring(0, LONGEST - hash.length() - 1) + "~" + hash;
  }

  private static boolean plain(byte each) {
    return each >= 'a' && each <= 'z'
        || each >= 'A' && each <= 'Z'
        || each >= '0' && each <= '9'
        || each == '-'
        || each == '_';
  }
}
