package dev.sotto.replay.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.accounting.PrivateMetrics;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.mechanism.BltParameters;
import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.training.Plan;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.store.StateTable;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Learners that are not those of the stored histories, and ledgers that are not: refused. */
class UnitRefusalsTest {
  private static OnePartition partition(UnitRules rule) {
    return rule.partition(4, SmallLearner.settings(rule.plan(), 25, 2));
  }

  @Test
  void refusesALedgerThatLostWhatUnitsWerePaidWith() {
    for (UnitRules rule : UnitRules.values()) {
      OnePartition partition = partition(rule);
      partition.go(180);
      partition.committed.removeIf(each -> each.topic().equals("ledger"));
      assertThatThrownBy(partition::run)
          .as("%s", rule)
          .isInstanceOf(UnsafeToContinueException.class)
          .hasMessageContaining("ahead of the ledger");
    }
  }

  private static final Mechanism BLT =
      Mechanisms.blt(BltParameters.ofTheta(new double[] {.25, .125}, new double[] {.75, .5}));

  private static Plan plan(
      Mechanism mechanism,
      Participation participation,
      GenerationSchedule generations,
      PrivateMetrics metrics) {
    return SmallLearner.plan(mechanism, UnitRules.BATCH, 1e6, participation, generations, metrics);
  }

  private static Participation scheduled(long most, long separation) {
    return new Participation.Scheduled(new ContributionBound(most, separation));
  }

  /**
   * Each differs from the first plan of its list in how much a unit may contribute, or at what
   * price.
   */
  private static List<List<Plan>> changes() {
    GenerationSchedule five = new GenerationSchedule(GenerationSchedule.Kind.CONSTANT, 5);
    PrivateMetrics metrics = new PrivateMetrics(4, 2, 3, 2);
    Function<Participation, Plan> plain =
        participation -> plan(BLT, participation, GenerationSchedule.NONE, null);
    return List.of(
        List.of(
            plain.apply(scheduled(3, 4)),
            plain.apply(scheduled(4, 4)),
            plain.apply(scheduled(3, 3)),
            plain.apply(new Participation.Budgeted(8)),
            plain.apply(new Participation.Once()),
            plan(BLT, scheduled(3, 4), five, null),
            plan(Mechanisms.INDEPENDENT.make(), scheduled(3, 4), GenerationSchedule.NONE, null)),
        List.of(
            plain.apply(new Participation.Budgeted(8)),
            plain.apply(new Participation.Budgeted(Math.nextUp(8))),
            plain.apply(new Participation.Budgeted(8, 2)),
            plan(BLT, new Participation.Budgeted(8), five, null),
            plan(BLT, new Participation.Budgeted(8), GenerationSchedule.NONE, metrics)),
        List.of(
            plain.apply(new Participation.ById()),
            plain.apply(new Participation.Once()),
            plain.apply(scheduled(1, 1))),
        List.of(plain.apply(new Participation.Once()), plain.apply(new Participation.ById())));
  }

  private static OnePartition of(Plan plan) {
    return UnitRules.SCHEDULED.partition(4, SmallLearner.settings(plan, 25, 2));
  }

  @Test
  void refusesAnotherRuleOfContribution() {
    for (List<Plan> plans : changes()) {
      for (Plan other : plans.subList(1, plans.size())) {
        OnePartition partition = of(plans.get(0));
        partition.go(180);
        UnitRules.Outcome before =
            new UnitRules.Outcome(partition.published(), UnitRules.histories(partition));
        partition.settings = SmallLearner.with(partition.settings, other);
        assertThatThrownBy(partition::run)
            .isInstanceOf(UnsafeToContinueException.class)
            .hasMessageContaining("was begun under configuration");
        assertThat(new UnitRules.Outcome(partition.published(), UnitRules.histories(partition)))
            .isEqualTo(before);
      }
    }
  }

  /** Also where the state is lost, and only the ledger remembers the rule. */
  @Test
  void refusesAnotherRuleOfContributionThatOnlyTheLedgerRemembers() {
    for (List<Plan> plans : changes()) {
      for (Plan other : plans.subList(1, plans.size())) {
        OnePartition partition = of(plans.get(0));
        partition.go(180);
        partition.loseStores();
        partition.settings = SmallLearner.with(partition.settings, other);
        assertThatThrownBy(partition::run)
            .isInstanceOf(UnsafeToContinueException.class)
            .hasMessageContaining("the ledger knows model");
      }
    }
  }

  @Test
  void refusesAnotherKeyLabelOrTopicBeforeAnyHistoryIsRead() {
    byte[] otherKey = new byte[32];
    otherKey[0] = 1;
    Map<String, LearnerSettings> changes = Map.of(
        "noise key", with(NoiseKey.of(otherKey), "1"),
        "run.label", with(SmallLearner.KEY, "2"),
        "deleted and made again", with(SmallLearner.KEY, "1"));
    changes.forEach((why, changed) -> {
      OnePartition partition = of(changes().get(0).get(0));
      partition.go(180);
      partition.settings = changed;
      partition.topicId = why.startsWith("deleted") ? "another" : "topic";
      partition.atRest = (name, table) -> name.equals(Names.UNITS) ? untouchable(table) : table;
      assertThatThrownBy(partition::run)
          .isInstanceOf(UnsafeToContinueException.class)
          .hasMessageContaining(why);
    });
  }

  private static LearnerSettings with(NoiseKey key, String label) {
    Plan plan = changes().get(0).get(0);
    LearnerSettings old = of(plan).settings;
    return SmallLearner.with(old, new LearnerSettings.Run(plan, key, label));
  }

  private static StateTable untouchable(StateTable table) {
    return new PassingTable(table) {
      @Override
      public byte[] get(String key) {
        if (key.equals("encryption")) {
          return super.get(key); // whether there is one is asked of every store
        }
        throw new AssertionError("read " + key);
      }

      @Override
      public void put(String key, byte[] value) {
        throw new AssertionError("wrote " + key);
      }
    };
  }
}
