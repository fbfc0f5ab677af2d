package dev.sotto.learner.loss;

import dev.sotto.learner.extension.Extension;
import java.util.Map;

/**
 * Makes a loss of a user's own, which configurations name as {@code loss}. To be listed in {@code
 * META-INF/services/dev.sotto.learner.loss.LossProvider}.
 *
 * <p>No guarantee rests on what it computes: gradients are clipped whatever they are. One rests on
 * what it must not do: <b>remember</b>. What it returns may depend on score and label alone, never
 * on earlier calls, on clocks, on randomness or on anything else; otherwise one record would show
 * in the gradients of others, and the promise would be void.
 */
public interface LossProvider extends Extension {
  /**
   * The loss with these parameters, to be used by several threads at once.
   *
   * @param parameters the settings below {@code loss.parameters}, as they were written; they are
   *     public
   * @throws IllegalArgumentException where they are wrong; its message is shown to the user
   */
  Loss create(Map<String, String> parameters);
}
