package dev.sotto.evaluation.audit.subject;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.loss.MonotoneSlope;
import dev.sotto.learner.mechanism.PathNoise;
import dev.sotto.learner.training.Plan;
import java.util.Arrays;

/**
 * The path of a phase, written out from its definition (docs/resque.md, "What happens in a block:
 * one pass"), with or without a fault.
 */
final class PathByHand {
  private static final double FULL_STEP_TO = 64; // clips; longer gradients have shorter steps

  private final PathFault fault;
  private final PathNoise noise;
  private final MonotoneSlope slope;
  private final double clip;
  private final double radius;
  private final double[] point;
  private final double[] sum;
  private double step;
  private long slots;
  private long records;

  PathByHand(PathFault fault, Plan plan) {
    this.fault = fault;
    this.noise = (PathNoise) plan.mechanism();
    this.slope = MonotoneSlope.of(plan.objective()).orElseThrow();
    this.clip = plan.clip();
    this.radius = noise.reach() * clip;
    this.point = new double[plan.dimension()];
    this.sum = new double[plan.dimension()];
  }

  /** Begins a phase. */
  void open(long number, double[] start) {
    System.arraycopy(start, 0, point, 0, point.length);
    project(point);
    Arrays.fill(sum, 0);
    step = noise.step(number);
    slots = 0;
    records = 0;
  }

  /** Fills a slot. */
  void add(Example example) {
    addNothing();
    records++;
    double norm = example.norm();
    if (!(norm >= 0x1p-400 && norm <= 0x1p400)) {
      return;
    }
    double width = noise.smoothing() * norm;
    double weight = example.weight();
    double score = 0;
    for (int i = 0; i < example.size(); i++) {
      score += example.value(i) * point[example.index(i)];
    }
    double c = weight * slope.at(score, example.label(), width);
    double eta = step;
    if (fault != PathFault.SLOPES_NOT_CUT) {
      c = Math.max(-clip / norm, Math.min(clip / norm, c));
    }
    if (fault != PathFault.STEP_TOO_LONG) {
      eta = Math.min(eta, 2 / (slope.curvature(width) * weight * norm * norm));
      double longest = slope.lipschitz() * weight * norm;
      eta = longest < Double.POSITIVE_INFINITY
          ? Math.min(eta, FULL_STEP_TO * step * clip / longest)
          : eta;
    }
    for (int i = 0; i < example.size(); i++) {
      point[example.index(i)] -= eta * c * example.value(i);
    }
    project(point);
  }

  /** Fills a slot with nothing. */
  void addNothing() {
    slots++;
    for (int i = 0; i < sum.length; i++) {
      sum[i] += point[i];
    }
  }

  /** The average of the points before each slot. */
  double[] average() {
    double[] average = sum.clone();
    double count = fault == PathFault.REALISED_COUNT ? Math.max(1, records) : slots;
    for (int i = 0; i < average.length; i++) {
      average[i] /= count;
    }
    return average;
  }

  /** Moves a point into the ball. */
  void project(double[] of) {
    double squares = 0;
    for (double each : of) {
      squares += each * each;
    }
    double norm = Math.sqrt(squares);
    for (int i = 0; i < of.length && norm > radius; i++) {
      of[i] *= radius / norm;
    }
  }
}
