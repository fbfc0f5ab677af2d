package dev.sotto.topology.trainer;

import dev.sotto.learner.accounting.PrivateMetrics;
import dev.sotto.learner.mechanism.BltParameters;
import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.training.Plan;
import dev.sotto.serdes.avro.PackedDoubles;
import dev.sotto.testing.Seed;
import dev.sotto.topology.settings.LearnerSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Worlds whose records are admitted by the history of their unit, under every kind of rule. */
public enum UnitWorlds {
  BY_ID(Mechanisms.BINARY_TREE.make(), new Participation.ById(), GenerationSchedule.NONE, false),
  BY_ID_DOUBLING(
      Mechanisms.BLT.make(),
      new Participation.ById(),
      new GenerationSchedule(GenerationSchedule.Kind.DOUBLING, 5),
      true),
  SCHEDULED(quickBlt(), scheduled(3, 4), GenerationSchedule.NONE, true),
  SCHEDULED_CONSTANT(
      Mechanisms.INDEPENDENT.make(),
      scheduled(5, 2),
      new GenerationSchedule(GenerationSchedule.Kind.CONSTANT, 9),
      false),
  SCHEDULED_UNTIL_THE_BUDGET(quickBlt(), scheduled(4, 3), GenerationSchedule.NONE, false),
  BUDGETED_BLT(quickBlt(), new Participation.Budgeted(6.3), GenerationSchedule.NONE, false),
  BUDGETED_BLT_CONSTANT(
      quickBlt(),
      new Participation.Budgeted(5.9),
      new GenerationSchedule(GenerationSchedule.Kind.CONSTANT, 7),
      true),
  BUDGETED_BLT_DOUBLING(
      quickBlt(),
      new Participation.Budgeted(7.1),
      new GenerationSchedule(GenerationSchedule.Kind.DOUBLING, 5),
      true),
  BUDGETED_BLT_OF_THE_DEFAULT_SET(
      Mechanisms.BLT.make(), new Participation.Budgeted(9), GenerationSchedule.NONE, false),
  BUDGETED_BLT_APART(quickBlt(), new Participation.Budgeted(6.3, 3), GenerationSchedule.NONE, true),
  BUDGETED_BLT_APART_CONSTANT(
      quickBlt(),
      new Participation.Budgeted(5.9, 4),
      new GenerationSchedule(GenerationSchedule.Kind.CONSTANT, 7),
      false),
  BUDGETED_INDEPENDENT(
      Mechanisms.INDEPENDENT.make(),
      new Participation.Budgeted(4.9),
      GenerationSchedule.NONE,
      true),
  BUDGETED_INDEPENDENT_CONSTANT(
      Mechanisms.INDEPENDENT.make(),
      new Participation.Budgeted(4.2),
      new GenerationSchedule(GenerationSchedule.Kind.CONSTANT, 9),
      false);

  public static final int BATCH = 9;
  static final int RECORDS = 330;

  private final Mechanism mechanism;
  private final Participation participation;
  private final GenerationSchedule generations;
  private final PrivateMetrics metrics;
  private Plan plan; // once it was asked for

  UnitWorlds(
      Mechanism mechanism,
      Participation participation,
      GenerationSchedule generations,
      boolean measured) {
    this.mechanism = mechanism;
    this.participation = participation;
    this.generations = generations;
    this.metrics = measured ? new PrivateMetrics(4, 2, 3, 2) : null;
  }

  /**
   * BLT whose memory fades within a hundred rounds, so that what a unit costs can be added up row
   * by row.
   */
  private static Mechanism quickBlt() {
    return Mechanisms.blt(BltParameters.ofTheta(new double[] {.25, .125}, new double[] {.75, .5}));
  }

  private static Participation scheduled(long most, long separation) {
    return new Participation.Scheduled(new ContributionBound(most, separation));
  }

  public Plan plan() {
    if (plan == null) {
      plan = plan(metrics, this == SCHEDULED_UNTIL_THE_BUDGET ? lastEpsilon(20) : 1e6);
    }
    return plan;
  }

  private double lastEpsilon(long rounds) {
    return plan(metrics, 1e6).guarantee(rounds).epsilon();
  }

  /** The same rule with exact metrics, so that it can be seen who was admitted. */
  Plan transparent() {
    return plan(new PrivateMetrics(0, 2, 3, 1), Double.POSITIVE_INFINITY);
  }

  /** The same rule without noise, so that the weights are nothing but the records' own. */
  Plan exact() {
    return World.plan(
        Mechanisms.noneForPublicData(),
        BATCH,
        Double.POSITIVE_INFINITY,
        participation,
        generations,
        null);
  }

  private Plan plan(PrivateMetrics measured, double epsilon) {
    return World.plan(mechanism, BATCH, epsilon, participation, generations, measured);
  }

  public World world(int models, TrainerSettings settings) {
    World world = new World(settings).fill(RECORDS, models, 31 + models);
    world.unitCount = participation instanceof Participation.ById ? 200 : 11;
    Random random = Seed.random(models);
    world.log.replaceAll((offset, event) -> relabelled(event, random.nextDouble(1.1)));
    world.routing = (key, header) -> new String(key, StandardCharsets.US_ASCII);
    return world;
  }

  /**
   * A label between 0 and 1 tells who was admitted; one above 1 is refused before anybody's history
   * is asked.
   */
  private static World.Event relabelled(World.Event event, double label) {
    if (event.value().length != 8 * (World.DIMENSION + 1)) {
      return event;
    }
    double[] values = PackedDoubles.unpack(event.value());
    values[World.DIMENSION] = label;
    return new World.Event(event.key(), PackedDoubles.pack(values));
  }

  public World world(int models) {
    return world(models, World.settings(plan(), 1000, 1));
  }

  /**
   * What a world has committed once everything is saved: every published byte, and every unit's
   * history.
   */
  public record Outcome(List<String> published, Map<String, String> histories) {
    public static Outcome of(World world) {
      world.checkpoint();
      world.commit();
      return new Outcome(world.published(), UnitWorlds.histories(world));
    }
  }

  /**
   * The committed histories, as text that can be compared; marks tell when they were saved, and are
   * left out.
   */
  public static Map<String, String> histories(World world) {
    Map<String, String> histories = new HashMap<>();
    world.units.forEach((name, history) -> {
      if (!name.startsWith("mark/")) {
        histories.put(name, LedgerChain.hex(history));
      }
    });
    return histories;
  }

  static TrainerSettings sliced(TrainerSettings old, Duration slice) {
    return new TrainerSettings(
        old.app(),
        old.run(),
        new TrainerSettings.Source(old.partition(), old.topicId(), old.routing()),
        slice,
        new LearnerSettings.Cadence(
            old.checkpointSlots(), Duration.ofSeconds(60), old.stateEvery()));
  }
}
