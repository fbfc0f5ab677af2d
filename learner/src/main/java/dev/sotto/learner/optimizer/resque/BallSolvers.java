package dev.sotto.learner.optimizer.resque;

/** Every {@link BallSolver} that a schedule can name. */
public enum BallSolvers {
  WEIGHTED_SGD("weighted-sgd") {
    @Override
    public BallSolver of(BallProblem problem, int entries) {
      return new WeightedSgd(problem.lambda(), problem.radius());
    }
  },
  EPOCH_SGD("epoch-sgd") {
    @Override
    public BallSolver of(BallProblem problem, int entries) {
      return new EpochSgd(problem.lambda(), problem.radius());
    }
  },
  AC_SA("ac-sa") {
    @Override
    public BallSolver of(BallProblem problem, int entries) {
      return new AcSa(problem, AcSaSizing.fit(problem, entries));
    }
  };

  private final String written;

  BallSolvers(String written) {
    this.written = written;
  }

  /** Its name in settings. */
  public String written() {
    return written;
  }

  /**
   * The solver of a problem.
   *
   * @param entries of a pool, of which it may use as many
   */
  public abstract BallSolver of(BallProblem problem, int entries);
}
