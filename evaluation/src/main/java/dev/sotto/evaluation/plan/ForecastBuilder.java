package dev.sotto.evaluation.plan;

import dev.sotto.evaluation.plan.PlanForecast.Contribution;
import dev.sotto.evaluation.plan.PlanForecast.Group;
import dev.sotto.evaluation.plan.PlanForecast.LargerBatch;
import dev.sotto.evaluation.plan.PlanForecast.Noise;
import dev.sotto.evaluation.plan.PlanForecast.Returner;
import dev.sotto.evaluation.plan.PlanForecast.Row;
import dev.sotto.learner.mechanism.PrefixMechanism;
import dev.sotto.learner.participation.Admission;
import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.training.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;

/** Computes a {@link PlanForecast}. */
final class ForecastBuilder {
  private static final long[] SEPARATIONS = {1, 10, 100};
  private static final long[] MORE = {2, 10};
  private static final int[] FACTORS = {2, 4};

  /** For how long returners are followed where the stream does not end. */
  private static final long FOLLOWED = 100_000;

  private final PlanScenario scenario;
  private final Plan plan;
  private final List<Long> rounds;

  ForecastBuilder(PlanScenario scenario, List<Long> rounds) {
    this.scenario = scenario;
    this.plan = scenario.plan();
    TreeSet<Long> ascending = new TreeSet<>(rounds);
    ascending.add(scenario.horizon());
    ascending.add(PlanForecast.LIMIT);
    if (ascending.first() < 1) {
      throw new IllegalArgumentException("rounds must be at least 1, but were " + rounds);
    }
    this.rounds = List.copyOf(ascending);
  }

  PlanForecast build() {
    return new PlanForecast(
        scenario,
        rounds,
        MechanismOption.of(plan, scenario.longestPrefix()).stream()
            .map(this::group)
            .toList());
  }

  private Group group(MechanismOption option) {
    PrefixMechanism mechanism = option.mechanism();
    FigureOrReason<Double> least = least(mechanism, scenario.horizon());
    FigureOrReason<List<Row>> rows = FigureOrReason.of(
        () -> rounds.stream().map(each -> row(mechanism, least, each)).toList());
    return new Group(option, rows, rows.value().isEmpty() ? List.of() : returners(mechanism));
  }

  private Row row(PrefixMechanism mechanism, FigureOrReason<Double> least, long after) {
    FigureOrReason<Double> own = after == scenario.horizon() ? least : least(mechanism, after);
    Noise configured = noise(mechanism, plan.sigma(), after);
    return new Row(
        after,
        configured,
        noise(mechanism, least, after),
        noise(mechanism, own, after),
        contributions(mechanism, after),
        batches(mechanism, after));
  }

  private FigureOrReason<Double> least(PrefixMechanism mechanism, long after) {
    return FigureOrReason.of(() -> MinimumNoise.sigma(scenario, mechanism, after));
  }

  private FigureOrReason<Noise> noise(
      PrefixMechanism mechanism, FigureOrReason<Double> sigma, long after) {
    return new FigureOrReason<>(
        sigma.value().map(value -> noise(mechanism, value, after)), sigma.reason());
  }

  private Noise noise(PrefixMechanism mechanism, double sigma, long after) {
    return new Noise(
        sigma,
        PrivacyCost.of(scenario.account(mechanism, sigma), plan, after),
        scenario.error(mechanism, sigma, after));
  }

  private List<Contribution> contributions(PrefixMechanism mechanism, long after) {
    List<Contribution> all = new ArrayList<>();
    FigureOrReason<PrivacyCost> once = contributed(mechanism, ContributionBound.ONE, after);
    Function<PrivacyCost, Double> costOf =
        mechanism.isPure() ? PrivacyCost::epsilon : PrivacyCost::mu;
    double one = once.value().map(costOf).orElse(Double.NaN);
    all.add(new Contribution(ContributionBound.ONE, once, 1));
    for (long most : MORE) {
      for (long separation : SEPARATIONS) {
        ContributionBound bound = new ContributionBound(most, separation);
        FigureOrReason<PrivacyCost> cost = contributed(mechanism, bound, after);
        all.add(new Contribution(
            bound, cost, cost.value().map(each -> costOf.apply(each) / one).orElse(Double.NaN)));
      }
    }
    return all;
  }

  private FigureOrReason<PrivacyCost> contributed(
      PrefixMechanism mechanism, ContributionBound bound, long after) {
    Participation rule = new Participation.Scheduled(bound);
    return FigureOrReason.of(() ->
        PrivacyCost.of(scenario.account(mechanism, plan.clip(), plan.sigma(), rule), plan, after));
  }

  private List<LargerBatch> batches(PrefixMechanism mechanism, long after) {
    List<LargerBatch> all = new ArrayList<>();
    for (int factor : FACTORS) {
      long fewer = after == PlanForecast.LIMIT ? after : after / factor;
      if (fewer >= 1 && plan.batch() <= Long.MAX_VALUE / factor) {
        Noise noise = noise(mechanism, plan.sigma(), fewer);
        all.add(new LargerBatch(factor, plan.batch() * factor, fewer, noise.cost(), noise.error()));
      }
    }
    return all;
  }

  private List<FigureOrReason<Returner>> returners(PrefixMechanism mechanism) {
    if (!plan.participation().boundsKeys()) {
      return List.of();
    }
    List<FigureOrReason<Returner>> all = new ArrayList<>();
    for (long every : SEPARATIONS) {
      all.add(FigureOrReason.of(() -> returner(mechanism, every)));
    }
    return all;
  }

  private Returner returner(PrefixMechanism mechanism, long every) {
    Optional<Admission> admission = scenario.account(mechanism, plan.sigma()).admission();
    byte[] history = null;
    long attempts = 0;
    long admitted = 0;
    for (long round = 1; round <= followed(); round += every) {
      byte[] next = admission.orElseThrow().admit(history, round);
      attempts++;
      if (next != null) {
        admitted++;
        history = next;
      }
    }
    return new Returner(every, attempts, admitted);
  }

  private long followed() {
    return Math.min(scenario.horizon(), FOLLOWED);
  }
}
