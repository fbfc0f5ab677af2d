package dev.sotto.evaluation.audit.subject;

import dev.sotto.evaluation.audit.noise.ReleaseSchedule;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.participation.UnitHistories;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.ModelState;
import dev.sotto.learner.training.Plan;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The product's own learner, as it runs. */
public final class ProductLearner implements AuditSubject {
  /** The only one: what differs is in plans. */
  public static final AuditSubject AS_IT_IS = new ProductLearner();

  private ProductLearner() {}

  @Override
  public String name() {
    return "this learner";
  }

  @Override
  public Run start(Plan plan, Identity identity, Window window) {
    OptimizerProbe probe = new OptimizerProbe(plan);
    return new Learning(
        plan.toBuilder().optimizer(probe).build(),
        probe,
        NoiseKey.of(identity.secret()),
        identity.model(),
        window);
  }

  private static final class Learning implements Run {
    private static final String LABEL = "audit";

    private final Plan plan;
    private final OptimizerProbe probe;
    private final NoiseKey key;
    private final String model;
    private final Window window;
    private final ReleaseSchedule releases;
    private final Histories histories = new Histories();
    private ModelLearner learner;
    private ModelState marked;
    private int markedRelease;
    private int release;
    private boolean full;

    Learning(Plan plan, OptimizerProbe probe, NoiseKey key, String model, Window window) {
      this.plan = plan;
      this.releases = ReleaseSchedule.of(plan);
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
      full = learner.fill(slot);
    }

    @Override
    public long nextSlot() {
      return learner.nextSlot();
    }

    @Override
    public void close(double[] into) {
      release++;
      boolean closes = !releases.isOfQueries() || full && releases.point(release) == 0;
      if (closes) { // queries but the last are answered as they are full
        learner.close();
      }
      full = false;
      int point = releases.isOfQueries() ? releases.point(release) : 0;
      probe.last(window, point, releases.divisor(release), into);
    }

    @Override
    public Optional<double[]> counts() {
      return Optional.of(learner.noisyCounts());
    }

    @Override
    public Optional<double[]> exact() {
      return RedrawnNoise.exact(
          plan, key, learner.digest(), releases.number(release), probe.mean());
    }

    @Override
    public void mark() {
      marked = learner.state();
      markedRelease = release;
      histories.mark();
    }

    @Override
    public void reset() {
      histories.reset();
      release = markedRelease;
      full = false;
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
