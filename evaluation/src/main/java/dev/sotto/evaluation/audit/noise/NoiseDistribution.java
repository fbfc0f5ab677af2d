package dev.sotto.evaluation.audit.noise;

import dev.sotto.evaluation.audit.statistics.TailProbability;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.training.Plan;
import java.util.random.RandomGenerator;

/** The law of one coordinate of the white noise z. */
public sealed interface NoiseDistribution {
  /** The law that a plan claims: of a pure mechanism sigma is the scale of Laplace noise. */
  static NoiseDistribution of(Plan plan) {
    return plan.mechanism().isPure() ? new Laplace(plan.sigma()) : new Gaussian(plan.sigma());
  }

  /** What {@link #cost} is called. */
  String costName();

  /** That cost in a guarantee. */
  double claimed(Guarantee ledger);

  /** The standard deviation. */
  double deviation();

  /**
   * P[z <= x] as the standard normal x of the same probability: what is drawn from this law becomes
   * normal.
   */
  double normalScore(double x);

  /** ln of the density at {@code x - shift} over that at {@code x}: what x says for the shift. */
  double evidence(double x, double shift);

  /**
   * What a unit costs that moves the rows of C u by so much: a mu, or of a pure mechanism an
   * epsilon.
   *
   * @param sensitivity of one participation
   */
  double cost(double[] moved, double sensitivity);

  /** One draw. */
  double draw(RandomGenerator random);

  /**
   * The size of a sample whose sum, divided by {@link #expected}, is 1 on average, and how likely
   * it would lie so far off: exact for any number of values.
   */
  double size(double x);

  /** What {@link #size} is on average. */
  double expected();

  /** How likely a sum of sizes lies at least as far out on its side, doubled. */
  double chanceOfSize(double sum, long count);

  /**
   * A normal law.
   *
   * @param deviation sigma, per coordinate of the sum
   */
  record Gaussian(double deviation) implements NoiseDistribution {
    @Override
    public String costName() {
      return "mu";
    }

    @Override
    public double claimed(Guarantee ledger) {
      return ledger.mu();
    }

    @Override
    public double normalScore(double x) {
      return x / deviation;
    }

    @Override
    public double evidence(double x, double shift) {
      return shift * (x - shift / 2) / (deviation * deviation);
    }

    /** In l2. */
    @Override
    public double cost(double[] moved, double sensitivity) {
      double squares = 0;
      for (double each : moved) {
        squares += each * each;
      }
      return sensitivity * Math.sqrt(squares) / deviation;
    }

    @Override
    public double draw(RandomGenerator random) {
      return deviation * random.nextGaussian();
    }

    @Override
    public double size(double x) {
      return x * x;
    }

    @Override
    public double expected() {
      return deviation * deviation;
    }

    /** A sum of squares is chi-square. */
    @Override
    public double chanceOfSize(double sum, long count) {
      return TailProbability.chiSquareTwoSided(sum / expected(), count);
    }
  }

  /**
   * A Laplace law; on the learner's lattice it is discrete, in steps of at most 2^-20 of it.
   *
   * @param scale the mean absolute value
   */
  record Laplace(double scale) implements NoiseDistribution {
    @Override
    public String costName() {
      return "epsilon";
    }

    @Override
    public double claimed(Guarantee ledger) {
      return ledger.epsilon();
    }

    @Override
    public double deviation() {
      return Math.sqrt(2) * scale;
    }

    @Override
    public double normalScore(double x) {
      double tail = 0.5 * StrictMath.exp(-Math.abs(x) / scale);
      double score = TailProbability.normalQuantile(tail);
      return x < 0 ? -score : score;
    }

    /**
     * Beyond both peaks it is the same for all x; a billionth more for larger ones keeps them in
     * order.
     */
    @Override
    public double evidence(double x, double shift) {
      double order = 1e-9 * shift * (x - shift / 2) / (scale * scale);
      return (Math.abs(x) - Math.abs(x - shift)) / scale + order;
    }

    /** In l1. */
    @Override
    public double cost(double[] moved, double sensitivity) {
      double sum = 0;
      for (double each : moved) {
        sum += Math.abs(each);
      }
      return sensitivity * sum / scale;
    }

    @Override
    public double draw(RandomGenerator random) {
      double size = -scale * StrictMath.log(1 - random.nextDouble());
      return random.nextBoolean() ? size : -size;
    }

    @Override
    public double size(double x) {
      return Math.abs(x);
    }

    @Override
    public double expected() {
      return scale;
    }

    /** A sum of exponentials is gamma. */
    @Override
    public double chanceOfSize(double sum, long count) {
      return TailProbability.gammaTwoSided(sum / scale, count);
    }
  }
}
