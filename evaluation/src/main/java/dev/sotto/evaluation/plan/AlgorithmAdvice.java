package dev.sotto.evaluation.plan;

import static dev.sotto.evaluation.text.FigureFormat.number;

import dev.sotto.evaluation.plan.QueryForecast.GivenSettings;
import dev.sotto.evaluation.plan.QueryForecast.Part;
import dev.sotto.evaluation.plan.QueryForecast.Reading;
import dev.sotto.learner.loss.Network;
import dev.sotto.learner.mechanism.QueryMechanism;
import dev.sotto.learner.optimizer.Optimizers;
import dev.sotto.learner.training.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * When another algorithm, or another setting, is the better choice. A function of public numbers;
 * docs/algorithms.md, "Which one" has the reasons.
 */
final class AlgorithmAdvice {
  private static final double MANY_PASSES = 50;
  private static final String RESQUE = Optimizers.RESQUE.configName();
  private static final Set<String> HEAVY_TAILS = Set.of(
      Optimizers.CLIPPED_AC_SA.configName(),
      Optimizers.CLIPPED_SGD.configName(),
      Optimizers.PROX_CLIPPED_SGD.configName(),
      Optimizers.LOCALIZED_ERM.configName());

  private final Plan plan;
  private final GivenSettings given;
  private final List<String> sentences = new ArrayList<>();

  private AlgorithmAdvice(Plan plan, GivenSettings given) {
    this.plan = plan;
    this.given = given;
  }

  /** Sentences, possibly none. */
  static List<String> of(Plan plan, GivenSettings given, List<Part> parts, Reading reading) {
    AlgorithmAdvice advice = new AlgorithmAdvice(plan, given);
    // In a tree, no query has noise of its own.
    if (plan.mechanism().ofQueries().flatMap(QueryMechanism::answers).isPresent()
        && !plan.isOrdered()) {
      advice.noise(parts.stream().filter(Part::answers).toList(), reading);
    }
    advice.passes(reading);
    advice.loss();
    return List.copyOf(advice.sentences);
  }

  private void noise(List<Part> parts, Reading reading) {
    double all =
        parts.stream().mapToDouble(each -> each.noise().noiseOfAll()).min().orElseThrow();
    double one =
        parts.stream().mapToDouble(each -> each.noise().noiseOfOne()).min().orElseThrow();
    String less = "Noise falls as 1/block.slots and 1/privacy.epsilon, and with fewer weights.";
    if (all > 1) {
      sentences.add("Even in the mean of all queries of a block the noise is " + number(all)
          + " times as long as the clip: almost nothing will be learned. " + less
          + " With a block of about " + number(Math.ceil(all * reading.slots()))
          + " slots it is as long as the clip.");
    } else if (one > 1) {
      sentences.add("The noise of each query is longer than the clip, " + number(one)
          + " times or more: a single step says little, and only many together learn. " + less);
    }
  }

  private void passes(Reading reading) {
    if (reading.passes() > MANY_PASSES) {
      sentences.add(
          "Each event is read " + RetentionRule.passes(reading) + " times in the mean: the"
              + " learner must keep up with as many events for each that arrives. "
              + (plan.algorithm().equals(Optimizers.LOCALIZED_ERM.configName())
                  ? "localized.cap bounds this; "
                  : "")
              + "private-ftrl reads each event once"
              + (isForPools() ? ", and " + RESQUE + " once for each of resque.rounds." : "."));
    }
  }

  private boolean isForPools() {
    return !plan.algorithm().equals(RESQUE)
        && !(plan.objective() instanceof Network)
        && plan.objective().lipschitz() < Double.POSITIVE_INFINITY;
  }

  private void pools(boolean convex) {
    if (!convex) {
      sentences.add("Loss " + plan.lossName() + " is not convex, and nothing is known of " + RESQUE
          + " there: tree-momentum-nsgd and sensitivity-reduced-nsgd are made for it.");
      return;
    }
    if (!plan.optimizer().reason().isEmpty()) {
      sentences.add(plan.optimizer().reason());
    }
    if (plan.isOrdered()) {
      sentences.add(
          "Each event is read once. With resque.form pool, which layout rounds has always,"
              + " blocks are read many times, and the guarantee rests on clipping and noise alone."
              + " Where data drift, private-ftrl is the first choice.");
      return;
    }
    sentences.add(
        "Where data drift, or a round costs little time, private-ftrl is the first choice:"
            + " it learns from every round of events as they arrive, and reads each once. " + RESQUE
            + " is made for few rounds that wait for each other: many partitions that are summed at"
            + " once, in layout rounds, or workers far apart.");
    if (plan.mechanism().sampledSums().isEmpty()) {
      sentences.add("With resque.rate below 1 each slot enters fewer sums, at as many fewer"
          + " gradients and often little more noise. Its guarantee counts on secret coins: whoever"
          + " has the noise key can undo it.");
    }
  }

  private void loss() {
    boolean convex = !(plan.objective() instanceof Network);
    if (plan.algorithm().equals(RESQUE)) {
      pools(convex);
      return;
    }
    boolean smooth = plan.objective().smoothness() < Double.POSITIVE_INFINITY;
    if (!HEAVY_TAILS.contains(plan.algorithm())) {
      if (convex) {
        sentences.add("Loss " + plan.lossName() + " is convex: private-ftrl learns it too, with a"
            + " bound on the loss itself. " + plan.algorithm() + " only bounds its gradient.");
      }
      return;
    }
    if (!convex) {
      sentences.add("Loss " + plan.lossName() + " is not convex, and nothing is known of "
          + plan.algorithm() + " there: tree-momentum-nsgd and sensitivity-reduced-nsgd are made"
          + " for it.");
    } else if (given.normed()
        && !given.moments()
        && plan.objective().lipschitz() < Double.POSITIVE_INFINITY) {
      sentences.add("Gradients are bounded: that of loss " + plan.lossName() + " by "
          + number(plan.objective().lipschitz())
          + " at features of norm 1. Without heavy tails private-ftrl is the first choice: it"
          + " learns from every round, and follows data that drift.");
    }
    if (smooth && plan.algorithm().equals(Optimizers.LOCALIZED_ERM.configName())) {
      sentences.add("The loss has no kinks: clipped-ac-sa learns it in one pass.");
    }
  }
}
