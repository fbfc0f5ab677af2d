package dev.sotto.topology.store;

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
import dev.sotto.topology.trainer.TrainerSettings;
import dev.sotto.topology.trainer.UnitWorlds;
import dev.sotto.topology.trainer.UnitWorlds.Outcome;
import dev.sotto.topology.trainer.World;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Learners that are not those of the stored histories, and ledgers that are not: refused. */
class UnitRefusalsTest {
  private static World world(UnitWorlds rule) {
    return rule.world(4, World.settings(rule.plan(), 25, 2));
  }

  private static void go(World world, int records) {
    world.restart();
    for (int i = 0; i < records && world.step(); i++) {
      continue;
    }
    world.commit();
  }

  private static void finish(World world) {
    go(world, Integer.MAX_VALUE);
  }

  @Test
  void refusesALedgerThatLostWhatUnitsWerePaidWith() {
    for (UnitWorlds rule : UnitWorlds.values()) {
      World world = world(rule);
      go(world, 180);
      world.committed.removeIf(each -> each.topic().equals("ledger"));
      assertThatThrownBy(() -> finish(world))
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
    return World.plan(mechanism, UnitWorlds.BATCH, 1e6, participation, generations, metrics);
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

  private static World of(Plan plan) {
    return UnitWorlds.SCHEDULED.world(4, World.settings(plan, 25, 2));
  }

  @Test
  void refusesAnotherRuleOfContribution() {
    for (List<Plan> plans : changes()) {
      for (Plan other : plans.subList(1, plans.size())) {
        World world = of(plans.get(0));
        go(world, 180);
        Outcome before = new Outcome(world.published(), UnitWorlds.histories(world));
        world.settings = World.settings(other, 25, 2);
        assertThatThrownBy(() -> finish(world))
            .isInstanceOf(UnsafeToContinueException.class)
            .hasMessageContaining("was learned under configuration");
        assertThat(new Outcome(world.published(), UnitWorlds.histories(world))).isEqualTo(before);
      }
    }
  }

  /** Also where the state is lost, and only the ledger remembers the rule. */
  @Test
  void refusesAnotherRuleOfContributionThatOnlyTheLedgerRemembers() {
    for (List<Plan> plans : changes()) {
      for (Plan other : plans.subList(1, plans.size())) {
        World world = of(plans.get(0));
        go(world, 180);
        List.of(world.heads, world.arrays, world.units).forEach(Map::clear);
        world.settings = World.settings(other, 25, 2);
        assertThatThrownBy(() -> finish(world))
            .isInstanceOf(UnsafeToContinueException.class)
            .hasMessageContaining("the ledger knows model");
      }
    }
  }

  @Test
  void refusesAnotherKeyLabelOrTopicBeforeAnyHistoryIsRead() {
    byte[] otherKey = new byte[32];
    otherKey[0] = 1;
    Map<TrainerSettings, String> changes = Map.of(
        with(NoiseKey.of(otherKey), "1", "topic"), "noise key",
        with(NoiseKey.of(new byte[32]), "2", "topic"), "run.label",
        with(NoiseKey.of(new byte[32]), "1", "another"), "deleted and made again");
    changes.forEach((changed, why) -> {
      World world = of(changes().get(0).get(0));
      go(world, 180);
      world.settings = changed;
      world.atRest = (name, table) -> name.equals("units") ? untouchable(table) : table;
      assertThatThrownBy(() -> finish(world))
          .isInstanceOf(UnsafeToContinueException.class)
          .hasMessageContaining(why);
    });
  }

  private static TrainerSettings with(NoiseKey key, String label, String topicId) {
    Plan plan = changes().get(0).get(0);
    return new TrainerSettings(
        "",
        new LearnerSettings.Run(plan, key, label),
        new TrainerSettings.Source(0, topicId, "constant"),
        Duration.ofDays(1),
        new LearnerSettings.Cadence(25, Duration.ofSeconds(60), 2));
  }

  private static StateTable untouchable(StateTable table) {
    return new PassingTable(table) {
      @Override
      public byte[] get(String key) {
        throw new AssertionError("read " + key);
      }

      @Override
      public void put(String key, byte[] value) {
        throw new AssertionError("wrote " + key);
      }
    };
  }
}
