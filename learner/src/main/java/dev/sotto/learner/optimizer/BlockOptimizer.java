package dev.sotto.learner.optimizer;

import dev.sotto.learner.description.Section;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.mechanism.PlanFigures;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.optimizer.heavytail.BlockAlgorithm;
import dev.sotto.learner.optimizer.heavytail.BlockIterates;
import dev.sotto.learner.optimizer.heavytail.QuantileClip;
import dev.sotto.learner.release.NoisySum;
import java.util.List;
import java.util.Optional;

/** A {@link BlockAlgorithm} that receives noisy means of a release. */
public final class BlockOptimizer implements Optimizer {
  private final BlockAlgorithm algorithm;
  private final QuerySchedule queries;
  private final String reason;

  public BlockOptimizer(BlockAlgorithm algorithm) {
    this(algorithm, 1);
  }

  /**
   * One whose form somebody may ask about.
   *
   * @param reason a sentence; empty where there was nothing to choose
   */
  BlockOptimizer(BlockAlgorithm algorithm, String reason) {
    this.algorithm = algorithm;
    this.queries = algorithm.queries();
    this.reason = reason;
  }

  /**
   * Receives medians of the means of groups instead.
   *
   * @param groups of the slots of a query, odd; 1 for the mean of all
   */
  public BlockOptimizer(BlockAlgorithm algorithm, int groups) {
    this.algorithm = algorithm;
    this.queries = algorithm.queries().inGroups(groups);
    this.reason = "";
  }

  @Override
  public String reason() {
    return reason;
  }

  @Override
  public List<String> advice(Objective objective) {
    return algorithm.advice(objective);
  }

  @Override
  public Section describe(PlanFigures plan) {
    return algorithm.describe(plan);
  }

  /** The queries of a block. */
  public QuerySchedule queries() {
    return queries;
  }

  @Override
  public Optional<QuerySchedule> block() {
    return Optional.of(queries);
  }

  @Override
  public double scale(long query) {
    return algorithm.scale(query);
  }

  @Override
  public double[][] points(long query, double[] centre) {
    return algorithm.points(query, centre);
  }

  @Override
  public NormBins norms(long query) {
    return algorithm instanceof QuantileClip quantile && quantile.firstBin(query) >= 0
        ? new NormBins(
            quantile.lowest(), QuantileClip.BINS, quantile.firstBin(query), quantile.bins(query))
        : null;
  }

  @Override
  public Optimizer ofDimension(int dimension) {
    return new BlockOptimizer(algorithm.ofDimension(dimension), queries.groups());
  }

  @Override
  public OptimizerState start(double[] first) {
    return new State(algorithm.start(first), algorithm.points());
  }

  @Override
  public OptimizerState resume(int dimension, double[] iterates, NoisySum latest) {
    return new State(algorithm.resume(dimension, iterates), algorithm.points());
  }

  @Override
  public String describe() {
    return algorithm.describe();
  }

  private static final class State implements OptimizerState {
    private final BlockIterates iterates;
    private final double[] mean;

    State(BlockIterates iterates, int points) {
      this.iterates = iterates;
      this.mean = new double[iterates.weights().length * points];
    }

    @Override
    public double[] weights() {
      return iterates.weights();
    }

    @Override
    public double[] point() {
      return iterates.point();
    }

    @Override
    public double[] earlier() {
      return iterates.earlier();
    }

    @Override
    public long query() {
      return iterates.query();
    }

    @Override
    public double gradientFactor() {
      return iterates.gradientFactor();
    }

    @Override
    public void tell(NoisySum answer) {
      answer.lastMean(mean);
      iterates.tell(mean);
    }

    @Override
    public void unanswered() {
      iterates.skip();
    }

    @Override
    public void restart() {
      iterates.restart();
    }

    @Override
    public double[] iterates() {
      return iterates.iterates();
    }
  }
}
