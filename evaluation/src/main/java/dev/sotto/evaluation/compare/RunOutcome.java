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
   * @param scored the loss, and what its mean is to be compared with
   * @param rounds number of closed rounds
   * @param delta at which epsilon is stated
   * @param seconds that the run took, beside the other runs
   * @param snapshotDigest of the last version, in hexadecimal digits; empty where there is none
   * @param curve in ascending order of examples, not empty; the last point is the end
   */
  record Finished(
      ScoredLoss scored,
      long rounds,
      double delta,
      double seconds,
      String snapshotDigest,
      List<CurvePoint> curve)
      implements RunOutcome {
    public Finished {
      curve = List.copyOf(curve);
    }

    /** Name and parameters of the loss. */
    public String lossName() {
      return scored.name();
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
      String name = lossName();
      boolean log = name.equals("logistic") || name.startsWith("softmax(");
      return log ? LOG_LOSS : name;
    }

    /** The mean rate; 0 where no time passed. */
    public double examplesPerSecond() {
      return seconds > 0 ? examples() / seconds : 0;
    }
  }

  /**
   * A loss, and what is known beside its mean over all examples, exact.
   *
   * @param name with its parameters
   * @param auc area under the ROC curve of all predictions; NaN where there are not two classes
   * @param baseRate mean loss of the base rate of the labels before each; NaN where there is none
   * @param constant mean loss of the best prediction that is the same for all; NaN where it is not
   *     known
   * @param contributed how many of the examples were learned from: the others are of units that
   *     may give no more, or come after the end of the budget
   */
  record ScoredLoss(String name, double auc, double baseRate, double constant, long contributed) {}

  /** The run ended with an error. */
  record Failed(FailureKind kind, String message) implements RunOutcome {}
}
