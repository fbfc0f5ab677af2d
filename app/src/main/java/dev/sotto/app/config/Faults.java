package dev.sotto.app.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects what is wrong, and remembers which keys cannot be trusted. */
final class Faults {
  private final List<Fault> all = new ArrayList<>();
  private final Set<String> keys = new HashSet<>();
  private final Map<String, Setting> given;

  /** Faults of given settings, whose origins are told along. */
  Faults(Map<String, Setting> given) {
    this.given = given;
  }

  /** "key rule", with where the key was given. */
  void add(String key, String rule) {
    Setting setting = given.get(key);
    all.add(
        new Fault(key, key + " " + rule + (setting == null ? "" : " (" + setting.origin() + ")")));
    keys.add(key);
  }

  /** "key must be rule, but was value", with where the key was given. */
  void must(String key, String rule, Object value) {
    add(key, "must " + rule + ", but was " + Secrets.shown(key, value));
  }

  /** A whole sentence that begins with a key. */
  void sentence(String sentence) {
    int end = sentence.indexOf(' ');
    add(sentence.substring(0, end), sentence.substring(end + 1));
  }

  /** A fault of something that is no key. */
  void elsewhere(String name, String message) {
    all.add(new Fault(name, message));
    keys.add(name);
  }

  boolean touch(String key) {
    return keys.contains(key);
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  List<Fault> all() {
    return all;
  }
}
