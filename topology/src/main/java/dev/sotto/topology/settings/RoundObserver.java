package dev.sotto.topology.settings;

import java.util.function.Supplier;

/**
 * Sees the weights after every round, published or not: for replays, inside the trust boundary. It
 * changes nothing.
 */
@FunctionalInterface
public interface RoundObserver {
  /** Sees nothing. */
  RoundObserver NONE = (modelId, weights) -> {};

  /**
   * A round has been closed.
   *
   * @param weights makes a copy of the weights that it led to
   */
  void closed(String modelId, Supplier<double[]> weights);
}
