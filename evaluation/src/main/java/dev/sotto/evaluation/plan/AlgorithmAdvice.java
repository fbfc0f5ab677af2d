package dev.sotto.evaluation.plan;

import static dev.sotto.learner.description.FigureFormat.number;

import dev.sotto.evaluation.plan.QueryForecast.GivenSettings;
import dev.sotto.evaluation.plan.QueryForecast.Part;
import dev.sotto.evaluation.plan.QueryForecast.Reading;
import dev.sotto.learner.loss.NamedObjective;
import dev.sotto.learner.mechanism.Released;
import dev.sotto.learner.optimizer.AdviceInputs;
import dev.sotto.learner.optimizer.settings.Optimizers;
import dev.sotto.learner.training.Plan;
import java.util.ArrayList;
import java.util.List;

/**
 * When another algorithm, or another setting, is the better choice. A function of public numbers;
 * docs/algorithms.md, "Which one" has the reasons.
 */
final class AlgorithmAdvice {
  private static final double MANY_PASSES = 50;
  private static final String RESQUE = Optimizers.RESQUE.configName();

  private final Plan plan;
  private final List<String> sentences = new ArrayList<>();

  private AlgorithmAdvice(Plan plan) {
    this.plan = plan;
  }

  /** Sentences, possibly none. */
  static List<String> of(Plan plan, GivenSettings given, List<Part> parts, Reading reading) {
    AlgorithmAdvice advice = new AlgorithmAdvice(plan);
    // In a tree, no query has noise of its own.
    if (plan.mechanism().released() == Released.ANSWER) {
      advice.noise(parts.stream().filter(Part::answers).toList(), reading);
    }
    Optimizers algorithm = Optimizers.named(plan.algorithm()).orElseThrow();
    advice.passes(reading, algorithm);
    advice.sentences.addAll(plan.optimizer()
        .advice(new AdviceInputs(
            plan.algorithm(),
            new NamedObjective(plan.lossName(), plan.objective()),
            given.moments(),
            given.normed())));
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

  private void passes(Reading reading, Optimizers algorithm) {
    if (reading.passes() > MANY_PASSES) {
      sentences.add(
          "Each event is read " + RetentionRule.passes(reading) + " times in the mean: the"
              + " learner must keep up with as many events for each that arrives. "
              + algorithm.passesKey().map(key -> key.name() + " bounds this; ").orElse("")
              + "private-ftrl reads each event once"
              + (isForPools() ? ", and " + RESQUE + " once for each of resque.rounds." : "."));
    }
  }

  private boolean isForPools() {
    return !plan.algorithm().equals(RESQUE)
        && plan.objective().isConvex()
        && plan.objective().lipschitz() < Double.POSITIVE_INFINITY;
  }
}
