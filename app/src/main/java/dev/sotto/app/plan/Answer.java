package dev.sotto.app.plan;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A figure, or why there is none.
 *
 * @param value empty where there is a reason
 * @param reason empty where there is a value
 */
public record Answer<T>(Optional<T> value, String reason) {
  /** What the supplier gives, or what it refuses with. */
  static <T> Answer<T> of(Supplier<T> supplier) {
    try {
      return new Answer<>(Optional.of(supplier.get()), "");
    } catch (IllegalArgumentException | UnsupportedOperationException refused) {
      return new Answer<>(Optional.empty(), String.valueOf(refused.getMessage()));
    }
  }

  /** The value as a text, or what stands for a missing one. */
  String text(Function<T, String> words, String missing) {
    return value.map(words).orElse(missing);
  }
}
