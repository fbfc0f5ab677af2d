package dev.sotto.app.serve;

import dev.sotto.client.LiveModel;
import dev.sotto.client.ModelHealth;
import dev.sotto.client.ScoringModel;
import java.time.Duration;
import java.util.Optional;

/** The version that is served now. Safe for use by several threads. */
public interface ServedModel {
  /** The version in place; empty before the first one. */
  Optional<ScoringModel> current();

  /** How long ago it was published; empty where that is not known. */
  Optional<Duration> age();

  /** How it stands. */
  ModelHealth health();

  /** What a {@link LiveModel} has in place, which follows the newest version or an alias. */
  static ServedModel of(LiveModel live) {
    return new ServedModel() {
      @Override
      public Optional<ScoringModel> current() {
        return live.current();
      }

      @Override
      public Optional<Duration> age() {
        return live.age();
      }

      @Override
      public ModelHealth health() {
        return live.health();
      }
    };
  }

  /** One version for good, as from a file. */
  static ServedModel of(ScoringModel fixed) {
    ModelHealth health = new ModelHealth(
        ModelHealth.State.CURRENT,
        "version " + fixed.version() + " of model " + fixed.modelId() + " is in place");
    return new ServedModel() {
      @Override
      public Optional<ScoringModel> current() {
        return Optional.of(fixed);
      }

      @Override
      public Optional<Duration> age() {
        return Optional.empty();
      }

      @Override
      public ModelHealth health() {
        return health;
      }
    };
  }
}
