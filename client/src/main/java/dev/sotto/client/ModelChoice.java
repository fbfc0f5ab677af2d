package dev.sotto.client;

import dev.sotto.serdes.record.ModelAlias;

/** Which version of which model a {@link LiveModel} holds. */
public sealed interface ModelChoice {
  /**
   * The newest version of a model.
   *
   * @param modelId the model; null for the only one of the application
   */
  record Newest(String modelId) implements ModelChoice {}

  /**
   * One version, whatever comes after it.
   *
   * @param modelId the model; null for the only one of the application
   * @param version its number, at least 1
   */
  record Pinned(String modelId, long version) implements ModelChoice {
    public Pinned {
      if (version < 1) {
        throw new IllegalArgumentException("version must be at least 1, but was " + version);
      }
    }
  }

  /**
   * The version that an alias names, which people or a gate move.
   *
   * @param name of the alias
   */
  record Alias(String name) implements ModelChoice {
    public Alias {
      ModelAlias.requireName(name);
    }
  }
}
