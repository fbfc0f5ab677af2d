package dev.sotto.learner.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.optimizer.AcceleratedDpSrgd;
import dev.sotto.learner.optimizer.AcceleratedDpSrgd.Gradients;
import dev.sotto.learner.optimizer.Box;
import dev.sotto.learner.optimizer.EuclideanBall;
import dev.sotto.learner.optimizer.LpBall;
import dev.sotto.learner.optimizer.Optimizer;
import dev.sotto.learner.optimizer.Potential;
import dev.sotto.learner.optimizer.PrivateFtrl;
import dev.sotto.learner.optimizer.Simplex;
import dev.sotto.learner.optimizer.StepSize;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Learning that begins at published weights; {@link ResumeTest} has restarts of such runs. */
class WarmStartTest {
  private static final NoiseKey KEY = NoiseKey.of(new byte[32]);
  private static final double[] PUBLISHED = {0.3, -0.2};

  private static Optimizer ftrl(Potential potential) {
    return new PrivateFtrl(potential, new StepSize.Decreasing(1));
  }

  private static Plan plan(Optimizer optimizer) {
    return TestPlans.plan(each -> {
          each.noNoise();
          each.optimizer = optimizer;
        })
        .toBuilder()
        .warmStart(PUBLISHED)
        .build();
  }

  static Stream<Optimizer> optimizers() {
    return Stream.of(
        ftrl(new EuclideanBall(null, Double.POSITIVE_INFINITY)),
        ftrl(new EuclideanBall(null, 2)),
        ftrl(new Box(-1, 1)),
        ftrl(new LpBall(1.5, 2)),
        new AcceleratedDpSrgd(new EuclideanBall(null, 2), 0.7, true, Gradients.RECURSIVE));
  }

  /** Slots that say nothing leave the model where it began. */
  @ParameterizedTest
  @MethodSource("optimizers")
  void staysWhereItBeganUntilRecordsSayMore(Optimizer optimizer) {
    Plan plan = plan(optimizer);
    ModelLearner learner = ModelLearner.start(plan, KEY, "m", "");
    assertThat(learner.weights()).containsExactly(PUBLISHED, within(1e-12));
    for (int round = 0; round < 3; round++) {
      learner.fillAbsent(plan.batch());
      assertThat(learner.close().weights()).containsExactly(PUBLISHED, within(1e-12));
    }
  }

  /** Its twin: records do move it, and not back to where the loss starts. */
  @ParameterizedTest
  @MethodSource("optimizers")
  void learnsOnFromWhereItBegan(Optimizer optimizer) {
    Plan plan = plan(optimizer);
    ModelLearner learner = ModelLearner.start(plan, KEY, "m", "");
    Slot slot = new Slot(2);
    for (int i = 0; i < plan.batch(); i++) {
      slot.clear();
      slot.example().dense()[0] = 1;
      slot.example().label(1);
      slot.status(RecordStatus.USED);
      learner.fill(slot);
    }
    double[] weights = learner.close().weights();
    assertThat(weights[0]).isGreaterThan(PUBLISHED[0] + 0.01);
    assertThat(weights[1]).isBetween(2 * PUBLISHED[1], PUBLISHED[1] / 2);
  }

  /** What lies outside the set begins at its nearest point. */
  @Test
  void beginsWithinTheSet() {
    double[] far = {3, 4};
    assertThat(ftrl(new EuclideanBall(null, 1)).start(far).weights())
        .containsExactly(new double[] {0.6, 0.8}, within(1e-12));
    assertThat(ftrl(new Box(-1, 3.5)).start(far).weights())
        .containsExactly(new double[] {3, 3.5}, within(1e-12));
    double[] inside = ftrl(new LpBall(1.5, 1)).start(far).weights();
    assertThat(Math.pow(inside[0], 1.5) + Math.pow(inside[1], 1.5)).isCloseTo(1, within(1e-9));
    double[] onSimplex = ftrl(new Simplex(1)).start(new double[] {0.25, 0.75}).weights();
    assertThat(onSimplex).containsExactly(new double[] {0.25, 0.75}, within(1e-12));
    double[] beside = ftrl(new Simplex(1)).start(new double[] {-5, 2}).weights();
    assertThat(beside[0] + beside[1]).isCloseTo(1, within(1e-12));
    assertThat(Arrays.stream(beside).min().getAsDouble()).isNotNegative();
  }

  /** Other first weights are another mechanism: another name of the run, other noise. */
  @Test
  void isPartOfThePlansIdentity() {
    Plan plan = plan(ftrl(new EuclideanBall(null, 2)));
    double[] moved = PUBLISHED.clone();
    moved[1] = Math.nextUp(moved[1]);
    Plan beside = plan.toBuilder().warmStart(moved).build();
    Plan cold = plan.toBuilder().warmStart(null).build();
    List<byte[]> prints = List.of(plan.fingerprint(), beside.fingerprint(), cold.fingerprint());
    assertThat(prints.stream().map(Arrays::toString)).doesNotHaveDuplicates();
    assertThat(plan.toBuilder().build().fingerprint()).isEqualTo(plan.fingerprint());
  }

  @Test
  void refusesWeightsThatAreNotThisModels() {
    PlanBuilder builder = plan(ftrl(new EuclideanBall(null, 2))).toBuilder();
    assertThatIllegalArgumentException()
        .isThrownBy(builder.warmStart(new double[3])::build)
        .withMessageContaining("must be 2 finite weights, but was 3");
    assertThatIllegalArgumentException()
        .isThrownBy(builder.warmStart(new double[] {0, Double.NaN})::build)
        .withMessageContaining("not finite");
  }
}
