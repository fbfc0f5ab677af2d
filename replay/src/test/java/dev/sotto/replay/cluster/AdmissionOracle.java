package dev.sotto.replay.cluster;

import dev.sotto.learner.key.UnitPseudonyms;
import dev.sotto.learner.participation.ColumnDecay;
import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.training.Plan;
import dev.sotto.serdes.avro.PackedDoubles;
import dev.sotto.topology.settings.LearnerSettings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Who is admitted where, from the log and the words of the rule alone: no histories, no filter. A
 * budget is held against the definition, the squares of the rows of C u (docs/blt.md, "Budget per unit"), added
 * up one by one.
 */
final class AdmissionOracle {
  private static final int TAIL = 250; // .75^250 < 1e-31

  /** What one model's units did. */
  record Model(
      Map<Integer, List<Long>> admitted, Map<Long, Integer> count, Map<Long, Double> labels) {
    Model() {
      this(new HashMap<>(), new HashMap<>(), new HashMap<>());
    }
  }

  final Map<String, Model> models = new HashMap<>();
  private final Plan plan;
  private final int units;
  private final GenerationSchedule generations;
  private final double ratioSquared;
  private final double metricsRatioSquared;
  private final double[] coefficients;

  AdmissionOracle(UnitRules rule, OnePartition partition, Map<String, Long> lastRounds) {
    this.plan = partition.settings.plan();
    this.units = rule.units();
    this.generations = plan.generations();
    double ratio = plan.sensitivity() / plan.sigma();
    this.ratioSquared = ratio * ratio;
    double metrics = plan.metrics() == null || plan.metrics().exact()
        ? 0
        : plan.metrics().ratio(plan.adjacency());
    this.metricsRatioSquared = metrics * metrics;
    this.coefficients = coefficients(plan.mechanism().memory().orElse(ColumnDecay.NONE));
    Map<String, Long> slots = new HashMap<>();
    partition.log.forEach((offset, event) -> {
      String id = new String(event.key(), StandardCharsets.US_ASCII);
      long slot = slots.merge(id, 1L, Long::sum) - 1;
      long round = slot / plan.batch() + 1;
      if (round <= lastRounds.getOrDefault(id, Long.MAX_VALUE)) {
        take(models.computeIfAbsent(id, any -> new Model()), event.value(), round);
      }
    });
  }

  private static double[] coefficients(ColumnDecay memory) {
    double[] coefficients = new double[TAIL];
    double[] power = memory.omega();
    coefficients[0] = 1;
    for (int k = 1; k < TAIL; k++) {
      for (int m = 0; m < power.length; m++) {
        coefficients[k] += power[m];
        power[m] *= memory.theta()[m];
      }
    }
    return coefficients;
  }

  private void take(Model model, byte[] value, long round) {
    if (LiteralDecoder.isPoison(value)) {
      return;
    }
    double[] values = PackedDoubles.unpack(value);
    double label = values[SmallLearner.DIMENSION];
    if (label > 1 || !LiteralDecoder.hasUnit(values)) {
      return; // a label without meaning, a record of nobody
    }
    List<Long> before = model.admitted.computeIfAbsent(
        LiteralDecoder.unit(values, units), any -> new ArrayList<>());
    if (admits(before, round)) {
      before.add(round);
      model.count.merge(round, 1, Integer::sum);
      model.labels.merge(round, label, Double::sum);
    }
  }

  private boolean admits(List<Long> before, long round) {
    if (before.isEmpty()) {
      return true;
    }
    long last = before.get(before.size() - 1);
    if (plan.participation() instanceof Participation.Scheduled scheduled) {
      return before.size() < scheduled.bound().most()
          && round - last >= scheduled.bound().separation();
    }
    if (plan.participation() instanceof Participation.Budgeted budgeted
        && round - last >= budgeted.separation()) {
      List<Long> after = new ArrayList<>(before);
      after.add(round);
      double room = budgeted.mu() * budgeted.mu() - cost(after, Long.MAX_VALUE);
      if (Math.abs(room) < 1e-9) {
        throw new IllegalStateException("too close to tell: choose another budget");
      }
      return room > 0;
    }
    return false;
  }

  /** mu^2 of a unit that took part in these rounds, of all rows up to one. */
  double cost(List<Long> rounds, long until) {
    long entered = rounds.stream().filter(each -> each <= until).count();
    double sum = metricsRatioSquared * entered;
    long longest = rounds.isEmpty() ? 0 : rounds.get(rounds.size() - 1) + TAIL;
    for (long row = 1; row <= Math.min(until, longest); row++) {
      double moved = 0;
      for (long round : rounds) {
        if (round <= row && row - round < TAIL && generations.of(round) == generations.of(row)) {
          moved += coefficients[(int) (row - round)];
        }
      }
      sum += ratioSquared * moved * moved;
    }
    return sum;
  }

  /** Whether the rounds of one unit keep the rule's own bound. */
  boolean keepsBound(List<Long> rounds) {
    ContributionBound bound = ContributionBound.ONE;
    if (plan.participation() instanceof Participation.Budgeted budgeted) {
      if (!(cost(rounds, Long.MAX_VALUE) <= budgeted.mu() * budgeted.mu() * (1 + 1e-12))) {
        return false;
      }
      bound = new ContributionBound(Long.MAX_VALUE, budgeted.separation());
    } else if (plan.participation() instanceof Participation.Scheduled scheduled) {
      bound = scheduled.bound();
    }
    for (int i = 1; i < rounds.size(); i++) {
      if (rounds.get(i) - rounds.get(i - 1) < bound.separation()) {
        return false;
      }
    }
    return rounds.size() <= bound.most();
  }

  /** The names under which a unit's history is kept. */
  static String name(OnePartition partition, String modelId, int unit) {
    LearnerSettings settings = partition.settings;
    byte[] runId = settings.key().runId(modelId, settings.plan().fingerprint(), settings.runName());
    byte[] id = {(byte) (unit >> 8), (byte) unit};
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(new UnitPseudonyms(settings.key(), runId).of(id, 0, id.length));
  }
}
