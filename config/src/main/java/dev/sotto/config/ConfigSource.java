package dev.sotto.config;

import dev.sotto.config.settings.GuaranteeLevel;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.settings.ConfigError;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where settings come from; later ones win: the file, the environment, flags.
 *
 * @param name stands for the file in messages
 * @param yaml the file's text
 * @param environment all environment variables
 * @param flags settings of the command line, as {@code key=value}
 * @param brokers what is known of the brokers without settings
 * @param run how it is to be run
 */
public record ConfigSource(
    String name,
    String yaml,
    Map<String, String> environment,
    List<String> flags,
    Brokers brokers,
    Run run) {
  /**
   * What is known of the brokers without settings.
   *
   * @param servers from a flag of its own, or null
   * @param embedded whether a broker will be started, so that none need be named
   */
  public record Brokers(String servers, boolean embedded) {}

  /**
   * How the learner is to be run.
   *
   * @param level how much of its guarantee is kept
   * @param noiseKey one that is at hand, or empty for the one that is configured
   */
  public record Run(GuaranteeLevel level, Optional<NoiseKey> noiseKey) {}

  /** A text, and nothing else. */
  public static ConfigSource of(String name, String yaml) {
    return new ConfigSource(
        name,
        yaml,
        Map.of(),
        List.of(),
        new Brokers(null, false),
        new Run(GuaranteeLevel.CONFIGURED, Optional.empty()));
  }

  /**
   * A file.
   *
   * @throws ConfigException if it cannot be read
   */
  public static ConfigSource of(Path file) {
    try {
      return of(file.toString(), Files.readString(file));
    } catch (IOException unreadable) {
      String why =
          unreadable instanceof MalformedInputException ? "it is not UTF-8" : because(file);
      String rule = "must be a readable file, but " + why + "; name the configuration with -c FILE";
      throw new ConfigException(
          "the configuration", List.of(new ConfigError(file.toString(), rule)));
    }
  }

  private static String because(Path file) {
    return !Files.exists(file)
        ? "does not exist"
        : Files.isDirectory(file) ? "is a folder" : "it could not be read: check its permissions";
  }

  /** The same with environment variables. */
  public ConfigSource withEnvironment(Map<String, String> variables) {
    return new ConfigSource(name, yaml, variables, flags, brokers, run);
  }

  /** The same with flags, as {@code key=value}. */
  public ConfigSource withFlags(List<String> newFlags) {
    return new ConfigSource(name, yaml, environment, newFlags, brokers, run);
  }

  /** The same with brokers from a flag; null for none. */
  public ConfigSource withBootstrapServers(String servers) {
    return with(new Brokers(servers, brokers.embedded()));
  }

  /** The same, for a broker that is yet to be started. */
  public ConfigSource withEmbedded(boolean embedded) {
    return with(new Brokers(brokers.servers(), embedded));
  }

  /** The same as a reference run, to be replayed inside the trust boundary. */
  public ConfigSource withGuarantee(GuaranteeLevel level) {
    return with(new Run(level, run.noiseKey()));
  }

  /**
   * The same under a noise key that is at hand: settings that name keys are not looked at, and
   * nothing is encrypted at rest.
   */
  public ConfigSource withNoiseKey(NoiseKey key) {
    return with(new Run(run.level(), Optional.of(key)));
  }

  private ConfigSource with(Brokers other) {
    return new ConfigSource(name, yaml, environment, flags, other, run);
  }

  private ConfigSource with(Run other) {
    return new ConfigSource(name, yaml, environment, flags, brokers, other);
  }
}
