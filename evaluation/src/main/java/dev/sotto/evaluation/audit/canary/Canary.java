package dev.sotto.evaluation.audit.canary;

import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.training.Plan;
import java.nio.ByteBuffer;

/**
 * What a canary's records look like: one coordinate of its own, and a weight so large that the
 * gradient is cut to the clip norm whatever the model is. So it points along its coordinate, at the
 * full length that is allowed.
 *
 * @param label one that gives the loss a slope at score 0
 * @param value of the feature, tiny, so that the score stays near 0; its sign makes the gradient
 *     point upwards
 * @param weight of the example
 * @param shared whether every record of it names another person beside it
 */
record Canary(double label, double value, double weight, boolean shared) {
  private static final double[] LABELS = {1, 0, -1, 2};
  private static final double TINY = 0x1p-20;
  private static final int ID_BYTES = 5;

  /**
   * The canary of a plan, as long as its mechanism wants it.
   *
   * @throws IllegalArgumentException if the loss is flat at score 0 for every label that is tried
   */
  static Canary of(Plan plan) {
    return of(plan, plan.mechanism().auditTerms().canaries().clips());
  }

  /** The canary of a plan whose gradients are a multiple of the clip long. */
  static Canary of(Plan plan, double clips) {
    return of(plan.loss(), plan.clip(), clips, plan.unit() == PrivacyUnit.OWNERS);
  }

  /**
   * The canary of a loss.
   *
   * @param clips length of its gradient
   * @throws IllegalArgumentException if the loss is flat at score 0 for every label that is tried
   */
  private static Canary of(Loss loss, double clip, double clips, boolean shared) {
    double best = 0;
    double label = 0;
    for (double each : LABELS) {
      double slope = loss.admits(each) ? loss.slope(0, each) : 0;
      if (Double.isFinite(slope) && Math.abs(slope) > Math.abs(best)) {
        best = slope;
        label = each;
      }
    }
    if (best == 0) {
      throw new IllegalArgumentException("the loss must have a slope at score 0 to make canaries,"
          + " but has none for the labels 1, 0, -1 and 2");
    }
    return new Canary(
        label, Math.signum(best) * TINY, clips * clip / (TINY * Math.abs(best)), shared);
  }

  /**
   * One of its records.
   *
   * @param sign 1 for a gradient upwards, -1 for downwards, 0 for a null slot
   */
  void fill(int coordinate, int sign, Slot into) {
    into.clear();
    if (shared) {
      into.owner(id('c', coordinate), 0, ID_BYTES);
      into.owner(id('p', coordinate), 0, ID_BYTES);
    } else {
      into.unit(id('c', coordinate), 0, ID_BYTES);
    }
    if (sign == 0) {
      return;
    }
    into.status(RecordStatus.USED);
    into.example().add(coordinate, sign * value);
    into.example().label(label);
    into.example().weight(weight);
  }

  private static byte[] id(char kind, int coordinate) {
    return ByteBuffer.allocate(ID_BYTES).put((byte) kind).putInt(coordinate).array();
  }
}
