package dev.sotto.evaluation.audit.subject;

import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.mechanism.PathNoise;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.Plan;
import dev.sotto.testing.Seed;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/** A separate, simple learner whose slots move a point, with one fault. */
public record FaultyPathLearner(PathFault fault) implements AuditSubject {
  @Override
  public String name() {
    return "a learner of paths by hand, fault: " + fault.label();
  }

  @Override
  public Run start(Plan plan, Identity identity, Window window) {
    return new ByHand(fault, plan, identity, window);
  }

  private static final class ByHand implements Run {
    private final PathFault fault;
    private final Objective objective;
    private final PathByHand path;
    private final PathNoise noise;
    private final QuerySchedule schedule;
    private final double sigma;
    private final boolean keyed;
    private final Window window;
    private final byte[] secret;
    private final double[] exact; // the last average
    private Map<ByteBuffer, Long> units = new HashMap<>(); // of the open block: their slots
    private double[] start; // of the open phase, as everybody knows it
    private double[] secretStart;
    private byte[] history = new byte[32];
    private byte[] content = new byte[32];
    private long number = 1; // of the open phase
    private long filled;
    private long blocks;
    private long draws;
    private Marked marked;

    /** A place between two releases. */
    private record Marked(
        Map<ByteBuffer, Long> units,
        double[] start,
        double[] secretStart,
        byte[] history,
        long number,
        long blocks) {}

    ByHand(PathFault fault, Plan plan, Identity identity, Window window) {
      this.fault = fault;
      this.objective = plan.objective();
      this.path = new PathByHand(fault, plan);
      this.noise = (PathNoise) plan.mechanism();
      this.schedule = noise.schedule();
      this.sigma = plan.sigma();
      this.keyed = plan.unit() == PrivacyUnit.KEY;
      this.window = window;
      this.secret =
          SeedHash.of(identity.secret(), identity.model().getBytes(StandardCharsets.UTF_8));
      this.start = plan.model().start();
      path.project(start);
      this.secretStart = start;
      this.exact = new double[plan.dimension()];
      path.open(1, start);
    }

    @Override
    public long nextSlot() {
      return (fault == PathFault.SLOTS_AGAIN ? 0 : schedule.query(number).first()) + filled;
    }

    @Override
    public void fill(Slot slot) {
      long place = nextSlot();
      filled++;
      ModelLearner.admit(slot, objective);
      content = SeedHash.of(content, FaultyBlockLearner.bytes(slot));
      if (slot.status() != RecordStatus.USED || keyed && isSecond(slot, place)) {
        path.addNothing();
      } else {
        path.add(slot.example());
      }
    }

    /** Whether its unit has another slot of the block; without a unit it counts nowhere. */
    private boolean isSecond(Slot slot, long place) {
      if (slot.unitLength() < 0) {
        return true;
      }
      ByteBuffer unit = ByteBuffer.wrap(Arrays.copyOf(slot.unit(), slot.unitLength()));
      return units.computeIfAbsent(unit, none -> place) != place && fault != PathFault.UNIT_TWICE;
    }

    @Override
    public void close(double[] into) {
      System.arraycopy(path.average(), 0, exact, 0, exact.length);
      byte[] past = SeedHash.of(history, content, SeedHash.of(number));
      byte[] seed = switch (fault) {
        case NOISE_AFRESH -> SeedHash.of(secret, past, SeedHash.of(draws));
        case NOISE_BY_NUMBER -> SeedHash.of(secret, SeedHash.of(blocks), SeedHash.of(number));
        default -> SeedHash.of(secret, past);
      };
      draws++;
      SplittableRandom random = Seed.splittable(ByteBuffer.wrap(seed).getLong());
      boolean ofNext = fault == PathFault.NOISE_OF_NEXT_PHASE;
      double deviation =
          sigma * noise.noise(ofNext ? Math.min(number + 1, schedule.queries()) : number);
      double[] noisy = exact.clone();
      for (int i = 0; i < noisy.length; i++) {
        noisy[i] += deviation * random.nextGaussian();
      }
      for (int i = 0; i < window.count(); i++) {
        into[i] = start[window.from() + i] - noisy[window.from() + i];
      }
      history = past;
      next(noisy);
    }

    /** Goes on to the next phase. */
    private void next(double[] noisy) {
      content = new byte[32];
      filled = 0;
      if (number++ == schedule.queries()) {
        number = 1;
        blocks++;
        units = new HashMap<>();
      }
      start = noisy;
      path.project(start);
      secretStart = fault == PathFault.EXACT_START ? exact.clone() : start;
      path.open(number, secretStart);
    }

    @Override
    public Optional<double[]> exact() {
      return Optional.of(exact.clone());
    }

    @Override
    public void mark() {
      marked = new Marked(new HashMap<>(units), start, secretStart, history, number, blocks);
    }

    @Override
    public void reset() {
      units = new HashMap<>(marked.units());
      start = marked.start();
      secretStart = marked.secretStart();
      history = marked.history();
      number = marked.number();
      blocks = marked.blocks();
      content = new byte[32];
      filled = 0;
      path.open(number, secretStart);
    }
  }
}
