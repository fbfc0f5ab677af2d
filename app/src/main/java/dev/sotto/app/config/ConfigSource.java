package dev.sotto.app.config;

import dev.sotto.learner.release.NoiseKey;
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
 * @param bootstrapServers from a flag of its own, or null
 * @param embedded whether a broker will be started for it, so that {@code bootstrap.servers} may be absent
 * @param protection how much of what it promises is kept
 * @param noiseKey one that is at hand, or empty for the one that is configured
 */
public record ConfigSource(
    String name,
    String yaml,
    Map<String, String> environment,
    List<String> flags,
    String bootstrapServers,
    boolean embedded,
    Protection protection,
    Optional<NoiseKey> noiseKey) {
  /** A text, and nothing else. */
  public static ConfigSource of(String name, String yaml) {
    return new ConfigSource(
        name, yaml, Map.of(), List.of(), null, false, Protection.CONFIGURED, Optional.empty());
  }

  /**
   * A file.
   *
   * @throws ConfigFailure if it cannot be read
   */
  public static ConfigSource of(Path file) {
    try {
      return of(file.toString(), Files.readString(file));
    } catch (IOException unreadable) {
      String why =
          unreadable instanceof MalformedInputException ? "it is not UTF-8" : because(file);
      String message =
          file + " must be a readable file, but " + why + "; name the configuration with -c FILE";
      throw new ConfigFailure("the configuration", List.of(new Fault(file.toString(), message)));
    }
  }

  private static String because(Path file) {
    return !Files.exists(file)
        ? "does not exist"
        : Files.isDirectory(file) ? "is a folder" : "it could not be read: check its permissions";
  }

  /** The same with environment variables. */
  public ConfigSource withEnvironment(Map<String, String> newEnvironment) {
    return new ConfigSource(
        name, yaml, newEnvironment, flags, bootstrapServers, embedded, protection, noiseKey);
  }

  /** The same with flags, as {@code key=value}. */
  public ConfigSource withFlags(List<String> newFlags) {
    return new ConfigSource(
        name, yaml, environment, newFlags, bootstrapServers, embedded, protection, noiseKey);
  }

  /** The same with brokers from a flag; null for none. */
  public ConfigSource withBootstrapServers(String servers) {
    return new ConfigSource(
        name, yaml, environment, flags, servers, embedded, protection, noiseKey);
  }

  /** The same, for a broker that is yet to be started. */
  public ConfigSource withEmbedded(boolean newEmbedded) {
    return new ConfigSource(
        name, yaml, environment, flags, bootstrapServers, newEmbedded, protection, noiseKey);
  }

  /** The same as a reference, to be replayed inside the trust boundary. */
  public ConfigSource withProtection(Protection newProtection) {
    return new ConfigSource(
        name, yaml, environment, flags, bootstrapServers, embedded, newProtection, noiseKey);
  }

  /**
   * The same under a noise key that is at hand: settings that name keys are not looked at, and nothing is encrypted at
   * rest.
   */
  public ConfigSource withNoiseKey(NoiseKey key) {
    return new ConfigSource(
        name, yaml, environment, flags, bootstrapServers, embedded, protection, Optional.of(key));
  }
}
