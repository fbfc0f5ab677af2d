package dev.sotto.evaluation.plan;

import dev.sotto.evaluation.plan.QueryForecast.After;
import dev.sotto.evaluation.plan.QueryForecast.GivenSettings;
import dev.sotto.evaluation.plan.QueryForecast.Memory;
import dev.sotto.evaluation.plan.QueryForecast.Part;
import dev.sotto.evaluation.plan.QueryForecast.Pool;
import dev.sotto.evaluation.plan.QueryForecast.QueryStd;
import dev.sotto.evaluation.plan.QueryForecast.Range;
import dev.sotto.evaluation.plan.QueryForecast.Reading;
import dev.sotto.evaluation.plan.QueryForecast.UnitCost;
import dev.sotto.evaluation.plan.QueryForecast.Work;
import dev.sotto.learner.mechanism.QueryMechanism;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.mechanism.QuerySchedule.Sampling;
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
  private final QueryMechanism mechanism;
  private final Sampling sampling;

  QueryForecastBuilder(PlanScenario scenario, GivenSettings given) {
    this.scenario = scenario;
    this.given = given;
    this.plan = scenario.plan();
    this.optimizer = plan.optimizer();
    this.mechanism = plan.mechanism().ofQueries().orElseThrow();
    this.sampling = plan.block().sampling();
  }

  QueryForecast build(List<Long> rounds) {
    TreeSet<Long> ascending = new TreeSet<>(rounds);
    ascending.add(1L);
    ascending.add(PlanForecast.LIMIT);
    if (ascending.first() < 1) {
      throw new IllegalArgumentException("rounds must be at least 1, but were " + rounds);
    }
    QuerySchedule queries = plan.block();
    List<Part> parts = plan.learnsFromBlocks() ? parts(queries) : List.of(round());
    Reading reading = reading(queries, parts);
    return new QueryForecast(
        scenario,
        given,
        ascending.stream()
            .map(each -> new After(each, PrivacyCost.of(plan.account(), plan, each)))
            .toList(),
        new Work(reading, parts, memory(reading), pool(queries)),
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
      long query = first;
      double std = plan.sigma()
          * mechanism.answers().map(of -> of.noise(query)).orElseGet(mechanism::largestNoise);
      Counts counts = new Counts(passes, all, each.answers() ? gradients(first, all) : 0);
      parts.add(part(each, counts, first + all - 1, std));
      first += all;
    }
    return parts;
  }

  /** Where a round is one query. */
  private Part round() {
    Segment all = Segment.whole(0, plan.batch(), 1, 1);
    int gradients = optimizer.isRecursive() || optimizer.clips(2) != null ? 2 : 1;
    return part(all, new Counts(1, 1, gradients), 2, plan.sigma() * mechanism.largestNoise());
  }

  private record Counts(long passes, long queries, double gradients) {}

  private Part part(Segment range, Counts counts, long query, double std) {
    double scale = optimizer.scale(query);
    double clip = plan.clip() / scale;
    double summed = mechanism.divisor(sampling.rate() * (range.slots() / range.batches()));
    double meanStd = std / summed / scale;
    double ofOne = meanStd * Math.sqrt(plan.dimension()) / clip;
    double sums = (double) counts.queries() * sampling.points();
    return new Part(
        new Range(range.first(), range.slots(), range.batches(), counts.passes()),
        counts.queries(),
        counts.gradients(),
        clip,
        range.answers() ? new QueryStd(std, meanStd, ofOne, ofOne / Math.sqrt(sums)) : null);
  }

  /** Of one example in one query of a segment, at most: its first query may ask for fewer. */
  private double gradients(long first, long queries) {
    boolean differences =
        optimizer.clips(first) != null || optimizer.clips(first + queries - 1) != null;
    return (differences ? 2 : 1) * sampling.points() * sampling.rate();
  }

  private Pool pool(QuerySchedule queries) {
    if (!plan.asksPools()) {
      return null;
    }
    long rounds = queries.segments().stream()
        .filter(Segment::answers)
        .mapToLong(each -> each.batches() * each.repeats() * each.passes())
        .sum();
    long numbers = (long) Double.BYTES * plan.dimension();
    return new Pool(
        rounds,
        sampling.points(),
        sampling.rate(),
        rounds * sampling.points() * sampling.rate(),
        numbers,
        numbers * sampling.points());
  }

  private Reading reading(QuerySchedule queries, List<Part> parts) {
    double gradients = 0;
    for (Part each : parts) {
      gradients += each.gradients() * each.passes() * each.range().slots();
    }
    return new Reading(
        queries.slots(),
        queries.queries(),
        (double) queries.reads() / queries.slots(),
        queries.mostReads(),
        plan.asksPools() ? queries.gradients() : gradients,
        queries.readsAgain());
  }

  private Memory memory(Reading reading) {
    return new Memory(
        (long) Double.BYTES * optimizer.start(plan.start()).iterates().length,
        (long) Double.BYTES * plan.dimension() * sampling.points(),
        reading.again() ? (reading.slots() - 1) / Byte.SIZE + 1 : 0,
        reading.again() ? RememberedSlots.MOST_BYTES : 0);
  }

  private UnitCost unit() {
    double once = plan.sensitivity() / plan.sigma();
    double mu = mechanism.sampledSums().isEmpty() ? once : once * mechanism.sensitivity(1);
    Participation rule = plan.participation();
    long blocks = 1;
    double most = mu;
    if (rule.isBudgeted()) {
      blocks = scenario.inARow();
      most = mechanism.isEndless() ? Double.NaN : Math.sqrt(blocks) * mu;
    } else if (rule.boundsKeys()) {
      blocks = rule.bound().most();
      most = mechanism.sensitivityLimit(rule.bound()) * once;
    }
    return new UnitCost(sentence(rule), mu, blocks, most);
  }

  private String sentence(Participation rule) {
    return rule.sentence().replace("round", plan.round());
  }
}
