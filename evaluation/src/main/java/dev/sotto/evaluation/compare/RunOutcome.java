package dev.sotto.evaluation.compare;

import dev.sotto.topology.failure.FailureKind;
import java.util.List;

/** How a run ended. */
public sealed interface RunOutcome {
  /** The name of the losses that are a negative logarithm of a probability. */
  String LOG_LOSS = "log-loss";

  /**
   * The run came to the end of the recording, or of the part that was asked for.
   *
   * @param lossName name and parameters of the loss
   * @param rounds number of closed rounds
   * @param delta at which epsilon is stated
   * @param seconds that the run took, beside the other runs
   * @param snapshotDigest of the last version, in hexadecimal digits; empty where there is none
   * @param curve in ascending order of examples, not empty; the last point is the end
   * @param withoutFeatures what to compare the loss with
   * @param auc area under the ROC curve of all predictions; NaN where there are not two classes
   */
  record Finished(
      String lossName,
      long rounds,
      double delta,
      double seconds,
      String snapshotDigest,
      List<CurvePoint> curve,
      WithoutFeatures withoutFeatures,
      double auc)
      implements RunOutcome {
    public Finished {
      curve = List.copyOf(curve);
    }

    private CurvePoint end() {
      return curve.get(curve.size() - 1);
    }

    /** Predicted examples: all usable ones, also those beyond the bound of their unit. */
    public long examples() {
      return end().examples();
    }

    /** Of all published versions together; infinite without privacy. */
    public double epsilon() {
      return end().epsilon();
    }

    /** The mean over all examples, exact. */
    public double loss() {
      return end().loss();
    }

    /** The mean over the last twentieth of the examples. */
    public double recentLoss() {
      return end().recentLoss();
    }

    /** The share of right predictions; NaN where the labels are no classes. */
    public double accuracy() {
      return end().accuracy();
    }

    /** The usual name of the loss. */
    public String lossLabel() {
      boolean log = lossName.equals("logistic") || lossName.startsWith("softmax(");
      return log ? LOG_LOSS : lossName;
    }

    /** The mean rate; 0 where no time passed. */
    public double examplesPerSecond() {
      return seconds > 0 ? examples() / seconds : 0;
    }
  }

  /**
   * Mean losses of predictions that look at no feature, over the same examples, exact.
   *
   * @param baseRate of the base rate of the labels before each; NaN where there is none
   * @param constant of the best prediction that is the same for all; NaN where it is not known
   */
  record WithoutFeatures(double baseRate, double constant) {}

  /** The run ended with an error. */
  record Failed(FailureKind kind, String message) implements RunOutcome {}
}
