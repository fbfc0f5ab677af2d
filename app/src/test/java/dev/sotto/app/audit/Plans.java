package dev.sotto.app.audit;

import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.optim.AcceleratedDpSrgd;
import dev.sotto.learner.optim.EuclideanBall;
import dev.sotto.learner.optim.Optimizer;
import dev.sotto.learner.optim.PrivateFtrl;
import dev.sotto.learner.optim.StepSize;
import dev.sotto.learner.privacy.Adjacency;
import dev.sotto.learner.privacy.Budget;
import dev.sotto.learner.privacy.Generations;
import dev.sotto.learner.privacy.PrivacyUnit;
import dev.sotto.learner.release.Mechanism;
import dev.sotto.learner.release.Mechanisms;
import dev.sotto.learner.round.Plan;
import dev.sotto.learner.unit.Participation;
import java.util.function.Consumer;

/** Small plans for tests, changed field by field. */
public final class Plans {
  public int dimension = 3;
  public Loss loss = Losses.LOGISTIC.make();
  public Mechanism mechanism = Mechanisms.BINARY_TREE.make();
  public double clip = 1;
  public long batch = 64;
  public double sigma = 10;
  public Adjacency adjacency = Adjacency.ZERO_OUT;
  public PrivacyUnit unit = PrivacyUnit.RECORD;
  public double epsilon = 100;
  public double delta = 1e-6;
  public Participation participation = new Participation.Once();
  public Generations generations = Generations.NONE;

  public Optimizer optimizer =
      new PrivateFtrl(new EuclideanBall(null, 8), new StepSize.Decreasing(1));

  private Plans() {}

  /** Accelerated DP-SRGD in place of Private FTRL. */
  public void srgd(AcceleratedDpSrgd.Gradients gradients) {
    optimizer = new AcceleratedDpSrgd(new EuclideanBall(null, 8), 1, true, gradients);
  }

  public static Plan plan(Consumer<Plans> change) {
    Plans settings = new Plans();
    change.accept(settings);
    return new Plan(
        "three",
        settings.dimension,
        "a loss",
        settings.loss,
        "private-ftrl",
        "decreasing 1",
        settings.optimizer,
        settings.mechanism,
        settings.clip,
        settings.batch,
        settings.sigma,
        settings.adjacency,
        settings.unit,
        new Budget(settings.epsilon, settings.delta),
        settings.participation,
        settings.generations,
        null);
  }
}
