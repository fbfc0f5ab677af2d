package dev.sotto.app.command;

import dev.sotto.config.ConfigException;
import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.key.NoiseKeySettings;
import dev.sotto.learner.settings.ConfigError;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.topology.encryption.EncryptionSettings;
import dev.sotto.topology.encryption.Keyset;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads a configuration for a command that neither draws its noise nor opens its state: keys that
 * cannot be read are no errors then. Throwaway keys take their place; no figure depends on them.
 */
final class ConfigWithoutKeys {
  private static final String VARIABLE = "THROWAWAY_";

  /** A setting that names a key, and how to make one. */
  private enum Key {
    NOISE_FILE(NoiseKeySettings.FILE, NoiseKey::create),
    NOISE_VARIABLE(NoiseKeySettings.VARIABLE, NoiseKey::create),
    EARLIER_NOISE(NoiseKeySettings.PREVIOUS, NoiseKey::create),
    ENCRYPTION_FILE(EncryptionSettings.FILE, Keyset::create),
    ENCRYPTION_VARIABLE(EncryptionSettings.VARIABLE, Keyset::create);

    private final ConfigKey<?> setting;
    private final Maker maker;

    Key(ConfigKey<?> setting, Maker maker) {
      this.setting = setting;
      this.maker = maker;
    }

    private boolean isVariable() {
      return this == NOISE_VARIABLE || this == ENCRYPTION_VARIABLE;
    }
  }

  @FunctionalInterface
  private interface Maker {
    Object create(Path file) throws IOException;
  }

  private ConfigWithoutKeys() {}

  /**
   * The configuration.
   *
   * @throws ConfigException with all errors but those of keys that cannot be read
   */
  static SottoConfig load(ConfigSource source) {
    try {
      return SottoConfig.load(source);
    } catch (ConfigException failure) {
      List<Key> missing = faulty(failure);
      if (missing.isEmpty()) {
        throw failure;
      }
      return withThrowaways(source, missing, failure);
    }
  }

  private static List<Key> faulty(ConfigException failure) {
    Set<String> settings =
        failure.errors().stream().map(ConfigError::key).collect(Collectors.toSet());
    return List.of(Key.values()).stream()
        .filter(key -> settings.contains(key.setting.name()))
        .toList();
  }

  private static SottoConfig withThrowaways(
      ConfigSource source, List<Key> missing, ConfigException failure) {
    try {
      Path folder = Files.createTempDirectory("sotto-plan-");
      List<Path> made = new ArrayList<>();
      try {
        List<String> flags = new ArrayList<>(source.flags());
        Map<String, String> environment = new HashMap<>(source.environment());
        for (Key key : missing) {
          Path file = folder.resolve(key.name());
          key.maker.create(file);
          made.add(file);
          if (key.isVariable()) {
            environment.put(VARIABLE + key, Files.readString(file));
          }
          flags.add(key.setting + "=" + (key.isVariable() ? VARIABLE + key : file));
        }
        return SottoConfig.load(source.withEnvironment(environment).withFlags(flags));
      } catch (ConfigException others) {
        throw faulty(others).isEmpty() ? others : failure;
      } finally {
        for (Path file : made) {
          Files.delete(file);
        }
        Files.delete(folder);
      }
    } catch (IOException unwritable) {
      throw new UncheckedIOException("no throwaway key could be made", unwritable);
    }
  }
}
