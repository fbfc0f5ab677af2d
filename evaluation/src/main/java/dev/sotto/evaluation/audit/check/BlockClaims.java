package dev.sotto.evaluation.audit.check;

import dev.sotto.evaluation.audit.noise.NoiseMatrix;
import dev.sotto.evaluation.audit.noise.ReleaseSchedule;
import dev.sotto.evaluation.audit.noise.SlotClasses;
import dev.sotto.learner.mechanism.AnswerNoise;
import dev.sotto.learner.mechanism.QueryMechanism;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.mechanism.SampledSums;
import dev.sotto.learner.training.Plan;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongToDoubleFunction;
import java.util.stream.IntStream;

/** The arithmetic of blocks, from the queries one by one. */
final class BlockClaims {
  private BlockClaims() {}

  /**
   * Whether the ledger's price of a block covers its worst slot: the sum, over the queries that
   * read it, of one over the variance of their noise.
   */
  static CheckResult ledger(Plan plan) {
    QuerySchedule schedule = plan.block();
    double worst = worst(plan, schedule);
    worst /= plan.mechanism().sensitivity(1);
    double over = Math.max(0, worst - 1);
    return new CheckResult(
        "ledger: closed forms",
        over <= 1e-9 && plan.batch() == schedule.slots() && countsEverySum(plan),
        over,
        "at most 1e-9, relatively; no chance involved",
        String.format(
            Locale.ROOT,
            "the worst slot of a block, over all %,d %s one by one, costs %.9f of what the"
                + " ledger states",
            schedule.queries(),
            ReleaseSchedule.of(plan).nouns(),
            worst));
  }

  /** The cost of the worst slot of a block, in participations where sigma is the clip. */
  private static double worst(Plan plan, QuerySchedule schedule) {
    return plan.mechanism()
        .ofQueries()
        .flatMap(QueryMechanism::answers)
        .map(each -> worst(schedule, query -> each.noise(query) / each.moves(query))
            * Math.sqrt(schedule.sampling().points()))
        .orElseGet(() -> worst(schedule, NoiseMatrix.of(plan)));
  }

  /**
   * Whether the sums whose privacy loss the ledger composes are those of all queries at all points,
   * one by one, each at its rate and noise; true where slots are not sampled.
   */
  static boolean countsEverySum(Plan plan) {
    QuerySchedule schedule = plan.block();
    List<SampledSums> stated = plan.mechanism().sampledSums();
    if (!schedule.sampling().isSecret()) {
      return stated.isEmpty();
    }
    Map<Double, Long> left = new HashMap<>(); // sums still to be counted, by their noise
    for (SampledSums each : stated) {
      if (each.rate() != schedule.sampling().rate()) {
        return false;
      }
      left.merge(each.noise(), each.sums(), Long::sum);
    }
    AnswerNoise answers =
        plan.mechanism().ofQueries().flatMap(QueryMechanism::answers).orElseThrow();
    for (long q = 1; q <= schedule.queries(); q++) {
      if (schedule.answers(q)) {
        left.merge(answers.noise(q), (long) -schedule.sampling().points(), Long::sum);
      }
    }
    return left.values().stream().allMatch(sums -> sums == 0);
  }

  /** The cost of the worst slot, row by row of a matrix. */
  private static double worst(QuerySchedule schedule, NoiseMatrix matrix) {
    int queries = (int) schedule.queries();
    double worst = 0;
    for (SlotClasses.SlotClass slots : new SlotClasses(schedule).all()) {
      double sum = 0;
      for (double moved :
          matrix.moved(IntStream.of(slots.queries()).asLongStream().toArray(), queries)) {
        sum += moved * moved;
      }
      worst = Math.max(worst, sum);
    }
    return Math.sqrt(worst);
  }

  /** The cost of the worst slot under noise of these multiples of sigma, in participations. */
  static double worst(QuerySchedule schedule, LongToDoubleFunction noise) {
    TreeMap<Long, Double> changes = new TreeMap<>(); // of the sum, by slot
    for (long q = 1; q <= schedule.queries(); q++) {
      QuerySchedule.Query query = schedule.query(q);
      double precision = 1 / (noise.applyAsDouble(q) * noise.applyAsDouble(q));
      changes.merge(query.first(), precision, Double::sum);
      changes.merge(query.end(), -precision, Double::sum);
    }
    double sum = 0;
    double worst = 0;
    for (double change : changes.values()) {
      sum += change;
      worst = Math.max(worst, sum);
    }
    return Math.sqrt(worst);
  }
}
