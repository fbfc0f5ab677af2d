package dev.sotto.app.audit.subject;

import dev.sotto.learner.example.Slot;
import dev.sotto.learner.privacy.Budget;
import dev.sotto.learner.release.NoiseKey;
import dev.sotto.learner.round.ModelLearner;
import dev.sotto.learner.round.ModelState;
import dev.sotto.learner.round.Plan;
import dev.sotto.learner.unit.Participation;
import dev.sotto.learner.unit.UnitHistories;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

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
    if (noise != 1) { // what it really costs may exceed every budget; its false ledger does not
      variant
          .with("sigma", noise * plan.sigma())
          .with("budget", new Budget(Double.POSITIVE_INFINITY, plan.budget().delta()));
      if (plan.participation() instanceof Participation.Budgeted budgeted) {
        variant.with("participation", new Participation.Budgeted(budgeted.mu() / noise));
      }
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
    private final Histories histories = new Histories();
    private ModelLearner learner;
    private ModelState marked;

    Learning(Plan plan, Probe probe, NoiseKey key, String model, Window window) {
      this.plan = plan;
      this.probe = probe;
      this.key = key;
      this.model = model;
      this.window = window;
      this.learner = ModelLearner.start(plan, key, model, LABEL, histories);
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
      histories.mark();
    }

    @Override
    public void reset() {
      histories.reset();
      learner = ModelLearner.resume(plan, key, model, LABEL, marked, histories);
    }
  }

  /** Histories of units in memory, with the way back to a mark. */
  private static final class Histories implements UnitHistories {
    private final Map<ByteBuffer, byte[]> kept = new HashMap<>();
    private final Map<ByteBuffer, byte[]> before = new HashMap<>(); // null values: there was none
    private boolean marking;

    @Override
    public byte[] get(byte[] name) {
      return kept.get(ByteBuffer.wrap(name));
    }

    @Override
    public void put(byte[] name, byte[] history) {
      ByteBuffer unit = ByteBuffer.wrap(name.clone());
      byte[] old = kept.put(unit, history);
      if (marking && !before.containsKey(unit)) {
        before.put(unit, old);
      }
    }

    void mark() {
      marking = true;
      before.clear();
    }

    void reset() {
      before.forEach((unit, old) -> {
        if (old == null) {
          kept.remove(unit);
        } else {
          kept.put(unit, old);
        }
      });
      before.clear();
    }
  }
}
