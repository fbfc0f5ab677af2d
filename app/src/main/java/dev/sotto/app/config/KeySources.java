package dev.sotto.app.config;

import dev.sotto.learner.release.NoiseKey;
import dev.sotto.topology.encryption.Encryption;
import dev.sotto.topology.encryption.Keyset;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads keys from the files or variables that are named; no message ever repeats a part of one. */
final class KeySources {
  static final String PREVIOUS = "noise.key.previous.files";

  private static final String NOISE = "noise.key";
  private static final String ENCRYPTION = "encryption.key";
  private static final String FILE = ".file";
  private static final String VARIABLE = ".env";
  private static final String MAKE = "; make a new key with: sotto key FILE";
  private static final String MAKE_KEYSET = "; make a new key with: sotto key --encryption FILE";

  private final Values values;
  private final Faults faults;
  private final Map<String, String> environment;

  KeySources(Values values, Faults faults, Map<String, String> environment) {
    this.values = values;
    this.faults = faults;
    this.environment = environment;
  }

  /** The variables that hold keys, so far as they are named. */
  static Set<String> variables(Values values) {
    return Stream.of(NOISE + VARIABLE, ENCRYPTION + VARIABLE)
        .filter(values::has)
        .map(values::text)
        .collect(Collectors.toSet());
  }

  /** Whether a setting names a key, so that it might be one by mistake. */
  static boolean namesAKey(String setting) {
    return setting.startsWith(NOISE + ".") || setting.startsWith(ENCRYPTION + ".");
  }

  /** The noise key with the earlier ones, or null after a fault. */
  NoiseKey noiseKey() {
    if (!values.given(NOISE + FILE) && !values.given(NOISE + VARIABLE)) {
      faults.add(
          NOISE + FILE,
          "must be given, or " + NOISE + VARIABLE + ": all noise follows from that key" + MAKE);
      return null;
    }
    NoiseKey key = read(NOISE, MAKE, NoiseKey::read, NoiseKey::ofHex);
    if (key != null && ThrowawayKey.is(key)) {
      faults.add(
          values.given(NOISE + FILE) ? NOISE + FILE : NOISE + VARIABLE,
          "must name a secret, but " + key.id() + " is the key of tests, which everybody knows"
              + MAKE);
      return null;
    }
    return values.given(PREVIOUS) ? withEarlier(key) : key;
  }

  /** The key in force beside those that were before. */
  private NoiseKey withEarlier(NoiseKey key) {
    if (!values.has(PREVIOUS)) {
      return null;
    }
    List<NoiseKey> earlier = new ArrayList<>();
    for (String file : values.list(PREVIOUS)) {
      earlier.add(fromFile(PREVIOUS, file, MAKE, NoiseKey::read));
    }
    if (key == null || earlier.contains(null)) {
      return null;
    }
    if (earlier.stream().anyMatch(each -> each.id().equals(key.id()))) {
      faults.add(
          PREVIOUS, "must list other keys than the one in force, but has " + key.id() + " too");
      return null;
    }
    return key.withEarlier(earlier);
  }

  /** The encryption at rest, which is none where no key is given; null after a fault. */
  Encryption encryption() {
    return values.given(ENCRYPTION + FILE) || values.given(ENCRYPTION + VARIABLE)
        ? read(ENCRYPTION, MAKE_KEYSET, Keyset::read, Keyset::ofJson)
        : Encryption.none();
  }

  private <K> K read(String name, String make, FileReader<K> reader, Function<String, K> parser) {
    String file = name + FILE;
    String variable = name + VARIABLE;
    if (values.given(file) && values.given(variable)) {
      faults.add(variable, "must be absent where " + file + " is given, but both are; remove one");
      return null;
    }
    if (values.given(file)) {
      return values.has(file) ? fromFile(file, values.text(file), make, reader) : null;
    }
    return values.has(variable) ? fromVariable(variable, parser) : null;
  }

  private <K> K fromFile(String setting, String file, String make, FileReader<K> reader) {
    try {
      return reader.read(Path.of(file));
    } catch (InvalidPathException noPath) {
      faults.must(setting, "be the path of a file", file);
    } catch (AccessDeniedException forbidden) {
      faults.add(
          setting,
          "must name a file that this user can read, but " + file
              + " is for another; change its owner or permissions");
    } catch (IOException | IllegalArgumentException unusable) {
      faults.add(setting, "must name a usable key, but: " + unusable.getMessage() + make);
    }
    return null;
  }

  private <K> K fromVariable(String setting, Function<String, K> parser) {
    String variable = values.text(setting);
    String key = environment.get(variable);
    if (key == null || key.isBlank()) {
      faults.add(setting, "must name a variable with the key, but " + variable + " is not set");
      return null;
    }
    try {
      return parser.apply(key);
    } catch (IllegalArgumentException unusable) {
      faults.add(
          setting,
          "must name a variable with a usable key, but " + variable + ": " + unusable.getMessage());
      return null;
    }
  }

  @FunctionalInterface
  private interface FileReader<K> {
    K read(Path file) throws IOException;
  }
}
