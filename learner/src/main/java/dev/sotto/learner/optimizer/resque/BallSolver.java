package dev.sotto.learner.optimizer.resque;

/**
 * Minimises {@code F(center + u) + (lambda / 2) ||u||^2} over the ball {@code ||u|| <= r}, F being the
 * convolved loss, from entries of a {@link Pool} each of which it uses at most once.
 */
public interface BallSolver {
  /**
   * Solves the problem; allocates nothing per entry.
   *
   * @param pool of gradients
   * @param first its first entry, from 0
   * @param entries how many may be used
   * @param into where u is written, of as many numbers as there are weights
   */
  void solve(Pool pool, int first, int entries, double[] into);

  /** The fewest entries with which the answer differs from the centre. */
  int leastEntries();

  /** All its numbers, as canonical text of one line. */
  String describe();
}
