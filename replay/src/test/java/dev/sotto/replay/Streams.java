package dev.sotto.replay;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.optimizer.AcceleratedDpSrgd;
import dev.sotto.learner.optimizer.EuclideanBall;
import dev.sotto.learner.optimizer.Optimizer;
import dev.sotto.learner.optimizer.PrivateFtrl;
import dev.sotto.learner.optimizer.StepSize;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.PlanBuilder;
import dev.sotto.replay.recording.InMemoryRecording;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.serdes.record.UnitSource;
import dev.sotto.testing.Seed;
import dev.sotto.topology.settings.Cadence;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import java.util.Random;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Made streams, and learners of them. */
final class Streams {
  static final String EVENTS = "arrivals";
  static final int DIMENSION = 4;
  static final Optimizer FTRL = new PrivateFtrl(
      new EuclideanBall(null, Double.POSITIVE_INFINITY), new StepSize.Decreasing(1));
  static final Optimizer SRGD = new AcceleratedDpSrgd(
      new EuclideanBall(null, 3), 1, true, AcceleratedDpSrgd.Gradients.RECURSIVE);

  private Streams() {}

  static Plan plan(Optimizer optimizer, long batch) {
    return new PlanBuilder()
        .features("test")
        .dimension(DIMENSION)
        .loss("logistic", Losses.LOGISTIC.make())
        .algorithm(optimizer == SRGD ? "accelerated-dp-srgd" : "private-ftrl", "steps", optimizer)
        .mechanism(Mechanisms.BINARY_TREE.make())
        .clip(1)
        .batch(batch)
        .sigma(0.5)
        .adjacency(Adjacency.ZERO_OUT)
        .unit(PrivacyUnit.RECORD)
        .budget(new Budget(1e6, 1e-6))
        .build();
  }

  static LearnerSettings settings(Layout layout, Plan plan) {
    return settings(layout, plan, new ModelIdRule(ModelIdRule.Source.CONSTANT, "model"));
  }

  static LearnerSettings settings(Layout layout, Plan plan, ModelIdRule ids) {
    return new LearnerSettings(
        "trial",
        layout,
        new LearnerSettings.Events(
            EVENTS, ids, () -> new ExampleCodec(plan.inputs(), 1 << 20, UnitSource.NONE)),
        new LearnerSettings.Run(plan, NoiseKey.of(new byte[32]), "1"),
        Cadence.everyVersion());
  }

  /** About one offset in nine holds no record, one record in eleven is no example. */
  static InMemoryRecording recording(int partitions, int offsets, long seed) {
    Random random = Seed.random(seed);
    InMemoryRecording.Builder made = InMemoryRecording.of(EVENTS).topicId("topic-id");
    for (int partition = 0; partition < partitions; partition++) {
      made.partition(partition, 5L * partition);
      for (long offset = 5L * partition; offset < 5L * partition + offsets; offset++) {
        double[] values = random.doubles(DIMENSION, -1, 1).toArray();
        byte[] value = ExampleCodec.encodeDense(null, null, values, random.nextInt(2), 1);
        byte[] key = {(byte) ('a' + random.nextInt(3))};
        if (random.nextInt(11) == 0) {
          value = new byte[random.nextInt(5)];
        }
        if (random.nextInt(9) > 0) {
          made.add(partition, offset, offset, key, value, new RecordHeaders());
        }
      }
    }
    return made.build();
  }
}
