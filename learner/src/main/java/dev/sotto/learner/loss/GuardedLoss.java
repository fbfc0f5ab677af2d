package dev.sotto.learner.loss;

import dev.sotto.learner.extension.Extensions;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A user's loss behind a guard. Where the code inside throws, its answer is NaN: the gradient then
 * counts as zero and the figures of the metrics as nothing, as an absent record's would. Safe for
 * use by several threads if the loss is.
 */
public final class GuardedLoss implements Loss {
  private static final double[] PROBES = {-1.5, 0, 0.25, 1, 2, 1e3};

  private final String what;
  private final Loss loss;
  private final double lipschitz;
  private final double smoothness;
  private boolean probing = true;

  private GuardedLoss(String what, Loss loss) {
    this.what = what;
    this.loss = loss;
    this.lipschitz = bound("lipschitz()", loss.lipschitz());
    this.smoothness = bound("smoothness()", loss.smoothness());
  }

  /**
   * The loss that a provider makes.
   *
   * @throws IllegalArgumentException where it makes none, or one that is visibly broken; its
   *     message says why
   */
  public static Loss of(LossProvider provider, Map<String, String> parameters) {
    Map<String, String> copy = new TreeMap<>(parameters);
    try {
      GuardedLoss guarded = new GuardedLoss(
          "the loss " + provider.name(),
          Objects.requireNonNull(provider.create(copy), "the provider returned null"));
      guarded.probe();
      guarded.probing = false;
      return guarded;
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError broken) {
      throw Extensions.unmade(broken);
    }
  }

  private static double bound(String name, double value) {
    if (!(value > 0)) {
      throw new IllegalArgumentException(
          name + " must be positive (infinity where there is no bound), but is " + value);
    }
    return value;
  }

  /** Twice the same questions: who draws or counts is likely to be found out here. */
  private void probe() {
    for (double label : PROBES) {
      boolean admitted = admits(label);
      same("admits(" + label + ")", admitted ? 1 : 0, admits(label) ? 1 : 0);
      for (double score : admitted ? PROBES : new double[0]) {
        String at = "(" + score + ", " + label + ")";
        same("slope" + at, slope(score, label), slope(score, label));
        same("value" + at, value(score, label), value(score, label));
      }
    }
  }

  private static void same(String question, double first, double second) {
    if (Double.doubleToLongBits(first) != Double.doubleToLongBits(second)) {
      throw new IllegalArgumentException(question
          + " must be the same whenever it is asked, but was " + first + " and then " + second);
    }
  }

  @Override
  public double value(double score, double label) {
    try {
      return loss.value(score, label);
    } catch (Throwable thrown) {
      return nothing(thrown);
    }
  }

  @Override
  public double slope(double score, double label) {
    try {
      return loss.slope(score, label);
    } catch (Throwable thrown) {
      return nothing(thrown);
    }
  }

  @Override
  public boolean admits(double label) {
    try {
      return loss.admits(label);
    } catch (Throwable thrown) {
      nothing(thrown);
      return false;
    }
  }

  @Override
  public double lipschitz() {
    return lipschitz;
  }

  @Override
  public double smoothness() {
    return smoothness;
  }

  @Override
  public double predict(double score) {
    try {
      return loss.predict(score);
    } catch (Throwable thrown) {
      return nothing(thrown);
    }
  }

  private double nothing(Throwable thrown) {
    if (probing) {
      Extensions.requireLinked(what, thrown);
    } else {
      Extensions.judge(thrown);
    }
    return Double.NaN;
  }

  @Override
  public String toString() {
    return what;
  }
}
