package dev.sotto.replay.cluster;

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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Partitions whose records are admitted by the history of their unit, under every kind of rule. */
enum UnitRules {
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

  static final int BATCH = 9;
  static final int RECORDS = 330;

  private final Mechanism mechanism;
  private final Participation participation;
  private final GenerationSchedule generations;
  private final PrivateMetrics metrics;
  private Plan plan; // once it was asked for

  UnitRules(
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

  Plan plan() {
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
    return SmallLearner.plan(
        Mechanisms.noneForPublicData(),
        BATCH,
        Double.POSITIVE_INFINITY,
        participation,
        generations,
        null);
  }

  private Plan plan(PrivateMetrics measured, double epsilon) {
    return SmallLearner.plan(mechanism, BATCH, epsilon, participation, generations, measured);
  }

  OnePartition partition(int models, LearnerSettings settings) {
    int units = units();
    OnePartition partition = new OnePartition(SmallLearner.with(settings, SmallLearner.BY_KEY)
            .with(() -> new LiteralDecoder(SmallLearner.DIMENSION, units)))
        .fill(RECORDS, models, 31 + models);
    Random random = Seed.random(models);
    partition.log.replaceAll((offset, event) -> relabelled(event, random.nextDouble(1.1)));
    return partition;
  }

  /** How many units there are. */
  int units() {
    return participation instanceof Participation.ById ? 200 : 11;
  }

  /**
   * A label between 0 and 1 tells who was admitted; one above 1 is refused before anybody's history
   * is asked.
   */
  private static OnePartition.Event relabelled(OnePartition.Event event, double label) {
    if (LiteralDecoder.isPoison(event.value())) {
      return event;
    }
    double[] values = PackedDoubles.unpack(event.value());
    values[SmallLearner.DIMENSION] = label;
    return new OnePartition.Event(event.key(), PackedDoubles.pack(values));
  }

  OnePartition partition(int models) {
    return partition(models, SmallLearner.settings(plan(), 1000, 1));
  }

  /**
   * What a partition has committed once everything is saved: every published byte, and every unit's
   * history.
   */
  record Outcome(List<String> published, Map<String, String> histories) {
    static Outcome of(OnePartition partition) {
      partition.checkpoint();
      partition.commit();
      return new Outcome(partition.published(), UnitRules.histories(partition));
    }
  }

  /**
   * The committed histories, as text that can be compared; marks tell when they were saved, and are
   * left out.
   */
  static Map<String, String> histories(OnePartition partition) {
    Map<String, String> histories = new HashMap<>();
    partition.units.forEach((name, history) -> {
      if (!name.startsWith("mark/")) {
        histories.put(name, OnePartition.hex(history));
      }
    });
    return histories;
  }
}
