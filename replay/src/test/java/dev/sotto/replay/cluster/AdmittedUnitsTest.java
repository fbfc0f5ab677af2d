package dev.sotto.replay.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.Participation;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.ModelMetrics;
import dev.sotto.topology.settings.LearnerSettings;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Units are admitted as their rule says, and never beyond their bound; FaultSchedulesTest shows that
 * faults change nothing of it.
 */
class AdmittedUnitsTest {
  private static OnePartition disturbed(UnitRules rule) {
    return rule.partition(4, SmallLearner.settings(rule.plan(), 8, 2)).runWithFaults(5, 9);
  }

  /** Rows of its matrix never end, so that no brute force can add them up. */
  private static final String ENDLESS = "BUDGETED_BLT_OF_THE_DEFAULT_SET";

  /** A tree's rows are another matrix than the oracle's. */
  private static final String TREE = "BY_ID";

  private static Map<String, Long> lastRounds(OnePartition partition) {
    Map<String, Long> last = new HashMap<>();
    partition.ledger().stream()
        .filter(LedgerEntry::last)
        .forEach(each -> last.put(each.modelId(), each.round()));
    return last;
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = ENDLESS)
  void remembersWhomTheRuleAdmitsAndNobodyElse(UnitRules rule) {
    OnePartition partition = disturbed(rule);
    UnitRules.Outcome outcome = UnitRules.Outcome.of(partition);
    AdmissionOracle oracle = new AdmissionOracle(rule, partition, lastRounds(partition));
    assertThat(oracle.models).hasSize(4);
    Set<String> names = new HashSet<>();
    oracle.models.forEach((modelId, model) -> model.admitted().forEach((unit, rounds) -> {
      String name = AdmissionOracle.name(partition, modelId, unit);
      names.add(name);
      assertThat(oracle.keepsBound(rounds)).as("%s of %d", rounds, unit).isTrue();
      checkHistory(partition, oracle, rounds, outcome.histories().get(name));
    }));
    assertThat(outcome.histories().keySet()).isEqualTo(names);
  }

  private static void checkHistory(
      OnePartition partition, AdmissionOracle oracle, List<Long> rounds, String history) {
    Participation participation = partition.settings.plan().participation();
    if (participation instanceof Participation.ById) {
      assertThat(history).isEqualTo("01");
      return;
    }
    ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(history)).position(5);
    long last = bytes.getLong();
    assertThat(last).isEqualTo(rounds.get(rounds.size() - 1));
    if (participation instanceof Participation.Scheduled) {
      assertThat(bytes.getLong()).isEqualTo(rounds.size());
    } else {
      assertThat(bytes.getDouble())
          .isCloseTo(oracle.cost(rounds, last), within(1e-9))
          .isGreaterThanOrEqualTo(oracle.cost(rounds, last) * (1 - 1e-14));
    }
  }

  /** What the ledger claims at every round is at least what the worst unit has spent by then. */
  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {ENDLESS, TREE})
  void claimsNoLessThanAnyUnitHasSpent(UnitRules rule) {
    OnePartition partition = rule.partition(4).run();
    AdmissionOracle oracle = new AdmissionOracle(rule, partition, lastRounds(partition));
    double closest = 0;
    for (LedgerEntry entry : partition.ledger()) {
      double mu = entry.guarantee().mu();
      for (List<Long> rounds : oracle.models.get(entry.modelId()).admitted().values()) {
        double spent = oracle.cost(rounds, entry.round());
        assertThat(spent).isLessThanOrEqualTo(mu * mu * (1 + 1e-12));
        closest = Math.max(closest, spent / (mu * mu));
      }
    }
    assertThat(closest).isGreaterThan(0.5);
  }

  /**
   * Exact metrics show whose labels went into each round: the sums of those whom the rule admits.
   */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = ENDLESS)
  void learnsFromThoseSlotsAlone(UnitRules rule) {
    OnePartition partition =
        rule.partition(4, SmallLearner.settings(rule.transparent(), 7, 3)).runWithFaults(2, 6);
    AdmissionOracle oracle = new AdmissionOracle(rule, partition, Map.of());
    int windows = 0;
    for (OnePartition.Output output : partition.committed) {
      if (output.topic().equals("metrics")) {
        ModelMetrics metrics = Codecs.METRICS.decode(output.value());
        AdmissionOracle.Model model = oracle.models.get(metrics.modelId());
        long round = metrics.noisy().lastRound();
        assertThat(metrics.noisy().count())
            .isCloseTo(model.count().getOrDefault(round, 0), within(0.01));
        assertThat(labels(metrics))
            .isCloseTo(model.labels().getOrDefault(round, 0.0), within(0.01));
        windows++;
      }
    }
    assertThat(windows).isEqualTo(partition.ledger().size()).isGreaterThan(30);
  }

  private static double labels(ModelMetrics metrics) {
    double sum = 0;
    for (int bin = 0; bin < metrics.noisy().bins(); bin++) {
      sum += metrics.noisy().sums()[4 + 2 * bin];
    }
    return sum;
  }

  /** Without noise the weights show it bit for bit: a duplicate teaches what poison teaches. */
  @Test
  void letsADuplicateTeachNothing() {
    LearnerSettings settings = SmallLearner.settings(UnitRules.BY_ID.exact(), 1000, 1);
    OnePartition once = UnitRules.BY_ID.partition(1, settings);
    OnePartition twice = UnitRules.BY_ID.partition(1, settings);
    assertThat(duplicateSomeSlots(once, twice)).isGreaterThan(20);
    List<String> weights = weights(once.run());
    assertThat(weights).hasSize(UnitRules.RECORDS / UnitRules.BATCH).doesNotHaveDuplicates();
    assertThat(weights(twice.run())).isEqualTo(weights);
    OnePartition trusting = UnitRules.BY_ID.partition(1, settings);
    trusting.settings = SmallLearner.settings(
        SmallLearner.plan(
            Mechanisms.noneForPublicData(),
            UnitRules.BATCH,
            Double.POSITIVE_INFINITY,
            new Participation.Once(),
            GenerationSchedule.NONE,
            null),
        1000,
        1);
    assertThat(weights(trusting.run())).isNotEqualTo(weights);
  }

  /** Replaces slots of poison in one partition by poison of another kind: copies of earlier records. */
  private static long duplicateSomeSlots(OnePartition once, OnePartition twice) {
    OnePartition.Event earlier = null;
    long duplicates = 0;
    for (Map.Entry<Long, OnePartition.Event> slot : new TreeMap<>(once.log).entrySet()) {
      if (!LiteralDecoder.isPoison(slot.getValue().value())) {
        earlier = slot.getValue();
      } else if (earlier != null) {
        twice.log.put(slot.getKey(), earlier);
        duplicates++;
      }
    }
    return duplicates;
  }

  private static List<String> weights(OnePartition partition) {
    return partition.committed.stream()
        .filter(each -> each.key().equals("a/0"))
        .map(each -> OnePartition.hex(each.value()))
        .toList();
  }
}
