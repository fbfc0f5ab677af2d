package dev.sotto.app.init;

import java.util.HashSet;
import java.util.Set;

/** Names of features: the last name of the field's path where it is free, otherwise all of them. */
final class UniqueFeatureNames {
  private static final int LONGEST = 80;

  private final Set<String> taken = new HashSet<>();

  /** A name that no other field has. */
  String of(SampleField field) {
    String own = field.names().get(field.names().size() - 1);
    String last = own.substring(own.lastIndexOf('.') + 1);
    String name = allowed(last.isBlank() ? own : last);
    if (!taken.contains(name)) {
      taken.add(name);
      return name;
    }
    String whole = allowed(String.join("_", field.names()));
    String free = whole;
    for (int i = 2; !taken.add(free); i++) {
      free = whole + "_" + i;
    }
    return free;
  }

  private static String allowed(String name) {
    String plain = name.replaceAll("[^A-Za-z0-9_]+", "_");
    return plain.length() <= LONGEST ? plain : plain.substring(0, LONGEST);
  }
}
