package dev.sotto.topology.settings;

import dev.sotto.learner.example.Slot;
import dev.sotto.learner.range.NumberRange;
import java.util.List;
import java.util.function.Supplier;

/**
 * Sees every slot, and the weights after every round, published or not: for replays and audits of
 * made logs, inside the trust boundary. It changes nothing.
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

  /**
   * The ranges of a model's numbers without bounds are known, since the last round.
   *
   * @param ranges in the order of the numbers
   */
  default void measured(String modelId, List<NumberRange> ranges) {}

  /**
   * A slot has been filled: what it holds is cut and added up, and nothing else of its record is.
   * What is read again, in another pass or after a restart, is reported again.
   *
   * @param round the number of its round, from 1
   * @param place in its round, from 0
   * @param slot as it was filled: its status says whether its unit was admitted
   */
  default void filled(String modelId, long round, long place, Slot slot) {}
}
