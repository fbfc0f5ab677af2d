package dev.sotto.topology.core;

import dev.sotto.learner.privacy.Generations;
import dev.sotto.learner.release.BltParameters;
import dev.sotto.learner.release.Mechanism;
import dev.sotto.learner.release.Mechanisms;
import dev.sotto.learner.round.MetricsPlan;
import dev.sotto.learner.round.Plan;
import dev.sotto.learner.unit.Contributions;
import dev.sotto.learner.unit.Participation;
import dev.sotto.serdes.record.PackedDoubles;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Worlds whose records are admitted by the history of their unit, under every kind of rule. */
enum UnitWorlds {
  BY_ID(Mechanisms.BINARY_TREE.make(), new Participation.ById(), Generations.NONE, false),
  BY_ID_DOUBLING(
      Mechanisms.BLT.make(),
      new Participation.ById(),
      new Generations(Generations.Kind.DOUBLING, 5),
      true),
  SCHEDULED(quickBlt(), scheduled(3, 4), Generations.NONE, true),
  SCHEDULED_CONSTANT(
      Mechanisms.INDEPENDENT.make(),
      scheduled(5, 2),
      new Generations(Generations.Kind.CONSTANT, 9),
      false),
  SCHEDULED_UNTIL_THE_BUDGET(quickBlt(), scheduled(4, 3), Generations.NONE, false),
  BUDGETED_BLT(quickBlt(), new Participation.Budgeted(6.3), Generations.NONE, false),
  BUDGETED_BLT_CONSTANT(
      quickBlt(),
      new Participation.Budgeted(5.9),
      new Generations(Generations.Kind.CONSTANT, 7),
      true),
  BUDGETED_BLT_DOUBLING(
      quickBlt(),
      new Participation.Budgeted(7.1),
      new Generations(Generations.Kind.DOUBLING, 5),
      true),
  BUDGETED_BLT_OF_THE_DEFAULT_SET(
      Mechanisms.BLT.make(), new Participation.Budgeted(9), Generations.NONE, false),
  BUDGETED_INDEPENDENT(
      Mechanisms.INDEPENDENT.make(), new Participation.Budgeted(4.9), Generations.NONE, true),
  BUDGETED_INDEPENDENT_CONSTANT(
      Mechanisms.INDEPENDENT.make(),
      new Participation.Budgeted(4.2),
      new Generations(Generations.Kind.CONSTANT, 9),
      false);

  static final int BATCH = 9;
  static final int RECORDS = 330;

  private final Mechanism mechanism;
  private final Participation participation;
  private final Generations generations;
  private final MetricsPlan metrics;

  UnitWorlds(
      Mechanism mechanism, Participation participation, Generations generations, boolean measured) {
    this.mechanism = mechanism;
    this.participation = participation;
    this.generations = generations;
    this.metrics = measured ? new MetricsPlan(4, 2, 3, 2) : null;
  }

  /** BLT whose memory fades within a hundred rounds, so that what a unit costs can be added up row by row. */
  private static Mechanism quickBlt() {
    return Mechanisms.blt(BltParameters.ofTheta(new double[] {.25, .125}, new double[] {.75, .5}));
  }

  private static Participation scheduled(long most, long separation) {
    return new Participation.Scheduled(new Contributions(most, separation));
  }

  Plan plan() {
    return plan(metrics, this == SCHEDULED_UNTIL_THE_BUDGET ? lastEpsilon(20) : 1e6);
  }

  private double lastEpsilon(long rounds) {
    return plan(metrics, 1e6).guarantee(rounds).epsilon();
  }

  /** The same rule with exact metrics, so that it can be seen who was admitted. */
  Plan transparent() {
    return plan(new MetricsPlan(0, 2, 3, 1), Double.POSITIVE_INFINITY);
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

  private Plan plan(MetricsPlan measured, double epsilon) {
    return World.plan(mechanism, BATCH, epsilon, participation, generations, measured);
  }

  World world(int models, TrainerSettings settings) {
    World world = new World(settings).fill(RECORDS, models, 31 + models);
    world.unitCount = participation instanceof Participation.ById ? 200 : 11;
    Random random = new Random(models);
    world.log.replaceAll((offset, event) -> relabelled(event, random.nextDouble(1.1)));
    world.routing = (key, header) -> new String(key, StandardCharsets.US_ASCII);
    return world;
  }

  /** A label between 0 and 1 tells who was admitted; one above 1 is refused before anybody's history is asked. */
  private static World.Event relabelled(World.Event event, double label) {
    if (event.value().length != 8 * (World.DIMENSION + 1)) {
      return event;
    }
    double[] values = PackedDoubles.unpack(event.value());
    values[World.DIMENSION] = label;
    return new World.Event(event.key(), PackedDoubles.pack(values));
  }

  World world(int models) {
    return world(models, World.settings(plan(), 1000, 1));
  }

  /** What a world has committed once everything is saved: every published byte, and every unit's history. */
  record Outcome(List<String> published, Map<String, String> histories) {
    static Outcome of(World world) {
      world.checkpoint();
      world.commit();
      return new Outcome(world.published(), UnitWorlds.histories(world));
    }
  }

  /** The committed histories, as text that can be compared; marks tell when they were saved, and are left out. */
  static Map<String, String> histories(World world) {
    Map<String, String> histories = new HashMap<>();
    world.units.forEach((name, history) -> {
      if (!name.startsWith("mark/")) {
        histories.put(name, Chain.hex(history));
      }
    });
    return histories;
  }

  static TrainerSettings sliced(TrainerSettings old, Duration slice) {
    return new TrainerSettings(
        old.plan(),
        old.key(),
        old.label(),
        old.partition(),
        old.topicId(),
        old.routing(),
        slice,
        old.checkpointSlots(),
        old.stateEvery(),
        old.releaseEvery());
  }
}
