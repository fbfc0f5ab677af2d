package dev.sotto.learner.settings;

import java.util.List;
import java.util.stream.Collectors;

/**
 * One thing that is wrong with a configuration.
 *
 * @param key the setting to change
 * @param rule the rest of a sentence that begins with the key: the rule, the value and where it was
 *     given
 */
public record ConfigError(String key, String rule) {
  /** The whole sentence, in one line. */
  public String message() {
    return key + " " + rule;
  }

  /**
   * Refuses settings with errors.
   *
   * @throws IllegalArgumentException with one line per error, unless there are none
   */
  public static void refuse(List<ConfigError> errors) {
    if (!errors.isEmpty()) {
      throw new IllegalArgumentException(
          errors.stream().map(ConfigError::message).collect(Collectors.joining("\n")));
    }
  }

  @Override
  public String toString() {
    return message();
  }
}
