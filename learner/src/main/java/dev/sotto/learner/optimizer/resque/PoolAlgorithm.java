package dev.sotto.learner.optimizer.resque;

import dev.sotto.learner.mechanism.PlanFigures;
import dev.sotto.learner.description.Section;
import static dev.sotto.learner.description.FigureFormat.number;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.optimizer.AdviceInputs;
import dev.sotto.learner.optimizer.BlockAlgorithm;
import dev.sotto.learner.optimizer.heavytail.Ball;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Accelerated proximal point steps of a fixed lambda over noisy gradient pools. Round k asks for
 * the noisy mean gradients G_1..G_M at M random perturbations of one public centre y_k, all at
 * once. What follows is post-processing:
 *
 * <pre>
 * a = (1 + sqrt(1 + 4 lambda A)) / (2 lambda),  y = (A x + a v) / (A + a)
 * x = the solver's answer from entries 1..M/2
 * z = the solver's answer from entries M/2+1..M
 * v = Proj(v - a lambda (y - z) / 2),  A = A + a
 * </pre>
 *
 * <p>x of the last round is published, moved into the set. The next block begins there with A = 0.
 *
 * @param schedule public numbers
 * @param queries with as many answered queries as the schedule has rounds, behind one that only
 *     reads where they are sampled
 * @param perturbations of a standard deviation of at least the ball's radius
 * @param set where the weights may lie
 * @param reason why pools were chosen; empty where somebody chose them by name
 */
public record PoolAlgorithm(
    PoolSchedule schedule,
    QuerySchedule queries,
    Perturbations perturbations,
    Ball set,
    String reason)
    implements BlockAlgorithm {
  public PoolAlgorithm {
    long answered = queries.queries() - (queries.answers(1) ? 0 : 1);
    if (answered != schedule.rounds()) {
      throw new IllegalArgumentException("a block must have " + schedule.rounds()
          + " answered queries, one for each round, but had " + answered);
    }
    if (perturbations.rho() != schedule.rho()) {
      throw new IllegalArgumentException("perturbations must have the schedule's rho "
          + schedule.rho() + ", but had " + perturbations.rho());
    }
    if ((long) schedule.points() * perturbations.dimension() > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException("a round's answer must have less than 2^31 numbers, but"
          + " has " + schedule.points() + " points of " + perturbations.dimension());
    }
  }

  /** Points of a round. */
  public int points() {
    return schedule.points();
  }

  @Override
  public double clip() {
    return schedule.ball().lipschitz();
  }

  @Override
  public double[][] points(long query, double[] center) {
    double[][] points = new double[points()][center.length];
    for (int i = 0; i < points.length; i++) {
      perturbations.point(query, i, center, points[i]);
    }
    return points;
  }

  @Override
  public PoolAlgorithm ofDimension(int dimension) {
    double[] centre = set.center() == null ? null : Arrays.copyOf(set.center(), dimension);
    return new PoolAlgorithm(
        schedule,
        queries,
        new Perturbations(dimension, perturbations.rho(), perturbations.seed()),
        new Ball(centre, set.radius()),
        reason);
  }

  @Override
  public List<String> advice(AdviceInputs of) {
    List<String> sentences = new ArrayList<>();
    sentences.add(
        "Where data drift, or a round costs little time, private-ftrl is the first choice:"
            + " it learns from every round of events as they arrive, and reads each once. resque"
            + " is made for few rounds that wait for each other: many partitions that are summed at"
            + " once, in layout rounds, or workers far apart.");
    if (!queries.sampling().isSecret()) {
      sentences.add("With resque.rate below 1 each slot enters fewer sums, at as many fewer"
          + " gradients and often little more noise. Its guarantee counts on secret coins: whoever"
          + " has the noise key can undo it.");
    }
    return ResqueAdvice.of(of, reason, sentences);
  }

  @Override
  public Section describe(PlanFigures plan) {
    long sums = schedule.rounds() * points();
    String entered = number(sums * schedule.rate());
    String slots = queries.sampling().isSecret()
        ? "A slot enters each sum with probability " + number(schedule.rate())
            + ", by secret coins: about " + entered + " of the " + sums
            + " sums of a block. A mean is over " + number(schedule.rate()) + " x "
            + queries.slots() + " slots, however many were chosen. What is read without an answer"
            + " binds the coins to the content of the whole block."
        : "A slot enters all " + entered + " sums of a block.";
    return Section.untitled()
        .sentence("Each query asks at " + points() + " points, of which each has a sum and noise of"
            + " its own: one / clip is that of one point, all / clip of all points of all queries. "
            + slots);
  }

  @Override
  public String describe() {
    return schedule.describe() + " seed=" + perturbations.seed()
        + (queries.answers(1) ? " " : " sealed ") + set.describe();
  }

  @Override
  public void project(double[] weights) {
    checkDimension(weights.length);
    set.project(weights);
  }

  @Override
  public PoolIterates iterates(double[] published) {
    checkDimension(published.length);
    return new PoolIterates(this, published);
  }

  private void checkDimension(int dimension) {
    if (dimension != perturbations.dimension()) {
      throw new IllegalArgumentException("there must be as many weights as a perturbation has"
          + " numbers, " + perturbations.dimension() + ", but were " + dimension);
    }
  }
}
