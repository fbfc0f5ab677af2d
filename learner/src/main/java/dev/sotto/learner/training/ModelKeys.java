package dev.sotto.learner.training;

import dev.sotto.learner.key.NoiseKey;
import java.util.function.LongFunction;

/**
 * Which noise key a model uses for what.
 *
 * @param key the one in force, which holds the earlier ones
 * @param originId name of the key under which the run began: its id and the names of its units
 *     follow from that one
 * @param idOfRound name of the key of a round that begins: the one in force, or where a published
 *     round is derived again, the one that its entry names
 */
public record ModelKeys(NoiseKey key, String originId, LongFunction<String> idOfRound) {
  /** One key for all. */
  public static ModelKeys of(NoiseKey key) {
    return new ModelKeys(key, key.id(), round -> key.id());
  }

  NoiseKey origin() {
    return key.ofId(originId);
  }

  NoiseKey ofRound(long round) {
    return key.ofId(idOfRound.apply(round));
  }
}
