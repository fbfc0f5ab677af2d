package dev.sotto.learner.round;

import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.loss.Objective;
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
import dev.sotto.learner.unit.Participation;
import java.util.function.Consumer;

/** A valid plan of which tests change what they are about. */
public final class PlanBuilder {
  public String features = "two";
  public int dimension = 2;
  public String lossName = "logistic";
  public Loss loss = Losses.LOGISTIC.make();
  public Objective objective = null; // of the loss, unless set
  public String algorithm = "private-ftrl";
  public String steps = "decreasing 1";
  public Optimizer optimizer =
      new PrivateFtrl(new EuclideanBall(null, 1), new StepSize.Decreasing(1));
  public Mechanism mechanism = Mechanisms.BINARY_TREE.make();
  public double clip = 1;
  public long batch = 4;
  public double sigma = 4;
  public Adjacency adjacency = Adjacency.ZERO_OUT;
  public PrivacyUnit unit = PrivacyUnit.RECORD;
  public Budget budget = new Budget(100, 1e-6);
  public Participation participation = new Participation.Once();
  public Generations generations = Generations.NONE;
  public MetricsPlan metrics = null;
  public int lag = 0;

  /** The plan with these changes. */
  public static Plan plan(Consumer<PlanBuilder> changes) {
    PlanBuilder builder = new PlanBuilder();
    changes.accept(builder);
    return builder.build();
  }

  /** No noise, and a budget that allows it. */
  public void noNoise() {
    mechanism = Mechanisms.noneForPublicData();
    budget = new Budget(Double.POSITIVE_INFINITY, 1e-6);
  }

  private Plan build() {
    return new Plan(
        features,
        dimension,
        lossName,
        objective == null ? Objective.of(loss) : objective,
        algorithm,
        steps,
        optimizer,
        mechanism,
        clip,
        batch,
        sigma,
        adjacency,
        unit,
        budget,
        participation,
        generations,
        metrics,
        lag);
  }
}
