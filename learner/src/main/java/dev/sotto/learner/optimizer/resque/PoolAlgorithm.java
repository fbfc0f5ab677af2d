package dev.sotto.learner.optimizer.resque;

import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.optimizer.heavytail.Ball;
import dev.sotto.learner.optimizer.heavytail.BlockAlgorithm;
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
 * @param queries with as many answered queries as the schedule has rounds
 * @param silentFirst whether the block has one more query before these, which is silent
 * @param clip C of one slot's gradient
 * @param perturbations of a standard deviation of at least the ball's radius
 * @param set where the weights may lie
 */
public record PoolAlgorithm(
    PoolSchedule schedule,
    QuerySchedule queries,
    boolean silentFirst,
    double clip,
    Perturbations perturbations,
    Ball set)
    implements BlockAlgorithm {
  public PoolAlgorithm {
    long answered = queries.queries() - (silentFirst ? 1 : 0);
    if (answered != schedule.rounds()) {
      throw new IllegalArgumentException("a block must have " + schedule.rounds()
          + " answered queries, one for each round, but had " + answered);
    }
    if (!(clip > 0) || clip == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("clip must be positive and finite, but was " + clip);
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

  @Override
  public int points() {
    return schedule.points();
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
  public boolean isSilent(long query) {
    return silentFirst && query == 1;
  }

  @Override
  public PoolAlgorithm ofDimension(int dimension) {
    double[] centre = set.center() == null ? null : Arrays.copyOf(set.center(), dimension);
    return new PoolAlgorithm(
        schedule,
        queries,
        silentFirst,
        clip,
        new Perturbations(dimension, perturbations.rho(), perturbations.seed()),
        new Ball(centre, set.radius()));
  }

  @Override
  public List<String> advice(Objective objective) {
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
    return sentences;
  }

  @Override
  public String describe() {
    return schedule.describe() + " seed=" + perturbations.seed() + (silentFirst ? " sealed " : " ")
        + set.describe();
  }

  @Override
  public PoolIterates start(double[] first) {
    checkDimension(first.length);
    double[] inside = first.clone();
    set.project(inside);
    PoolIterates iterates = new PoolIterates(this, inside);
    iterates.restart();
    return iterates;
  }

  @Override
  public PoolIterates resume(int dimension, double[] iterates) {
    checkDimension(dimension);
    PoolIterates resumed = new PoolIterates(this, new double[dimension]);
    resumed.resume(iterates);
    return resumed;
  }

  private void checkDimension(int dimension) {
    if (dimension != perturbations.dimension()) {
      throw new IllegalArgumentException("there must be as many weights as a perturbation has"
          + " numbers, " + perturbations.dimension() + ", but were " + dimension);
    }
  }
}
