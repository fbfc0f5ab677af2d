package dev.sotto.evaluation.plan;

import dev.sotto.evaluation.plan.QueryForecast.After;
import dev.sotto.evaluation.plan.QueryForecast.GivenSettings;
import dev.sotto.evaluation.plan.QueryForecast.Memory;
import dev.sotto.evaluation.plan.QueryForecast.Part;
import dev.sotto.evaluation.plan.QueryForecast.QueryStd;
import dev.sotto.evaluation.plan.QueryForecast.Range;
import dev.sotto.evaluation.plan.QueryForecast.Reading;
import dev.sotto.evaluation.plan.QueryForecast.UnitCost;
import dev.sotto.evaluation.plan.QueryForecast.Work;
import dev.sotto.learner.mechanism.OwnMechanism;
import dev.sotto.learner.mechanism.QueryNoise;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.mechanism.QuerySchedule.Segment;
import dev.sotto.learner.optimizer.Optimizer;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.training.Plan;
import dev.sotto.topology.log.RememberedSlots;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Computes a {@link QueryForecast}. */
final class QueryForecastBuilder {
  private final PlanScenario scenario;
  private final GivenSettings given;
  private final Plan plan;
  private final Optimizer optimizer;
  private final OwnMechanism mechanism;

  QueryForecastBuilder(PlanScenario scenario, GivenSettings given) {
    this.scenario = scenario;
    this.given = given;
    this.plan = scenario.plan();
    this.optimizer = plan.optimizer();
    this.mechanism = (OwnMechanism) plan.mechanism();
  }

  QueryForecast build(List<Long> rounds) {
    TreeSet<Long> ascending = new TreeSet<>(rounds);
    ascending.add(1L);
    ascending.add(PlanForecast.LIMIT);
    if (ascending.first() < 1) {
      throw new IllegalArgumentException("rounds must be at least 1, but were " + rounds);
    }
    QuerySchedule queries = optimizer.queries();
    List<Part> parts = queries == null ? List.of(round()) : parts(queries);
    Reading reading = reading(queries, parts);
    return new QueryForecast(
        scenario,
        given,
        ascending.stream()
            .map(each -> new After(each, PrivacyCost.of(plan.account(), plan, each)))
            .toList(),
        new Work(reading, parts, memory(reading)),
        unit(),
        AlgorithmAdvice.of(plan, given, sums(parts), reading));
  }

  /** The parts that sum gradients. */
  private List<Part> sums(List<Part> parts) {
    return plan.countsNorms() ? parts.subList(0, parts.size() - 1) : parts;
  }

  private List<Part> parts(QuerySchedule queries) {
    List<Part> parts = new ArrayList<>();
    long first = 1;
    for (Segment each : queries.segments()) {
      long passes = Math.multiplyExact(each.repeats(), each.passes());
      long all = Math.multiplyExact(each.batches(), passes);
      double std =
          mechanism instanceof QueryNoise noise ? plan.sigma() * noise.noise(first) : nodeStd();
      parts.add(part(each, new long[] {passes, all, gradients(first, all)}, first + all - 1, std));
      first += all;
    }
    return parts;
  }

  /** Where a round is one query. */
  private Part round() {
    Segment all = Segment.whole(0, plan.batch(), 1, 1);
    int gradients = optimizer.isRecursive() || optimizer.clips(2) != null ? 2 : 1;
    return part(all, new long[] {1, 1, gradients}, 2, nodeStd());
  }

  /** Of a tree over queries: its noisiest node. */
  private double nodeStd() {
    double increment = Math.sqrt(mechanism.incrementVariance());
    return plan.sigma() * Math.max(mechanism.leastNoise(), increment);
  }

  private Part part(Segment range, long[] counts, long query, double std) {
    double scale = optimizer.scale(query);
    double clip = plan.clip() / scale;
    double meanStd = std / (range.slots() / range.batches()) / scale;
    double ofOne = meanStd * Math.sqrt(plan.dimension()) / clip;
    return new Part(
        new Range(range.first(), range.slots(), range.batches(), counts[0]),
        counts[1],
        (int) counts[2],
        clip,
        new QueryStd(std, meanStd, ofOne, ofOne / Math.sqrt(counts[1])));
  }

  /** Of one example in one query of a segment, at most: its first query may ask for fewer. */
  private long gradients(long first, long queries) {
    boolean differences =
        optimizer.clips(first) != null || optimizer.clips(first + queries - 1) != null;
    return differences ? 2 : 1;
  }

  private Reading reading(QuerySchedule queries, List<Part> parts) {
    double gradients = 0;
    for (Part each : parts) {
      gradients += (double) each.gradients() * each.passes() * each.range().slots();
    }
    return queries == null
        ? new Reading(plan.batch(), 1, 1, 1, gradients, false)
        : new Reading(
            queries.slots(),
            queries.queries(),
            (double) queries.reads() / queries.slots(),
            queries.mostReads(),
            gradients,
            queries.readsAgain());
  }

  private Memory memory(Reading reading) {
    return new Memory(
        (long) Double.BYTES * optimizer.start(plan.start()).iterates().length,
        (long) Double.BYTES * plan.dimension(),
        reading.again() ? (reading.slots() - 1) / Byte.SIZE + 1 : 0,
        reading.again() ? RememberedSlots.MOST_BYTES : 0);
  }

  private UnitCost unit() {
    double mu = plan.sensitivity() / plan.sigma();
    Participation rule = plan.participation();
    long blocks = 1;
    double most = mu;
    if (rule instanceof Participation.Scheduled scheduled) {
      blocks = scheduled.bound().most();
      most = mechanism.sensitivityLimit(scheduled.bound()) * mu;
    } else if (rule instanceof Participation.Budgeted) {
      blocks = scenario.inARow();
      most = mechanism.isEndless() ? Double.NaN : Math.sqrt(blocks) * mu;
    }
    return new UnitCost(sentence(rule), mu, blocks, most);
  }

  private String sentence(Participation rule) {
    return plan.learnsFromBlocks()
        ? FigureWording.participation(rule).replace("round", "block")
        : FigureWording.participation(rule);
  }
}
