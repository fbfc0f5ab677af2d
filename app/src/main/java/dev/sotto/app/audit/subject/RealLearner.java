package dev.sotto.app.audit.subject;

import dev.sotto.learner.example.Slot;
import dev.sotto.learner.privacy.Budget;
import dev.sotto.learner.release.NoiseKey;
import dev.sotto.learner.release.ReleaseState;
import dev.sotto.learner.round.ModelLearner;
import dev.sotto.learner.round.Plan;

/**
 * The product's own learner.
 *
 * @param name for reports
 * @param noise multiplies the noise: 1, or less for one whose ledger claims more noise than there is
 */
public record RealLearner(String name, double noise) implements Subject {
  /** As it runs. */
  public static final RealLearner AS_IT_IS = new RealLearner("this learner", 1);

  /** The same with half of the noise that is claimed. */
  public static final RealLearner HALF_THE_NOISE =
      new RealLearner("this learner with sigma / 2, while the ledger says sigma", 0.5);

  @Override
  public Run start(Plan plan, Identity identity, Window window) {
    Probe probe = new Probe(plan.optimizer());
    PlanVariant variant = PlanVariant.of(plan).with("optimizer", probe);
    if (noise != 1) { // what it really costs may exceed the budget; its false ledger does not
      Budget none = new Budget(Double.POSITIVE_INFINITY, plan.budget().delta());
      variant.with("sigma", noise * plan.sigma()).with("budget", none);
    }
    return new Learning(
        variant.make(), probe, NoiseKey.of(identity.secret()), identity.model(), window);
  }

  private static final class Learning implements Run {
    private static final String LABEL = "audit";

    private final Plan plan;
    private final Probe probe;
    private final NoiseKey key;
    private final String model;
    private final Window window;
    private ModelLearner learner;
    private ReleaseState marked;

    Learning(Plan plan, Probe probe, NoiseKey key, String model, Window window) {
      this.plan = plan;
      this.probe = probe;
      this.key = key;
      this.model = model;
      this.window = window;
      this.learner = ModelLearner.start(plan, key, model, LABEL);
    }

    @Override
    public void fill(Slot slot) {
      if (learner.isExhausted()) {
        throw new IllegalStateException("the budget must cover every round that is audited");
      }
      learner.fill(slot);
    }

    @Override
    public void close(double[] into) {
      learner.close();
      probe.last(window, plan.batch(), into);
    }

    @Override
    public void mark() {
      marked = learner.state();
    }

    @Override
    public void reset() {
      learner = ModelLearner.resume(plan, key, model, LABEL, marked);
    }
  }
}
