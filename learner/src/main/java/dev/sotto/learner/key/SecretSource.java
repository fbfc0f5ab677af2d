package dev.sotto.learner.key;

import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.Domain;
import dev.sotto.learner.settings.Settings;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Two settings, of which one names where a secret is: a file or an environment variable. No message
 * repeats a part of the secret.
 *
 * @param file names the file
 * @param variable names the environment variable
 * @param remedy how a new secret is made
 * @param reader reads a file; its exceptions tell what is wrong with it
 * @param parser reads the text of a variable, and throws {@link IllegalArgumentException} likewise
 */
public record SecretSource<K>(
    ConfigKey<String> file,
    ConfigKey<String> variable,
    String remedy,
    FileReader<K> reader,
    Function<String, K> parser) {
  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  /** 64 hexadecimal digits, or JSON. */
  private static final Pattern SECRET = Pattern.compile("(?s)\\s*([0-9a-fA-F]{64}\\s*|\\{.*)");

  /** Reads a secret from a file. */
  @FunctionalInterface
  public interface FileReader<K> {
    K read(Path file) throws IOException;
  }

  /** Paths of files. A secret given in the place of its file's name is refused. */
  public static Domain<String> paths() {
    return Domain.text(
        "the path of a file, not the key itself",
        value -> !value.isBlank() && !looksLikeASecret(value));
  }

  /** Names of environment variables. */
  public static Domain<String> variables() {
    return Domain.text(
        "the name of an environment variable, not the key itself",
        value -> VARIABLE.matcher(value).matches() && !looksLikeASecret(value));
  }

  /** Whether a text may be a secret that was given in the wrong place, and must not be shown. */
  public static boolean looksLikeASecret(String value) {
    return SECRET.matcher(value).matches();
  }

  /** Whether one of the two settings was given. */
  public boolean isGiven(Settings settings) {
    return settings.isGiven(file) || settings.isGiven(variable);
  }

  /** The setting that was given, of which there must be one. */
  ConfigKey<String> given(Settings settings) {
    return settings.isGiven(file) ? file : variable;
  }

  /**
   * The secret.
   *
   * @param why what is said where neither setting was given
   */
  public K read(Settings settings, Map<String, String> environment, String why) {
    return settings.isFirstOfTwo(file, variable, why)
        ? fromFile(settings, file, settings.get(file))
        : fromVariable(settings, environment);
  }

  /** The secret in a file that a setting names. */
  K fromFile(Settings settings, ConfigKey<?> key, String path) {
    try {
      return reader.read(Path.of(path));
    } catch (InvalidPathException noPath) {
      throw settings.rejectValue(key, "be the path of a file", path);
    } catch (AccessDeniedException forbidden) {
      throw settings.reject(
          key,
          "must name a file that this user can read, but " + path
              + " is for another; change its owner or permissions");
    } catch (IOException | IllegalArgumentException unusable) {
      throw settings.reject(key, "must name a usable key, but: " + unusable.getMessage() + remedy);
    }
  }

  private K fromVariable(Settings settings, Map<String, String> environment) {
    String name = settings.get(variable);
    String secret = environment.get(name);
    if (secret == null || secret.isBlank()) {
      throw settings.reject(
          variable, "must name a variable with the key, but " + name + " is not set");
    }
    try {
      return parser.apply(secret);
    } catch (IllegalArgumentException unusable) {
      throw settings.reject(
          variable,
          "must name a variable with a usable key, but " + name + ": " + unusable.getMessage());
    }
  }
}
