package dev.sotto.topology.trainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.Participation;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.ModelMetrics;
import dev.sotto.topology.trainer.UnitWorlds.Outcome;
import java.nio.ByteBuffer;
import java.time.Duration;
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

/** Units are admitted as they would be without faults, and never beyond their bound. */
class UnitFaultsTest {
  /** How many schedules of faults. */
  int schedules() {
    return 1;
  }

  private static World disturbed(UnitWorlds rule, int seed) {
    int slots = new int[] {3, 8, 40, 1000}[seed % 4];
    TrainerSettings settings = World.settings(rule.plan(), slots, 1 + seed / 4 % 4);
    boolean sliced = seed % 12 == 11;
    return rule.world(models(seed), sliced ? UnitWorlds.sliced(settings, Duration.ZERO) : settings);
  }

  private static int models(int seed) {
    return seed % 3 == 0 ? 1 : 4;
  }

  @ParameterizedTest
  @EnumSource
  void publishesAndRemembersTheSameUnderEveryScheduleOfFaults(UnitWorlds rule) {
    Map<Integer, World> undisturbed = new HashMap<>();
    Map<Integer, Outcome> expected = new HashMap<>();
    for (int seed = 1; seed <= schedules(); seed++) {
      undisturbed.computeIfAbsent(models(seed), models -> rule.world(models).run());
      expected.computeIfAbsent(models(seed), models -> Outcome.of(undisturbed.get(models)));
      assertThat(expected.get(models(seed)).histories()).hasSizeGreaterThan(10);
      World broken = disturbed(rule, seed).runWithFaults(seed, 2 + seed);
      assertThat(Outcome.of(broken)).as("seed %d", seed).isEqualTo(expected.get(models(seed)));
      assertThat(broken.deadLetters)
          .as("seed %d", seed)
          .containsExactlyInAnyOrderElementsOf(undisturbed.get(models(seed)).deadLetters);
    }
  }

  /** Rows of its matrix never end, so that no brute force can add them up. */
  private static final String ENDLESS = "BUDGETED_BLT_OF_THE_DEFAULT_SET";

  /** A tree's rows are another matrix than the oracle's. */
  private static final String TREE = "BY_ID";

  private static Map<String, Long> lastRounds(World world) {
    Map<String, Long> last = new HashMap<>();
    world.ledger().stream()
        .filter(LedgerEntry::last)
        .forEach(each -> last.put(each.modelId(), each.round()));
    return last;
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = ENDLESS)
  void remembersWhomTheRuleAdmitsAndNobodyElse(UnitWorlds rule) {
    World world = disturbed(rule, 5).runWithFaults(5, 9);
    Outcome outcome = Outcome.of(world);
    AdmissionOracle oracle = new AdmissionOracle(world, lastRounds(world));
    assertThat(oracle.models).hasSize(4);
    Set<String> names = new HashSet<>();
    oracle.models.forEach((modelId, model) -> model.admitted().forEach((unit, rounds) -> {
      String name = AdmissionOracle.name(world, modelId, unit);
      names.add(name);
      assertThat(oracle.keepsBound(rounds)).as("%s of %d", rounds, unit).isTrue();
      checkHistory(world, oracle, rounds, outcome.histories().get(name));
    }));
    assertThat(outcome.histories().keySet()).isEqualTo(names);
  }

  private static void checkHistory(
      World world, AdmissionOracle oracle, List<Long> rounds, String history) {
    Participation participation = world.settings.plan().participation();
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
  void claimsNoLessThanAnyUnitHasSpent(UnitWorlds rule) {
    World world = rule.world(4).run();
    AdmissionOracle oracle = new AdmissionOracle(world, lastRounds(world));
    double closest = 0;
    for (LedgerEntry entry : world.ledger()) {
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
  void learnsFromThoseSlotsAlone(UnitWorlds rule) {
    World world = rule.world(4, World.settings(rule.transparent(), 7, 3)).runWithFaults(2, 6);
    AdmissionOracle oracle = new AdmissionOracle(world, Map.of());
    int windows = 0;
    for (World.Output output : world.committed) {
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
    assertThat(windows).isEqualTo(world.ledger().size()).isGreaterThan(30);
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
    TrainerSettings settings = World.settings(UnitWorlds.BY_ID.exact(), 1000, 1);
    World once = UnitWorlds.BY_ID.world(1, settings);
    World twice = UnitWorlds.BY_ID.world(1, settings);
    assertThat(duplicateSomeSlots(once, twice)).isGreaterThan(20);
    List<String> weights = weights(once.run());
    assertThat(weights).hasSize(UnitWorlds.RECORDS / UnitWorlds.BATCH).doesNotHaveDuplicates();
    assertThat(weights(twice.run())).isEqualTo(weights);
    World trusting = UnitWorlds.BY_ID.world(1, settings);
    trusting.settings = World.settings(
        World.plan(
            Mechanisms.noneForPublicData(),
            UnitWorlds.BATCH,
            Double.POSITIVE_INFINITY,
            new Participation.Once(),
            GenerationSchedule.NONE,
            null),
        1000,
        1);
    assertThat(weights(trusting.run())).isNotEqualTo(weights);
  }

  /** Replaces slots of poison in one world by poison of another kind: copies of earlier records. */
  private static long duplicateSomeSlots(World once, World twice) {
    World.Event earlier = null;
    long duplicates = 0;
    for (Map.Entry<Long, World.Event> slot : new TreeMap<>(once.log).entrySet()) {
      if (slot.getValue().value().length == 8 * (World.DIMENSION + 1)) {
        earlier = slot.getValue();
      } else if (earlier != null) {
        twice.log.put(slot.getKey(), earlier);
        duplicates++;
      }
    }
    return duplicates;
  }

  private static List<String> weights(World world) {
    return world.committed.stream()
        .filter(each -> each.key().equals("a/0"))
        .map(each -> LedgerChain.hex(each.value()))
        .toList();
  }
}
