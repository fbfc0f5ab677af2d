package dev.sotto.app.command;

import dev.sotto.app.config.ConfigFailure;
import dev.sotto.app.config.ConfigSource;
import dev.sotto.app.config.Fault;
import dev.sotto.app.config.SottoConfig;
import dev.sotto.learner.release.NoiseKey;
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
 * Reads a configuration for a command that neither draws its noise nor opens its state: keys that cannot be read are
 * no faults then. Throwaway keys take their place; no figure depends on them.
 */
final class KeylessConfig {
  private static final String VARIABLE = "THROWAWAY_";

  /** A setting that names a key, and how to make one. */
  private enum Key {
    NOISE_FILE("noise.key.file", NoiseKey::create),
    NOISE_VARIABLE("noise.key.env", NoiseKey::create),
    EARLIER_NOISE("noise.key.previous.files", NoiseKey::create),
    ENCRYPTION_FILE("encryption.key.file", Keyset::create),
    ENCRYPTION_VARIABLE("encryption.key.env", Keyset::create);

    private final String setting;
    private final Maker maker;

    Key(String setting, Maker maker) {
      this.setting = setting;
      this.maker = maker;
    }

    private boolean isVariable() {
      return setting.endsWith(".env");
    }
  }

  @FunctionalInterface
  private interface Maker {
    Object create(Path file) throws IOException;
  }

  private KeylessConfig() {}

  /**
   * The configuration.
   *
   * @throws ConfigFailure with all faults but those of keys that cannot be read
   */
  static SottoConfig load(ConfigSource source) {
    try {
      return SottoConfig.load(source);
    } catch (ConfigFailure failure) {
      List<Key> missing = faulty(failure);
      if (missing.isEmpty()) {
        throw failure;
      }
      return withThrowaways(source, missing, failure);
    }
  }

  private static List<Key> faulty(ConfigFailure failure) {
    Set<String> settings = failure.faults().stream().map(Fault::key).collect(Collectors.toSet());
    return List.of(Key.values()).stream()
        .filter(key -> settings.contains(key.setting))
        .toList();
  }

  private static SottoConfig withThrowaways(
      ConfigSource source, List<Key> missing, ConfigFailure failure) {
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
      } catch (ConfigFailure others) {
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
