package dev.sotto.client;

/** Hears of a {@link LiveModel} what happens to it, on the thread that reads: it must not block. */
public interface ModelListener {
  /** Another version is in place. */
  default void changed(ScoringModel model) {}

  /** The health is another one. */
  default void health(ModelHealth health) {}
}
