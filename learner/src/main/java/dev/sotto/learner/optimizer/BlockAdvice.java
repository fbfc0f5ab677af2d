package dev.sotto.learner.optimizer;

import static dev.sotto.learner.description.FigureFormat.number;

import java.util.ArrayList;
import java.util.List;

/** When another algorithm is the better choice; docs/algorithms.md, "Which one" has the reasons. */
final class BlockAdvice {
  private BlockAdvice() {}

  /** Of algorithms for heavy tails. */
  static List<String> heavyTails(AdviceInputs of) {
    List<String> sentences = new ArrayList<>();
    double lipschitz = of.objective().lipschitz();
    if (!of.objective().isConvex()) {
      sentences.add(of.notConvex());
    } else if (of.normed() && !of.moments() && lipschitz < Double.POSITIVE_INFINITY) {
      sentences.add("Gradients are bounded: that of loss " + of.loss() + " by " + number(lipschitz)
          + " at features of norm 1. Without heavy tails private-ftrl is the first choice: it"
          + " learns from every round, and follows data that drift.");
    }
    sentences.addAll(of.optimizer().advice(of.objective()));
    return sentences;
  }

  /** Of {@code resque}: its form, and what else there is. */
  static List<String> resque(AdviceInputs of) {
    if (!of.objective().isConvex()) {
      return List.of(of.notConvex());
    }
    List<String> sentences = new ArrayList<>();
    if (!of.optimizer().reason().isEmpty()) {
      sentences.add(of.optimizer().reason());
    }
    sentences.addAll(of.optimizer().advice(of.objective()));
    return sentences;
  }

  /** Of algorithms for losses that need not be convex. */
  static List<String> notConvex(AdviceInputs of) {
    return of.objective().isConvex()
        ? List.of(
            "Loss " + of.loss() + " is convex: private-ftrl learns it too, with a bound on the"
                + " loss itself. " + of.algorithm() + " only bounds its gradient.")
        : List.of();
  }
}
