package dev.sotto.learner.settings;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The settings of one configuration, as components read them. Errors are collected, so that all of
 * them are reported at once: whoever cannot go on without a value gets an
 * {@link InvalidSettingException}, and the next component is built all the same.
 */
public interface Settings {
  /**
   * The value of a setting, or its default.
   *
   * @throws InvalidSettingException where there is none; what is wrong has been recorded
   */
  <T> T get(ConfigKey<T> key);

  /** Whether a setting was given, with whatever value. */
  boolean isGiven(ConfigKey<?> key);

  /** Whether {@link #get} has a value. */
  boolean isUsable(ConfigKey<?> key);

  /**
   * The value of a setting, or what was made of it where its value left that open ({@code auto});
   * null where it has none.
   */
  default <T> T meaning(ConfigKey<T> key) {
    return isUsable(key) ? get(key) : null;
  }

  /** Says what was made of a setting whose value leaves that open. */
  default <T> void settle(ConfigKey<T> key, T meaning) {}

  /** Whether a setting means something beside the others ({@link ConfigKey#usedWith}). */
  default boolean isUsed(ConfigKey<?> key) {
    return key.uses().isEmpty()
        || key.uses().stream()
            .anyMatch(together -> together.stream().allMatch(each -> holds(each)));
  }

  private <C> boolean holds(ConfigKey.Condition<C> condition) {
    return condition.holds().test(meaning(condition.on()));
  }

  /** The free parts that were given to a family of settings, in alphabetical order. */
  Set<String> names(ConfigKey<?> family);

  /**
   * Records an error.
   *
   * @param key the setting to change
   * @param rule the rest of a sentence that begins with the key
   * @return to be thrown where nothing can be built without it
   */
  InvalidSettingException reject(String key, String rule);

  /** {@link #reject(String, String)} of a declared setting. */
  default InvalidSettingException reject(ConfigKey<?> key, String rule) {
    return reject(key.name(), rule);
  }

  /**
   * Records errors that a component has found.
   *
   * @throws InvalidSettingException unless there are none
   */
  default void require(List<ConfigError> errors) {
    InvalidSettingException last = null;
    for (ConfigError error : errors) {
      last = reject(error.key(), error.rule());
    }
    if (last != null) {
      throw last;
    }
  }

  /** {@link #reject(String, String)} with the sentence "key must rule, but was value". */
  InvalidSettingException rejectValue(ConfigKey<?> key, String rule, Object value);

  /** {@link #rejectValue} with the value that the setting has. */
  default <T> InvalidSettingException rejectValue(ConfigKey<T> key, String rule) {
    return rejectValue(key, rule, key.domain().plain(get(key)));
  }

  /**
   * The value of a setting that need not have one.
   *
   * @throws InvalidSettingException where it was given, but cannot be used
   */
  default <T> Optional<T> find(ConfigKey<T> key) {
    return isGiven(key) || isUsable(key) ? Optional.of(get(key)) : Optional.empty();
  }

  /**
   * Whether the first of two settings was given, of which exactly one must be.
   *
   * @param why what is said where none is, behind both keys
   * @throws InvalidSettingException where none or both were given
   */
  default boolean isFirstOfTwo(ConfigKey<?> first, ConfigKey<?> second, String why) {
    boolean one = isGiven(first);
    boolean other = isGiven(second);
    if (one && other) {
      throw reject(second, "must be absent where " + first + " is given, but both are; remove one");
    }
    if (!one && !other) {
      throw reject(first, "must be given, or " + second + ": " + why);
    }
    return one;
  }

  /**
   * What a maker makes of settings.
   *
   * @param key the setting to change where the maker throws an {@link IllegalArgumentException}
   * @throws InvalidSettingException then
   */
  default <T> T make(ConfigKey<?> key, Supplier<T> maker) {
    try {
      return maker.get();
    } catch (IllegalArgumentException broken) {
      throw reject(key, "does not work: " + broken.getMessage());
    }
  }

  /** What a component is built to, or empty where an error was recorded. */
  static <T> Optional<T> attempt(Supplier<T> builder) {
    try {
      return Optional.of(builder.get());
    } catch (InvalidSettingException recorded) {
      return Optional.empty();
    }
  }
}
