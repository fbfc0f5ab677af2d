package dev.sotto.learner.accounting;

/**
 * What everything published so far promises about one unit, and what everything ever published
 * will: the transcript is mu-GDP, hence (epsilon, delta)-differentially private.
 *
 * @param unit whose contribution is hidden
 * @param adjacency which change of that contribution is hidden
 * @param mechanism the config name of the noise mechanism, not blank
 * @param mu spent so far, at least 0; infinite where nothing is promised
 * @param epsilon of mu at delta, rounded up; at least 0
 * @param delta at least 0 and below 1; 0 only for mechanisms that need none
 * @param muLimit mu at the limit of the stream or at the horizon, at least mu; infinite where none
 * @param epsilonLimit epsilon of muLimit, rounded up, at least epsilon; infinite where none
 */
public record Guarantee(
    PrivacyUnit unit,
    Adjacency adjacency,
    String mechanism,
    double mu,
    double epsilon,
    double delta,
    double muLimit,
    double epsilonLimit) {

  public Guarantee {
    if (unit == null) {
      throw new IllegalArgumentException("unit must be given, but was null");
    }
    if (adjacency == null) {
      throw new IllegalArgumentException("adjacency must be given, but was null");
    }
    if (mechanism == null || mechanism.isBlank()) {
      throw new IllegalArgumentException("mechanism must have a name, but was " + mechanism);
    }
    if (!(mu >= 0)) {
      throw new IllegalArgumentException("mu must be at least 0, but was " + mu);
    }
    if (!(epsilon >= 0)) {
      throw new IllegalArgumentException("epsilon must be at least 0, but was " + epsilon);
    }
    if (!(delta >= 0 && delta < 1)) {
      throw new IllegalArgumentException("delta must be at least 0 and below 1, but was " + delta);
    }
    if (!(muLimit >= mu)) {
      throw new IllegalArgumentException(
          "muLimit must be at least mu = " + mu + ", but was " + muLimit);
    }
    if (!(epsilonLimit >= epsilon)) {
      throw new IllegalArgumentException(
          "epsilonLimit must be at least epsilon = " + epsilon + ", but was " + epsilonLimit);
    }
  }

  /**
   * The guarantee of a Gaussian mechanism, both epsilons computed and rounded up.
   *
   * @param muLimit infinite where there is no limit
   */
  public static Guarantee of(
      PrivacyUnit unit,
      Adjacency adjacency,
      String mechanism,
      double mu,
      double muLimit,
      double delta) {
    double epsilon = GaussianDp.roundUp(GaussianDp.epsilon(mu, delta));
    double atLimit = GaussianDp.roundUp(GaussianDp.epsilon(muLimit, delta));
    // Equal mu give equal epsilons; mu apart by an ulp may come out the wrong way round.
    double epsilonLimit = muLimit >= mu ? Math.max(epsilon, atLimit) : atLimit;
    return new Guarantee(unit, adjacency, mechanism, mu, epsilon, delta, muLimit, epsilonLimit);
  }
}
