package dev.sotto.app.plan;

import dev.sotto.app.plan.Outlook.Contribution;
import dev.sotto.app.plan.Outlook.Group;
import dev.sotto.app.plan.Outlook.LargerBatch;
import dev.sotto.app.plan.Outlook.Noise;
import dev.sotto.app.plan.Outlook.Returner;
import dev.sotto.app.plan.Outlook.Row;
import dev.sotto.learner.release.Mechanism;
import dev.sotto.learner.round.Plan;
import dev.sotto.learner.unit.Admission;
import dev.sotto.learner.unit.Contributions;
import dev.sotto.learner.unit.Participation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;

/** Computes an {@link Outlook}. */
final class Forecast {
  private static final long[] SEPARATIONS = {1, 10, 100};
  private static final long[] MORE = {2, 10};
  private static final int[] FACTORS = {2, 4};

  /** For how long returners are followed where the stream does not end. */
  private static final long FOLLOWED = 100_000;

  private final Scenario scenario;
  private final Plan plan;
  private final List<Long> rounds;

  Forecast(Scenario scenario, List<Long> rounds) {
    this.scenario = scenario;
    this.plan = scenario.plan();
    TreeSet<Long> ascending = new TreeSet<>(rounds);
    ascending.add(scenario.horizon());
    ascending.add(Outlook.LIMIT);
    if (ascending.first() < 1) {
      throw new IllegalArgumentException("rounds must be at least 1, but were " + rounds);
    }
    this.rounds = List.copyOf(ascending);
  }

  Outlook outlook() {
    return new Outlook(
        scenario,
        rounds,
        Candidate.of(plan, scenario.longestPrefix()).stream().map(this::group).toList());
  }

  private Group group(Candidate candidate) {
    Mechanism mechanism = candidate.mechanism();
    Answer<Double> least = least(mechanism, scenario.horizon());
    Answer<List<Row>> rows =
        Answer.of(() -> rounds.stream().map(each -> row(mechanism, least, each)).toList());
    return new Group(candidate, rows, rows.value().isEmpty() ? List.of() : returners(mechanism));
  }

  private Row row(Mechanism mechanism, Answer<Double> least, long after) {
    Answer<Double> own = after == scenario.horizon() ? least : least(mechanism, after);
    Noise configured = noise(mechanism, plan.sigma(), after);
    return new Row(
        after,
        configured,
        noise(mechanism, least, after),
        noise(mechanism, own, after),
        contributions(mechanism, after),
        batches(mechanism, after));
  }

  private Answer<Double> least(Mechanism mechanism, long after) {
    return Answer.of(() -> LeastNoise.sigma(scenario, mechanism, after));
  }

  private Answer<Noise> noise(Mechanism mechanism, Answer<Double> sigma, long after) {
    return new Answer<>(sigma.value().map(value -> noise(mechanism, value, after)), sigma.reason());
  }

  private Noise noise(Mechanism mechanism, double sigma, long after) {
    return new Noise(
        sigma,
        Cost.of(scenario.account(mechanism, sigma), plan, after),
        scenario.error(mechanism, sigma, after));
  }

  private List<Contribution> contributions(Mechanism mechanism, long after) {
    List<Contribution> all = new ArrayList<>();
    Answer<Cost> once = contributed(mechanism, Contributions.ONE, after);
    Function<Cost, Double> price = mechanism.isPure() ? Cost::epsilon : Cost::mu;
    double one = once.value().map(price).orElse(Double.NaN);
    all.add(new Contribution(Contributions.ONE, once, 1));
    for (long most : MORE) {
      for (long separation : SEPARATIONS) {
        Contributions bound = new Contributions(most, separation);
        Answer<Cost> cost = contributed(mechanism, bound, after);
        all.add(new Contribution(
            bound, cost, cost.value().map(each -> price.apply(each) / one).orElse(Double.NaN)));
      }
    }
    return all;
  }

  private Answer<Cost> contributed(Mechanism mechanism, Contributions bound, long after) {
    Participation rule = new Participation.Scheduled(bound);
    return Answer.of(
        () -> Cost.of(scenario.account(mechanism, plan.clip(), plan.sigma(), rule), plan, after));
  }

  private List<LargerBatch> batches(Mechanism mechanism, long after) {
    List<LargerBatch> all = new ArrayList<>();
    for (int factor : FACTORS) {
      long fewer = after == Outlook.LIMIT ? after : after / factor;
      if (fewer >= 1 && plan.batch() <= Long.MAX_VALUE / factor) {
        Noise noise = noise(mechanism, plan.sigma(), fewer);
        all.add(new LargerBatch(factor, plan.batch() * factor, fewer, noise.cost(), noise.error()));
      }
    }
    return all;
  }

  private List<Answer<Returner>> returners(Mechanism mechanism) {
    if (plan.participation() instanceof Participation.Once
        || plan.participation() instanceof Participation.ById) {
      return List.of();
    }
    List<Answer<Returner>> all = new ArrayList<>();
    for (long every : SEPARATIONS) {
      all.add(Answer.of(() -> returner(mechanism, every)));
    }
    return all;
  }

  private Returner returner(Mechanism mechanism, long every) {
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
