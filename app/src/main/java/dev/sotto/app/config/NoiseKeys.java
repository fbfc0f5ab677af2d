package dev.sotto.app.config;

import dev.sotto.learner.release.NoiseKey;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;

/** Reads the noise key; no message ever repeats a digit of it. */
final class NoiseKeys {
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

  /** The key, or null after a fault. */
  NoiseKey read() {
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
    return file ? fromFile(values.text(FILE)) : fromVariable(values.text(VARIABLE));
  }

  private NoiseKey fromFile(String file) {
    try {
      return NoiseKey.read(Path.of(file));
    } catch (InvalidPathException noPath) {
      faults.must(FILE, "be the path of a file", file);
    } catch (IOException | IllegalArgumentException unusable) {
      faults.add(FILE, "must name a usable key, but: " + unusable.getMessage() + MAKE);
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
