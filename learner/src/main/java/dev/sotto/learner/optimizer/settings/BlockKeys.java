package dev.sotto.learner.optimizer.settings;

import dev.sotto.learner.optimizer.BlockInputs;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.Domain;
import dev.sotto.learner.settings.InvalidSettingException;
import dev.sotto.learner.settings.Settings;
import java.util.List;
import java.util.Optional;

/** Settings that all algorithms share which learn from blocks. */
public final class BlockKeys {
  private static final String AUTO = "auto";

  /** 0 where the algorithm chooses. */
  public static final ConfigKey<Long> SLOTS = ConfigKey.of(
          "block.slots",
          new Domain<>(
              Domain.Type.TEXT,
              "a whole number from 2 to 2^30, or " + AUTO,
              text -> text.equals(AUTO) ? Long.valueOf(0) : whole((String) text),
              number -> number == 0 ? AUTO : number,
              text -> ""),
          "Slots of a block, after which a version can be published; the algorithm may use a"
              + " few fewer (`sotto plan`). Larger blocks have less noise.")
      .orElse(0L);

  private BlockKeys() {}

  /**
   * Reads all settings of an algorithm, so that errors of all of them are reported at once.
   *
   * @throws InvalidSettingException where there are any
   */
  static void checkAll(Settings settings, List<ConfigKey<?>> keys) {
    Optional<InvalidSettingException> last = errors(settings, keys);
    if (last.isPresent()) {
      throw last.get();
    }
  }

  /** The last error of {@link #checkAll}; all of them are recorded. */
  static Optional<InvalidSettingException> errors(Settings settings, List<ConfigKey<?>> keys) {
    Optional<InvalidSettingException> last = Optional.empty();
    for (ConfigKey<?> key : keys) {
      try {
        settings.find(key);
      } catch (InvalidSettingException recorded) {
        last = Optional.of(recorded);
      }
    }
    return last;
  }

  /** Refuses settings that were given, and mean nothing beside the others. */
  static void checkUsed(Settings settings, List<ConfigKey<?>> keys, String why) {
    for (ConfigKey<?> key : keys) {
      if (settings.isGiven(key) && !settings.isUsed(key)) {
        throw settings.reject(key, "means nothing " + why);
      }
    }
  }

  /** Slots of a block: what somebody chose, or the usual number. */
  static long slots(Settings settings, BlockInputs inputs, long usual) {
    long chosen = inputs.slots() > 0 ? inputs.slots() : settings.get(SLOTS);
    return chosen > 0 ? chosen : usual;
  }

  private static Long whole(String text) {
    try {
      long number = Long.parseLong(text);
      return number >= 2 && number <= 1L << 30 ? number : null;
    } catch (NumberFormatException noNumber) {
      return null;
    }
  }
}
