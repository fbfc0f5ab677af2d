package dev.sotto.topology;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.optimizer.EuclideanBall;
import dev.sotto.learner.optimizer.PrivateFtrl;
import dev.sotto.learner.optimizer.StepSize;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.PlanBuilder;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.serdes.record.UnitSource;
import dev.sotto.topology.settings.Cadence;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import dev.sotto.topology.settings.ServiceSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;

/** Settings of learners in tests: a logistic model of ready-made examples. */
public final class Trial {
  public static final String APP = "trial";
  public static final String EVENTS = "arrivals";
  public static final ModelIdRule ONE = new ModelIdRule(ModelIdRule.Source.CONSTANT, "model");
  public static final int LONGEST = 1 << 23;

  private Trial() {}

  public static Plan plan(int dimension, long batch) {
    return new PlanBuilder()
        .features("examples")
        .dimension(dimension)
        .loss("logistic", Losses.LOGISTIC.make())
        .algorithm(
            "private-ftrl",
            "decreasing 1",
            new PrivateFtrl(
                new EuclideanBall(null, Double.POSITIVE_INFINITY), new StepSize.Decreasing(1)))
        .mechanism(Mechanisms.BINARY_TREE.make())
        .clip(1)
        .batch(batch)
        .sigma(0.5)
        .adjacency(Adjacency.ZERO_OUT)
        .unit(PrivacyUnit.RECORD)
        .budget(new Budget(1e6, 1e-6))
        .build();
  }

  public static LearnerSettings settings(Layout layout, ModelIdRule ids, Plan plan) {
    return settings(layout, ids, plan, Cadence.everyVersion());
  }

  public static LearnerSettings settings(
      Layout layout, ModelIdRule ids, Plan plan, Cadence cadence) {
    return new LearnerSettings(
        APP,
        layout,
        new LearnerSettings.Events(
            EVENTS, ids, () -> new ExampleCodec(plan.inputs(), LONGEST, UnitSource.NONE)),
        new LearnerSettings.Run(plan, NoiseKey.of(new byte[32]), "1"),
        cadence);
  }

  public static ServiceSettings service(Path folder, Map<String, String> clients) {
    return service(folder, clients, Duration.ofSeconds(10));
  }

  /** With a timeout of transactions. */
  public static ServiceSettings service(
      Path folder, Map<String, String> clients, Duration transactions) {
    return new ServiceSettings(
        clients,
        folder,
        new ServiceSettings.FirstStart((short) 1, false, Duration.ofDays(1)),
        1,
        transactions);
  }

  /** A good event. */
  public static byte[] event(Random random, int dimension) {
    double[] values = random.doubles(dimension, -1, 1).toArray();
    return ExampleCodec.encodeDense(null, null, values, random.nextInt(2), 1);
  }
}
