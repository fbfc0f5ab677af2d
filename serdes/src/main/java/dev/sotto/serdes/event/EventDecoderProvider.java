package dev.sotto.serdes.event;

import dev.sotto.learner.extension.Extension;
import java.util.Map;

/**
 * Makes a decoder of a user's own, which configurations name as {@code events.format}. To be listed
 * in {@code META-INF/services/dev.sotto.serdes.event.EventDecoderProvider}.
 *
 * <p>What it returns is checked ({@link GuardedDecoder}): it can waste slots, but break no sum. It
 * stops a learner where it does not end, runs out of memory, or lacks a class; none of that may
 * follow from what a record holds. A guarantee rests on what it must not do: <b>remember</b>. The
 * slot may depend on key and value of the one record alone, never on earlier records, on clocks, on
 * randomness or on anything outside; otherwise one record would show in the examples of others, and
 * the promise would be void.
 */
public interface EventDecoderProvider extends Extension {
  /**
   * A new decoder, for one thread; every task has its own, and all of one configuration must do the
   * same.
   *
   * @param parameters the settings below {@code events.parameters}, as they were written; they are
   *     public
   * @throws IllegalArgumentException where they are wrong; its message is shown to the user
   */
  EventDecoder create(Map<String, String> parameters);
}
