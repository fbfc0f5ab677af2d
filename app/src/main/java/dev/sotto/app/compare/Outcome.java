package dev.sotto.app.compare;

import dev.sotto.topology.ExitCode;
import java.util.List;

/** How a run ended. */
public sealed interface Outcome {
  /**
   * It came to the end of the recording, or of the part that was asked for.
   *
   * @param lossName and parameters of the loss
   * @param examples that were predicted: all that can be used, also those beyond their unit's bound
   * @param rounds that were closed
   * @param epsilon of all published versions together; infinite without privacy
   * @param delta at which
   * @param loss mean over all examples, exact
   * @param recentLoss mean over the last twentieth
   * @param accuracy over all examples; NaN where the loss knows no right and wrong
   * @param seconds that it took, beside the other runs
   * @param snapshotDigest of the last version, in hexadecimal digits; empty where there was none
   * @param curve in ascending order of examples; the last point is the end
   */
  record Finished(
      String lossName,
      long examples,
      long rounds,
      double epsilon,
      double delta,
      double loss,
      double recentLoss,
      double accuracy,
      double seconds,
      String snapshotDigest,
      List<CurvePoint> curve)
      implements Outcome {
    public Finished {
      curve = List.copyOf(curve);
    }

    /** What its losses are called: log-loss where they are one. */
    public String lossWords() {
      boolean log = lossName.equals("logistic") || lossName.startsWith("softmax(");
      return log ? "log-loss" : lossName;
    }

    /** How fast it was; 0 where no time passed. */
    public double examplesPerSecond() {
      return seconds > 0 ? examples / seconds : 0;
    }
  }

  /** It could not be run. */
  record Failed(ExitCode code, String message) implements Outcome {}
}
