package dev.sotto.evaluation.plan.simulation;

import dev.sotto.learner.loss.Loss;
import java.util.Random;

/** How made-up labels follow from a true score. */
enum LabelModel {
  /** Any number: the score and some noise. */
  VALUE(1) {
    @Override
    double draw(double score, Random random) {
      return score + random.nextGaussian() / 2;
    }
  },
  /** Whole numbers from 0: Poisson, the score being the logarithm of the mean. */
  COUNT(0.5) {
    @Override
    double draw(double score, Random random) {
      double left = StrictMath.exp(score);
      int count = -1;
      while (left >= 0) {
        left += StrictMath.log1p(-random.nextDouble());
        count++;
      }
      return count;
    }
  },
  /** 0 or 1, the score being the log-odds. */
  COIN(2) {
    @Override
    double draw(double score, Random random) {
      return random.nextDouble() < 1 / (1 + StrictMath.exp(-score)) ? 1 : 0;
    }
  };

  private final double spread;

  LabelModel(double spread) {
    this.spread = spread;
  }

  /** A label. */
  abstract double draw(double score, Random random);

  /** The standard deviation of true scores. */
  double spread() {
    return spread;
  }

  /**
   * The model whose labels a loss admits.
   *
   * @throws IllegalArgumentException where it admits none of them
   */
  static LabelModel of(Loss loss) {
    if (!loss.admits(0) || !loss.admits(1)) {
      throw new IllegalArgumentException("no labels can be made up for this loss: " + loss);
    }
    if (!loss.admits(2)) {
      return COIN;
    }
    return loss.admits(-0.5) ? VALUE : COUNT;
  }
}
