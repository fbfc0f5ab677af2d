package dev.sotto.topology.encryption;

import dev.sotto.learner.key.SecretSource;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.Settings;
import java.util.List;
import java.util.Map;

/** The settings of encryption at rest. */
public final class EncryptionSettings {
  /** The beginning of all their names. */
  public static final String PREFIX = "encryption.key.";

  public static final ConfigKey<String> FILE = ConfigKey.of(
          PREFIX + "file",
          SecretSource.paths(),
          "The Tink keyset (JSON, AEAD, with the rights of `noise.key.file`) that encrypts all"
              + " values of stores, changelogs and `<app>.control`; without it they are in clear."
              + " `sotto key --encryption FILE` makes one. Choose before the first start"
              + " (docs/operations.md).")
      .optional();

  public static final ConfigKey<String> VARIABLE = ConfigKey.of(
          PREFIX + "env",
          SecretSource.variables(),
          "The environment variable that holds that keyset. Give either this or the file.")
      .optional();

  /** Both, in the order of the manual. */
  public static final List<ConfigKey<?>> KEYS = List.of(FILE, VARIABLE);

  private static final SecretSource<Keyset> SOURCE = new SecretSource<>(
      FILE,
      VARIABLE,
      "; make a new key with: sotto key --encryption FILE",
      Keyset::read,
      Keyset::ofJson);

  private EncryptionSettings() {}

  /** The encryption, which is none where no keyset is named. */
  public static Encryption read(Settings settings, Map<String, String> environment) {
    return SOURCE.isGiven(settings) ? SOURCE.read(settings, environment, "") : Encryption.none();
  }
}
