package dev.sotto.app.config;

import dev.sotto.learner.release.NoiseKey;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Reads the noise key; no message ever repeats a digit of it. */
final class NoiseKeys {
  static final String PREVIOUS = "noise.key.previous.files";

  private static final String FILE = "noise.key.file";
  private static final String VARIABLE = "noise.key.env";
  private static final String MAKE = "; make a new key with: sotto key FILE";

  private final Values values;
  private final Faults faults;
  private final Map<String, String> environment;

  NoiseKeys(Values values, Faults faults, Map<String, String> environment) {
    this.values = values;
    this.faults = faults;
    this.environment = environment;
  }

  /** The key in force with the earlier ones, or null after a fault. */
  NoiseKey read() {
    NoiseKey key = inForce();
    if (!values.given(PREVIOUS)) {
      return key;
    }
    List<NoiseKey> earlier = values.has(PREVIOUS)
        ? values.list(PREVIOUS).stream().map(file -> fromFile(PREVIOUS, file)).toList()
        : null;
    if (key == null || earlier == null || earlier.contains(null)) {
      return null;
    }
    for (NoiseKey each : earlier) {
      if (each.id().equals(key.id())) {
        faults.add(
            PREVIOUS, "must list other keys than the one in force, but has " + key.id() + " too");
        return null;
      }
    }
    return key.withEarlier(earlier);
  }

  private NoiseKey inForce() {
    boolean file = values.given(FILE);
    boolean variable = values.given(VARIABLE);
    if (file && variable) {
      faults.add(VARIABLE, "must be absent where " + FILE + " is given, but both are; remove one");
      return null;
    }
    if (!file && !variable) {
      faults.add(
          FILE, "must be given, or " + VARIABLE + ": all noise follows from that key" + MAKE);
      return null;
    }
    if (!values.has(file ? FILE : VARIABLE)) {
      return null;
    }
    return file ? fromFile(FILE, values.text(FILE)) : fromVariable(values.text(VARIABLE));
  }

  private NoiseKey fromFile(String key, String file) {
    try {
      return NoiseKey.read(Path.of(file));
    } catch (InvalidPathException noPath) {
      faults.must(key, "be the path of a file", file);
    } catch (IOException | IllegalArgumentException unusable) {
      faults.add(key, "must name a usable key, but: " + unusable.getMessage() + MAKE);
    }
    return null;
  }

  private NoiseKey fromVariable(String variable) {
    String digits = environment.get(variable);
    if (digits == null || digits.isBlank()) {
      faults.add(VARIABLE, "must name a variable with the key, but " + variable + " is not set");
      return null;
    }
    try {
      return NoiseKey.ofHex(digits);
    } catch (IllegalArgumentException unusable) {
      faults.add(
          VARIABLE,
          "must name a variable with a usable key, but " + variable + ": " + unusable.getMessage());
      return null;
    }
  }
}
