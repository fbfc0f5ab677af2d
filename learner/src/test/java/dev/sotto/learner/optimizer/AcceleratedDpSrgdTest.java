package dev.sotto.learner.optimizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.optimizer.AcceleratedDpSrgd.Gradients;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.TestPlans;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AcceleratedDpSrgdTest {
  private static final NoiseKey KEY = NoiseKey.of(new byte[32]);
  private static final double[][] FEATURES = {
    {1, 0}, {0.6, 0.8}, {0, 1}, {-0.8, 0.6}, {0.28, -0.96}, {1, 0}
  };
  private static final double[] LABELS = {1, 0, 1, 1, 0, 0};

  private static Plan page(boolean accelerated, Gradients gradients) {
    return TestPlans.plan(p -> {
      p.noNoise();
      p.clip = 0.75;
      p.batch = 2;
      p.sigma = 1e-6; // of no noise: it makes the lattice fine
      p.optimizer = new AcceleratedDpSrgd(new EuclideanBall(null, 2), 0.5, accelerated, gradients);
    });
  }

  private static Slot slot(int i) {
    Slot slot = new Slot(2);
    slot.clear();
    double[] into = slot.example().dense();
    System.arraycopy(FEATURES[i], 0, into, 0, 2);
    slot.example().label(LABELS[i]);
    slot.status(RecordStatus.USED);
    return slot;
  }

  /** docs/development/figures.md, "Accelerated DP-SRGD": y and the x of the next gradients. */
  @Test
  void takesTheStepsOfThePage() {
    ModelLearner learner = ModelLearner.start(page(true, Gradients.RECURSIVE), KEY, "m", "");
    List<double[]> published = new ArrayList<>();
    List<double[]> points = new ArrayList<>();
    for (int i = 0; i < FEATURES.length; i++) {
      if (learner.fill(slot(i))) {
        published.add(learner.close().weights());
        points.add(learner.queryOf(learner.round() + 1).point().clone());
      }
    }
    assertThat(published.get(0)).containsExactly(new double[] {0.2, -0.4}, within(1e-7));
    assertThat(published.get(1))
        .containsExactly(new double[] {0.02104987, -0.04209974}, within(1e-7));
    assertThat(published.get(2))
        .containsExactly(new double[] {-0.32001034, 0.43010435}, within(1e-7));
    assertThat(points.get(0)).containsExactly(new double[] {0.2, -0.4}, within(1e-7));
    assertThat(points.get(1)).containsExactly(new double[] {-0.06842519, 0.13685038}, within(1e-7));
    assertThat(points.get(2)).containsExactly(new double[] {-0.55706849, 0.73628756}, within(1e-7));
  }
}
