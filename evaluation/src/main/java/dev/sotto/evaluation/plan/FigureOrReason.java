package dev.sotto.evaluation.plan;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A figure, or why there is none.
 *
 * @param value empty where there is a reason
 * @param reason empty where there is a value
 */
public record FigureOrReason<T>(Optional<T> value, String reason) {
  /** What the supplier returns, or the message of its exception. */
  static <T> FigureOrReason<T> of(Supplier<T> supplier) {
    try {
      return new FigureOrReason<>(Optional.of(supplier.get()), "");
    } catch (IllegalArgumentException refused) {
      return new FigureOrReason<>(Optional.empty(), String.valueOf(refused.getMessage()));
    }
  }

  /** The value as a text, or a text for a missing one. */
  String text(Function<T, String> format, String missing) {
    return value.map(format).orElse(missing);
  }
}
