package dev.sotto.replay;

import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.optim.AcceleratedDpSrgd;
import dev.sotto.learner.optim.EuclideanBall;
import dev.sotto.learner.optim.Optimizer;
import dev.sotto.learner.optim.PrivateFtrl;
import dev.sotto.learner.optim.StepSize;
import dev.sotto.learner.privacy.Adjacency;
import dev.sotto.learner.privacy.Budget;
import dev.sotto.learner.privacy.Generations;
import dev.sotto.learner.privacy.PrivacyUnit;
import dev.sotto.learner.release.Mechanisms;
import dev.sotto.learner.release.NoiseKey;
import dev.sotto.learner.round.Plan;
import dev.sotto.learner.unit.Participation;
import dev.sotto.replay.recording.MemoryRecording;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.serdes.record.UnitSource;
import dev.sotto.topology.Layout;
import dev.sotto.topology.LearnerSettings;
import dev.sotto.topology.ModelIds;
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
    return new Plan(
        "test",
        DIMENSION,
        "logistic",
        Objective.of(Losses.LOGISTIC.make()),
        optimizer == SRGD ? "accelerated-dp-srgd" : "private-ftrl",
        "steps",
        optimizer,
        Mechanisms.BINARY_TREE.make(),
        1,
        batch,
        0.5,
        Adjacency.ZERO_OUT,
        PrivacyUnit.RECORD,
        new Budget(1e6, 1e-6),
        new Participation.Once(),
        Generations.NONE,
        null,
        0);
  }

  static LearnerSettings settings(Layout layout, Plan plan) {
    return settings(layout, plan, new ModelIds(ModelIds.Source.CONSTANT, "model"));
  }

  static LearnerSettings settings(Layout layout, Plan plan, ModelIds ids) {
    return new LearnerSettings(
        "trial",
        layout,
        EVENTS,
        ids,
        plan,
        NoiseKey.of(new byte[32]),
        "1",
        () -> new ExampleCodec(plan.inputs(), 1 << 20, UnitSource.NONE),
        LearnerSettings.Cadence.everyRound());
  }

  /** About one offset in nine holds no record, one record in eleven is no example. */
  static MemoryRecording recording(int partitions, int offsets, long seed) {
    Random random = new Random(seed);
    MemoryRecording.Builder made = MemoryRecording.of(EVENTS).topicId("topic-id");
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
