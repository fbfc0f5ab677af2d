package dev.sotto.serdes.record;

import java.util.Arrays;
import java.util.Objects;

/**
 * One published version of a model.
 *
 * @param modelId the model
 * @param runId 16 bytes that name the run that published it
 * @param version rounds behind it
 */
public record AliasTarget(String modelId, byte[] runId, long version) {
  public AliasTarget {
    Objects.requireNonNull(modelId, "modelId");
    if (runId.length != 16) {
      throw new IllegalArgumentException("runId must have 16 bytes, but has " + runId.length);
    }
    if (version < 0) {
      throw new IllegalArgumentException("version must be at least 0, but was " + version);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof AliasTarget target
        && modelId.equals(target.modelId)
        && Arrays.equals(runId, target.runId)
        && version == target.version;
  }

  @Override
  public int hashCode() {
    return Objects.hash(modelId, Arrays.hashCode(runId), version);
  }

  /** Model and version, as the command line takes them: {@code model@version}. */
  @Override
  public String toString() {
    return modelId + "@" + version;
  }
}
