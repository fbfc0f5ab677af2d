package dev.sotto.learner.optimizer.resque;

/**
 * Lengths of {@link AcSa} (Algorithm 2, Proposition 4).
 *
 * @param steps T of an epoch
 * @param batches N_k, entries of a step of epoch k, one number for each epoch
 */
public record AcSaSizing(int steps, int... batches) {
  private static final int MOST_EPOCHS = 40;

  public AcSaSizing {
    if (steps < 1 || batches.length < 1) {
      throw new IllegalArgumentException("there must be at least one step and epoch, but were "
          + steps + " and " + batches.length);
    }
    batches = batches.clone();
    for (int each : batches) {
      if (each < 1) {
        throw new IllegalArgumentException("a batch must have at least 1 entry, but had " + each);
      }
    }
  }

  /** A copy. */
  @Override
  public int[] batches() {
    return batches.clone();
  }

  /** Entries of all epochs. */
  public long entries() {
    long sum = 0;
    for (int each : batches) {
      sum += each;
    }
    return sum * steps;
  }

  /**
   * As many epochs as a number of entries allows, with batches that double from one to the next: at
   * most those of the same first batch as printed. Fewer entries make shorter epochs.
   */
  public static AcSaSizing fit(BallProblem problem, int entries) {
    int steps = Math.max(1, Math.min(steps(problem), entries));
    double ratio = problem.lipschitz() / (problem.lambda() * problem.radius());
    double printed = Math.ceil(96 * ratio * ratio / steps);
    int perStep = Math.max(1, entries / steps);
    int epochs = 1;
    while (epochs < MOST_EPOCHS && printed * ((1L << (epochs + 1)) - 1) <= perStep) {
      epochs++;
    }
    int[] batches = new int[epochs];
    int base = (int) Math.max(1, perStep / ((1L << epochs) - 1));
    for (int k = 0; k < epochs; k++) {
      batches[k] = base << k;
    }
    return new AcSaSizing(steps, batches);
  }

  /** T = ceil(4 sqrt(L / (rho lambda) + 1)). */
  static int steps(BallProblem problem) {
    double condition = problem.lipschitz() / (problem.rho() * problem.lambda());
    return (int) Math.min(1 << 20, Math.ceil(4 * Math.sqrt(condition + 1) * (1 - 1e-12)));
  }

  String describe() {
    StringBuilder text = new StringBuilder().append(steps);
    for (int each : batches) {
      text.append('*').append(each);
    }
    return text.toString();
  }
}
