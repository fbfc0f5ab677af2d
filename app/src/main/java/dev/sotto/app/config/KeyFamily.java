package dev.sotto.app.config;

/**
 * Keys that share a beginning and an end around a free name, which may have dots in it.
 *
 * @param text the whole with its placeholder
 * @param head what stands before the name, with its dot
 * @param tail what stands behind the name, with its dot, or nothing
 */
record KeyFamily(String text, String head, String tail) {
  static KeyFamily of(String text, String placeholder) {
    int at = text.indexOf(placeholder);
    return new KeyFamily(text, text.substring(0, at), text.substring(at + placeholder.length()));
  }

  /** The free name in a key of this family; null where it is not of this family. */
  String free(String key) {
    boolean fits =
        key.startsWith(head) && key.endsWith(tail) && key.length() > head.length() + tail.length();
    return fits ? key.substring(head.length(), key.length() - tail.length()) : null;
  }

  /** The key with this free name. */
  String key(String name) {
    return head + name + tail;
  }
}
