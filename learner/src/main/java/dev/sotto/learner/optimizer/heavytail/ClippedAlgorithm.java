package dev.sotto.learner.optimizer.heavytail;

import static dev.sotto.learner.description.FigureFormat.number;

import dev.sotto.learner.optimizer.AdviceInputs;
import dev.sotto.learner.optimizer.BlockAlgorithm;
import java.util.ArrayList;
import java.util.List;

/** A block algorithm for gradients of any length, whose clip may be a quantile of their norms. */
public interface ClippedAlgorithm extends BlockAlgorithm {
  /**
   * The share of a block's gradients that a good clip cuts (docs/heavy-tails.md, "What must be
   * known"). Above 0; it may exceed 1 where noise is very large.
   */
  double tail(BlockSize size);

  @Override
  default List<String> advice(AdviceInputs of) {
    if (!of.isConvex()) {
      return of.notConvex();
    }
    double lipschitz = of.loss().objective().lipschitz();
    List<String> sentences = new ArrayList<>();
    if (of.normed() && !of.moments() && lipschitz < Double.POSITIVE_INFINITY) {
      sentences.add("Gradients are bounded: that of loss " + of.loss().name() + " by "
          + number(lipschitz) + " at features of norm 1. Without heavy tails private-ftrl is the"
          + " first choice: it learns from every round, and follows data that drift.");
    }
    return sentences;
  }
}
