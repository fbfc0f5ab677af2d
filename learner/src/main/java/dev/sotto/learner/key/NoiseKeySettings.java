package dev.sotto.learner.key;

import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.Domain;
import dev.sotto.learner.settings.InvalidSettingException;
import dev.sotto.learner.settings.Settings;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The settings of the noise key. */
public final class NoiseKeySettings {
  /** The beginning of all their names. */
  public static final String PREFIX = "noise.key.";

  private static final String MAKE = "; make a new key with: sotto key FILE";

  /** Where a file is not there or is no key, a model may have been begun under the right one. */
  private static final String NAME_OR_MAKE =
      "; name the key that the model has or, where it has none yet, make one with: sotto key FILE";

  public static final ConfigKey<String> FILE = ConfigKey.of(
          PREFIX + "file",
          SecretSource.paths(),
          "The file with the secret from which all noise follows, readable by its owner alone, or"
              + " also by the group of a file that root owns (docs/containers.md). `sotto key"
              + " FILE` makes one. Keep it as long as the model, and secret for longer.")
      .optional();

  public static final ConfigKey<String> VARIABLE = ConfigKey.of(
          PREFIX + "env",
          SecretSource.variables(),
          "The environment variable that holds those digits. Give either this or the file.")
      .optional();

  public static final ConfigKey<List<String>> PREVIOUS = ConfigKey.of(
          PREFIX + "previous.files",
          Domain.items(),
          "Files with the noise keys that were in force before a rotation. Keep them as long as"
              + " the model.")
      .optional();

  /** All of them, in the order of the manual. */
  public static final List<ConfigKey<?>> KEYS = List.of(FILE, VARIABLE, PREVIOUS);

  /** Where the key in force is. */
  public static final SecretSource<NoiseKey> SOURCE =
      new SecretSource<>(FILE, VARIABLE, NAME_OR_MAKE, NoiseKey::read, NoiseKey::ofHex);

  private NoiseKeySettings() {}

  /** The noise key with the earlier ones; errors of both are reported at once. */
  public static NoiseKey read(Settings settings, Map<String, String> environment) {
    Optional<List<NoiseKey>> earlier = Settings.attempt(() -> earlier(settings));
    NoiseKey key = current(settings, environment);
    List<NoiseKey> before = earlier.orElseThrow(() -> new InvalidSettingException(PREVIOUS.name()));
    if (before.stream().anyMatch(each -> each.id().equals(key.id()))) {
      throw settings.reject(
          PREVIOUS, "must list other keys than the one in force, but has " + key.id() + " too");
    }
    return before.isEmpty() ? key : key.withEarlier(before);
  }

  private static NoiseKey current(Settings settings, Map<String, String> environment) {
    NoiseKey key = SOURCE.read(settings, environment, "all noise follows from that key" + MAKE);
    if (SeededNoiseKey.isPublic(key)) {
      throw settings.reject(
          SOURCE.given(settings),
          "must name a secret, but " + key.id() + " is the key of tests, which everybody knows"
              + MAKE);
    }
    return key;
  }

  private static List<NoiseKey> earlier(Settings settings) {
    return settings.find(PREVIOUS).orElse(List.of()).stream()
        .map(file -> SOURCE.fromFile(settings, PREVIOUS, file))
        .toList();
  }
}
