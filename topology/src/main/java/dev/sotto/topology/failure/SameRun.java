package dev.sotto.topology.failure;

import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.key.RunName;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Whether what is stored of a model is of the run that the settings name: state and the beginning
 * of rounds are refused in the same words where it is not.
 *
 * @param key in force
 * @param name of the application and of the run
 * @param modelId of the model
 * @param fingerprint of its plan by these settings
 */
public record SameRun(NoiseKey key, RunName name, String modelId, byte[] fingerprint) {
  /**
   * What was stored at the model's beginning.
   *
   * @param keyId of the noise key
   * @param runId of the run
   * @param fingerprint of the plan
   */
  public record Begun(String keyId, byte[] runId, byte[] fingerprint) {}

  /**
   * Refuses where the model was begun under another key, name or configuration.
   *
   * @throws UnsafeToContinueException with what differs and the way on
   */
  public void require(Begun begun) {
    String model = "model " + modelId + " was begun under ";
    if (!key.holds(begun.keyId)) {
      throw new UnsafeToContinueException(model + "noise key " + begun.keyId + ", now it is "
          + key.id() + ", and that one is not among the earlier ones: " + NewHistory.OLD_KEY);
    }
    byte[] runId = key.ofId(begun.keyId).runId(modelId, fingerprint, name);
    if (Arrays.equals(begun.runId, runId)) {
      return;
    }
    String other = Arrays.equals(begun.fingerprint, fingerprint)
        ? "another app.id, run.label or model id"
        : "configuration " + hex(begun.fingerprint) + ", now it is " + hex(fingerprint);
    throw new UnsafeToContinueException(model + other
        + "; going on would break its guarantee. Put the old setting back, or "
        + NewHistory.START);
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
