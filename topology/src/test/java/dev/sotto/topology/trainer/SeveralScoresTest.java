package dev.sotto.topology.trainer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.loss.Activations;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.loss.Network;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.loss.OutputLayer;
import dev.sotto.learner.loss.Softmax;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.optimizer.AcceleratedDpSrgd;
import dev.sotto.learner.optimizer.EuclideanBall;
import dev.sotto.learner.optimizer.Optimizer;
import dev.sotto.learner.optimizer.PrivateFtrl;
import dev.sotto.learner.optimizer.StepSize;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.training.Plan;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Objectives with more weights than features, and points that a state must keep, through crashes.
 */
class SeveralScoresTest {
  private static Plan plan(Objective objective, String loss, boolean srgd) {
    double[] start = new double[objective.dimension(World.DIMENSION)];
    objective.start(start);
    EuclideanBall ball = new EuclideanBall(start, 2);
    Optimizer optimizer = srgd
        ? new AcceleratedDpSrgd(ball, 1, true, AcceleratedDpSrgd.Gradients.RECURSIVE)
        : new PrivateFtrl(ball, new StepSize.Decreasing(1));
    Plan one = World.plan(
        Mechanisms.BLT.make(),
        13,
        1e6,
        new Participation.Once(),
        new GenerationSchedule(GenerationSchedule.Kind.DOUBLING, 5),
        null);
    return one.toBuilder()
        .dimension(start.length)
        .objective(loss, objective)
        .algorithm(srgd ? "accelerated-dp-srgd" : "private-ftrl", "test", optimizer)
        .build();
  }

  static Stream<Plan> plans() {
    OutputLayer head = new OutputLayer.Classes(2);
    return Stream.of(
        plan(new Softmax(3), "softmax(3)", true),
        plan(new Softmax(2), "softmax(2)", false),
        plan(Objective.of(Losses.LOGISTIC.make()), "logistic", true),
        plan(new Network(3, Activations.TANH, head, 1), "a network", true));
  }

  @ParameterizedTest
  @MethodSource("plans")
  void publishesTheSameBitsUnderEveryScheduleOfFaults(Plan plan) {
    List<String> expected = world(plan, 1000, 1).run().published();
    assertThat(expected).hasSizeGreaterThan(2 * 30);
    for (int seed = 0; seed < 30; seed++) {
      World broken = world(plan, 40, 1 + seed % 3).runWithFaults(seed, 2 + seed % 30);
      assertThat(broken.published()).as("seed %d", seed).isEqualTo(expected);
    }
  }

  private static World world(Plan plan, long checkpointSlots, long stateEvery) {
    return new World(World.settings(plan, checkpointSlots, stateEvery)).fill(600, 1, 11);
  }
}
