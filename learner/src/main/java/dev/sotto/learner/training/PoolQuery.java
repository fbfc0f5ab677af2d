package dev.sotto.learner.training;

import dev.sotto.learner.mechanism.QuerySchedule;

/**
 * What a query at several points asks beside its centre. Public, but for nobody's use without the
 * noise key.
 *
 * @param points at which gradients are taken; shared, not to be changed
 * @param rate the probability with which a slot takes part at each of them
 * @param seed of the secret coins, where the rate is below 1; else empty
 * @param answers whether it is answered; if not, its slots are only read
 */
public record PoolQuery(double[][] points, double rate, byte[] seed, boolean answers) {
  /** Of the query of a block; null where that asks for one sum over all slots. */
  static PoolQuery of(Plan plan, long round, long number, double[] centre, byte[] seed) {
    QuerySchedule queries = plan.block();
    if (!plan.asksPools()) {
      return null;
    }
    boolean answers = queries.answers(number);
    double[][] points = answers ? plan.optimizer().points(round, centre) : new double[0][];
    return new PoolQuery(points, queries.sampling().rate(), seed, answers);
  }

  boolean samples() {
    return answers && rate < 1;
  }
}
