package dev.sotto.topology;

import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.optim.Optimizers;
import dev.sotto.learner.optim.Potentials;
import dev.sotto.learner.optim.StepSize;
import dev.sotto.learner.privacy.Adjacency;
import dev.sotto.learner.privacy.Budget;
import dev.sotto.learner.privacy.PrivacyUnit;
import dev.sotto.learner.release.Mechanisms;
import dev.sotto.learner.release.NoiseKey;
import dev.sotto.learner.round.Plan;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.serdes.record.UnitSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;

/** Settings of learners in tests: a logistic model of ready-made examples. */
final class Trial {
  static final String APP = "trial";
  static final String EVENTS = "arrivals";
  static final ModelIds ONE = new ModelIds(ModelIds.Source.CONSTANT, "model");
  static final int LONGEST = 1 << 23;

  private Trial() {}

  static Plan plan(int dimension, long batch) {
    return new Plan(
        "examples",
        dimension,
        "logistic",
        Losses.LOGISTIC.make(),
        "private-ftrl",
        "decreasing 1",
        Optimizers.PRIVATE_FTRL.make(
            Potentials.L2.make(Potentials.Shape.ofRadius(Double.POSITIVE_INFINITY)),
            new StepSize.Decreasing(1)),
        Mechanisms.BINARY_TREE.make(),
        1,
        batch,
        0.5,
        Adjacency.ZERO_OUT,
        PrivacyUnit.RECORD,
        new Budget(1e6, 1e-6));
  }

  static LearnerSettings settings(Layout layout, ModelIds ids, Plan plan) {
    return settings(layout, ids, plan, LearnerSettings.Cadence.everyRound());
  }

  static LearnerSettings settings(
      Layout layout, ModelIds ids, Plan plan, LearnerSettings.Cadence cadence) {
    return new LearnerSettings(
        APP,
        layout,
        EVENTS,
        ids,
        plan,
        NoiseKey.of(new byte[32]),
        "1",
        () -> new ExampleCodec(plan.inputs(), LONGEST, UnitSource.NONE),
        cadence);
  }

  static ServiceSettings service(Path folder, Map<String, String> clients) {
    return new ServiceSettings(
        clients, folder, (short) 1, false, Duration.ofDays(1), 1, Duration.ofSeconds(10));
  }

  /** A good event. */
  static byte[] event(Random random, int dimension) {
    double[] values = random.doubles(dimension, -1, 1).toArray();
    return ExampleCodec.encodeDense(null, null, values, random.nextInt(2), 1);
  }
}
