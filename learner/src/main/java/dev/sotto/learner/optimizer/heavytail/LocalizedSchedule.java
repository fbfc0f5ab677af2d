package dev.sotto.learner.optimizer.heavytail;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongToDoubleFunction;

/**
 * The public numbers of {@link LocalizedErm}: Theorem 12, with a number of passes that does not
 * refer to itself, and at most a cap of them. The printed number grows as {@code n^(1 + 1/k)}: at
 * 65,536 slots a block would take 10^12 gradients.
 */
public final class LocalizedSchedule {
  private final BlockSize size;
  private final LocalMoments moments;
  private final double diameter;
  private final double p;
  private final double privacy; // X
  private final double eta;

  /**
   * The schedule of a block.
   *
   * @param size with a number of slots that is cut to a power of two
   * @param diameter D, a bound of the distance from the start to the optimum
   */
  public LocalizedSchedule(BlockSize size, LocalMoments moments, double diameter) {
    this.size = size.of(Long.highestOneBit(size.slots()));
    this.moments = moments;
    this.diameter = diameter;
    double h = moments.once().inverse();
    double n = this.size.slots();
    if (n < 2) {
      throw new IllegalArgumentException("a block must have at least 2 slots, but had " + n);
    }
    p = 1 + h;
    privacy = StrictMath.pow(Math.sqrt(StrictMath.log(n)) / this.size.signal(), 1 - h);
    double first = firstStep(n, h);
    double least = 1 / (moments.once().second() * StrictMath.pow(n, h / 2));
    least = Math.min(least, 1 / (moments.once().moment() * StrictMath.pow(n, h / 2)));
    least = Math.min(least, 1 / (moments.twice() * StrictMath.pow(n, p / 2) * privacy));
    eta = Math.min(first, diameter / StrictMath.pow(n, p / 2) * least);
  }

  /** eta_A: the largest step at which the sets of the phases hold their optima. */
  private double firstStep(double n, double h) {
    double sampled = 1 / (moments.once().moment() * StrictMath.pow(n, 1.5 * h));
    double hidden =
        StrictMath.pow(size.mu() / Math.sqrt(size.dimension()), 1 - h) / moments.twice();
    return moments.twice()
        * diameter
        * n
        * n
        / moments.mean()
        * Math.min(sampled, hidden)
        * (1 / Math.sqrt(n) + privacy);
  }

  /** The base step. */
  double eta() {
    return eta;
  }

  /** C_i by the moment rule, of a phase of a number of slots. */
  public double clip(long slots) {
    double h = moments.once().inverse();
    double signal = size.of(slots).mu() * slots / Math.sqrt(size.dimension());
    return moments.twice() * StrictMath.pow(signal / Math.sqrt(StrictMath.log(size.slots())), h);
  }

  /** C_1 by the moment rule. */
  public double firstClip() {
    return clip(size.slots() / 2);
  }

  /** The value of Theorem 12 with a constant of 1. */
  double risk() {
    return moments.twice() * diameter * (1 / Math.sqrt(size.slots()) + privacy);
  }

  /**
   * The phases.
   *
   * @param cap most passes of a phase
   * @param least smallest number of slots of a phase: those of few slots move little
   * @param clips the clip of a phase of a number of slots
   */
  public List<Phase> phases(long cap, long least, LongToDoubleFunction clips) {
    List<Phase> phases = new ArrayList<>();
    long n = size.slots();
    for (int i = 1; n >> i >= Math.max(1, least); i++) {
      phases.add(phase(i, n >> i, cap, clips.applyAsDouble(n >> i)));
    }
    return phases;
  }

  private Phase phase(int i, long slots, long cap, double clip) {
    double h = moments.once().inverse();
    double step = eta / StrictMath.pow(4, i);
    double power = StrictMath.pow(slots, p);
    double lambda = 1 / (step * power);
    double radius = 4
        * moments.once().moment()
        * StrictMath.pow(Math.sqrt(size.slots()) * StrictMath.pow(2, i), h)
        / lambda;
    double signal = diameter * lambda * slots * size.mu() / (2 * clip);
    double gain = StrictMath.log(Math.max(StrictMath.E, signal * signal / size.dimension()));
    double passes = Math.ceil(2 * power * gain);
    return passes <= cap
        ? new Phase(slots, (long) passes, step, lambda, clip, radius)
        : new Phase(slots, cap, Math.min(1, 2 * gain / cap) / lambda, lambda, clip, radius);
  }
}
