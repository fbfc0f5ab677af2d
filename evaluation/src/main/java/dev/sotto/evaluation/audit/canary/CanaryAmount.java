package dev.sotto.evaluation.audit.canary;

import dev.sotto.learner.loss.MonotoneSlope;
import dev.sotto.learner.mechanism.OrderedNoise;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.optimizer.DifferenceClips;
import dev.sotto.learner.training.Plan;
import java.util.Optional;

/**
 * How far a canary moves the exact answer of a query that reads it, as a multiple of the clip: 1
 * where slots are added up.
 *
 * <ul>
 *   <li>Where slots move a path, all points behind the canary's move by the step, and none before:
 *       the average by {@code step (T - 1 - place) / T}, T being the slots of the phase.
 *   <li>Where queries with windows ask for changes of gradients, a canary, whose gradient is the
 *       same everywhere, adds the share of fresh ones.
 * </ul>
 */
final class CanaryAmount {
  private final Plan plan;
  private final QuerySchedule queries;
  private final Canary canary;

  CanaryAmount(Plan plan) {
    this.plan = plan;
    this.queries = plan.block();
    this.canary = Canary.of(plan);
  }

  /**
   * Of a query.
   *
   * @param number of the query in its block, from 1
   * @param slot of the block, from 0
   */
  double of(int number, long slot) {
    Optional<OrderedNoise> paths = plan.paths();
    if (paths.isPresent()) {
      QuerySchedule.Query query = queries.query(number);
      double behind = query.slots() - 1.0 - (slot - query.first());
      return step(paths.get(), number) * behind / query.slots();
    }
    DifferenceClips clips = plan.optimizer().clips(number);
    return clips == null
        ? 1
        : Math.min(
            1, clips.share() * clips.gradient() / plan.clip() * plan.optimizer().scale(number));
  }

  /** Its step: the phase's, unless 2 over the smoothness of the canary is less. */
  private double step(OrderedNoise noise, long number) {
    double width = noise.smoothing() * Math.abs(canary.value());
    double curvature = MonotoneSlope.of(plan.objective()).orElseThrow().curvature(width);
    double smoothness = curvature * canary.weight() * canary.value() * canary.value();
    return Math.min(noise.step(number), 2 / smoothness);
  }
}
