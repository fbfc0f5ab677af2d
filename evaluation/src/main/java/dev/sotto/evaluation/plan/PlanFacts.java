package dev.sotto.evaluation.plan;

import dev.sotto.evaluation.plan.PlanForecast.Noise;
import dev.sotto.learner.description.Section;
import java.util.function.Function;

/** Facts that several descriptions have under the same names: docs/plan.md lists them. */
final class PlanFacts {
  private PlanFacts() {}

  /** After how many rounds, or at the limit. */
  static Section after(long rounds) {
    boolean limit = rounds == PlanForecast.LIMIT;
    return Section.untitled().fact("rounds", limit ? null : rounds).fact("limit", limit);
  }

  static Section cost(PrivacyCost cost) {
    return Section.untitled()
        .fact("mu", cost.mu())
        .fact("epsilon", cost.epsilon())
        .fact("delta", cost.delta())
        .fact("withinBudget", cost.allowed());
  }

  static Section noise(Noise noise, long batch) {
    return cost(noise.cost()).fact("sigma", noise.sigma()).append(error(noise.error(), batch));
  }

  static Section error(PrefixError error, long batch) {
    return Section.untitled()
        .fact("prefixErrorStd", error.std())
        .fact("prefixErrorStdOfMean", error.std() / batch)
        .fact("worstPrefixErrorStd", error.worst());
  }

  /** A figure's facts, or in their place the reason why there is none. */
  static <T> Section orReason(FigureOrReason<T> figure, Function<T, Section> facts) {
    return figure
        .value()
        .map(facts)
        .orElseGet(() -> Section.untitled().fact("reason", figure.reason()));
  }
}
