package dev.sotto.learner.optimizer.resque;

import dev.sotto.learner.optimizer.BlockIterates;
import java.util.Arrays;

/** The way of one model through a {@link PoolAlgorithm}. */
public final class PoolIterates extends BlockIterates {
  /** The largest number of blocks: all numbers up to it are doubles. */
  private static final double MOST_BLOCKS = 0x1p53;

  private final PoolAlgorithm algorithm;
  private final BallSolver solver;
  private final Acceleration acceleration;
  private final double[] center;
  private final double[] offset;
  private final NoisyPool pool;
  private long blocks; // that ended

  PoolIterates(PoolAlgorithm algorithm, double[] published) {
    super(published, algorithm.queries());
    this.algorithm = algorithm;
    this.solver = algorithm.schedule().ballSolver();
    this.acceleration = new Acceleration(published.length);
    this.center = new double[published.length];
    this.offset = new double[published.length];
    this.pool = new NoisyPool(algorithm.perturbations());
  }

  /** The centre y of the next query's points. */
  @Override
  public double[] point() {
    return center;
  }

  /** The next query's number in the whole run: queries of all earlier blocks count too. */
  public long runQuery() {
    return blocks * algorithm.queries().queries() + query();
  }

  @Override
  protected void begin() {
    acceleration.begin(published);
  }

  @Override
  protected void prepare(long next) {
    acceleration.center(algorithm.schedule().lambda(), center);
  }

  @Override
  protected void step(long asked, double[] means) {
    int length = center.length;
    int points = algorithm.points();
    if (!algorithm.queries().answers(asked) || means.length != points * length) {
      throw new IllegalArgumentException("a round gets " + points + " means of " + length
          + " numbers and a silent query nothing, but query " + asked + " got " + means.length
          + " numbers");
    }
    pool.take(runQuery(), means);
    int half = points / 2;
    solver.solve(pool, 0, half, offset);
    for (int i = 0; i < length; i++) {
      acceleration.x[i] = center[i] + offset[i];
    }
    solver.solve(pool, half, half, offset);
    acceleration.advance(algorithm.schedule().lambda(), offset, algorithm.set());
  }

  @Override
  protected void result(double[] into) {
    split(acceleration.x, into);
    algorithm.set().project(into);
    blocks++;
  }

  @Override
  protected double[] own() {
    double[] all = Arrays.copyOf(join(acceleration.x, acceleration.v), 2 * center.length + 2);
    all[2 * center.length] = acceleration.mass();
    all[2 * center.length + 1] = blocks;
    return all;
  }

  @Override
  protected void take(double[] own) {
    split(own, acceleration.x, acceleration.v);
    double mass = own[2 * center.length];
    double ended = own[2 * center.length + 1];
    if (!(mass >= 0 && ended >= 0 && ended <= MOST_BLOCKS && ended == Math.rint(ended))) {
      throw new IllegalArgumentException(
          "a mass is at least 0 and blocks are counted, but were " + mass + " and " + ended);
    }
    acceleration.mass(mass);
    blocks = (long) ended;
  }
}
