package dev.sotto.learner.training;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.accounting.PrivateMetrics;
import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.optimizer.EuclideanBall;
import dev.sotto.learner.optimizer.Optimizer;
import dev.sotto.learner.optimizer.PrivateFtrl;
import dev.sotto.learner.optimizer.StepSize;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.Participation;
import java.util.function.Consumer;

/** A valid plan of which tests change what they are about. */
public final class TestPlans {
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
  public GenerationSchedule generations = GenerationSchedule.NONE;
  public PrivateMetrics metrics = null;
  public int lag = 0;

  /** The plan with these changes. */
  public static Plan plan(Consumer<TestPlans> changes) {
    TestPlans builder = new TestPlans();
    changes.accept(builder);
    return builder.build();
  }

  /** No noise, and a budget that allows it. */
  public void noNoise() {
    mechanism = Mechanisms.noneForPublicData();
    budget = new Budget(Double.POSITIVE_INFINITY, 1e-6);
  }

  private Plan build() {
    return new PlanBuilder()
        .features(features)
        .dimension(dimension)
        .objective(lossName, objective == null ? Objective.of(loss) : objective)
        .algorithm(algorithm, steps, optimizer)
        .mechanism(mechanism)
        .clip(clip)
        .batch(batch)
        .sigma(sigma)
        .adjacency(adjacency)
        .unit(unit)
        .budget(budget)
        .participation(participation)
        .generations(generations)
        .metrics(metrics)
        .lag(lag)
        .build();
  }
}
