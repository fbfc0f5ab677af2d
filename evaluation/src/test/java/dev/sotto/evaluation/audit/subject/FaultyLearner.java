package dev.sotto.evaluation.audit.subject;

import dev.sotto.evaluation.audit.noise.NoiseColourer;
import dev.sotto.evaluation.audit.noise.NoiseDistribution;
import dev.sotto.evaluation.audit.noise.NoiseMatrix;
import dev.sotto.evaluation.audit.noise.ReleaseSchedule;
import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.mechanism.MomentumTree;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.Plan;
import dev.sotto.testing.Seed;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;

/** A separate, simple learner with one fault. Its weights stay at zero: they are not examined. */
public record FaultyLearner(InjectedFault fault) implements AuditSubject {
  @Override
  public String name() {
    return "a learner by hand, fault: " + fault.label();
  }

  @Override
  public Run start(Plan plan, Identity identity, Window window) {
    return new ByHand(fault, plan, identity, window);
  }

  private static final class ByHand implements Run {
    private final InjectedFault fault;
    private final Loss loss;
    private final double clip;
    private final ReleaseSchedule releases;
    private final Window window;
    private final byte[] secret;
    private final NoiseDistribution distribution;
    private final NoiseMatrix matrix;
    private final NoiseColourer colourer;
    private final double decay; // of sums, from round to round
    private final double[] sum; // of the open round
    private final double[] white;
    private double[] prefix; // of all rounds before, times the nominal batch
    private double[] markedPrefix;
    private byte[] history = new byte[32];
    private byte[] markedHistory;
    private byte[] content = new byte[32];
    private boolean pending; // whether the noise of the last round is not yet committed
    private long round;
    private long markedRound;
    private long usable;
    private long filled;
    private long draws;

    ByHand(InjectedFault fault, Plan plan, Identity identity, Window window) {
      this.fault = fault;
      this.loss = plan.loss();
      this.clip = plan.clip();
      this.releases = ReleaseSchedule.of(plan);
      this.window = window;
      this.secret =
          SeedHash.of(identity.secret(), identity.model().getBytes(StandardCharsets.UTF_8));
      this.distribution = NoiseDistribution.of(plan);
      this.matrix = NoiseMatrix.of(plan);
      this.colourer = new NoiseColourer(matrix, plan.dimension());
      this.decay = plan.mechanism() instanceof MomentumTree tree ? tree.beta() : 1;
      this.sum = new double[plan.dimension()];
      this.white = new double[plan.dimension()];
      this.prefix = new double[plan.dimension()];
    }

    @Override
    public long nextSlot() {
      return (releases.isOfQueries() ? releases.query((int) round + 1).first() : 0) + filled;
    }

    @Override
    public void fill(Slot slot) {
      filled++;
      ModelLearner.admit(slot, Objective.of(loss));
      content = SeedHash.of(content, FaultyBlockLearner.bytes(slot));
      if (slot.status() != RecordStatus.USED) {
        return;
      }
      usable++;
      Example example = slot.example();
      double slope = loss.slope(0, example.label()) * example.weight();
      double norm = Math.abs(slope) * example.norm();
      double factor =
          fault == InjectedFault.CLIP_AFTER_SUM ? slope : slope * Math.min(1, clip / norm);
      for (int i = 0; i < example.size() && norm > 0; i++) {
        sum[example.index(i)] += factor * example.value(i);
      }
    }

    @Override
    public void close(double[] into) {
      commitNoise();
      round++;
      filled = 0;
      long batch = releases.slots((int) round);
      if (matrix.isRestart(round)) {
        Arrays.fill(prefix, 0);
      }
      double factor = 1;
      if (fault == InjectedFault.CLIP_AFTER_SUM) {
        double norm = norm(sum);
        factor = norm > batch * clip ? batch * clip / norm : 1;
      } else if (fault == InjectedFault.DIVIDE_BY_USABLE) {
        factor = usable == 0 ? 0 : (double) batch / usable;
      }
      for (int i = 0; i < sum.length; i++) {
        prefix[i] = decay * prefix[i] + factor * sum[i];
      }
      history = SeedHash.of(history, content);
      SplittableRandom random = Seed.splittable(ByteBuffer.wrap(seed()).getLong());
      for (int i = 0; i < white.length; i++) {
        white[i] = distribution.draw(random);
      }
      double[] noise = new double[white.length];
      colourer.colour(white, noise);
      pending = true;
      for (int i = 0; i < window.count(); i++) {
        into[i] = prefix[window.from() + i] + noise[window.from() + i];
      }
      Arrays.fill(sum, 0);
      usable = 0;
      content = new byte[32];
    }

    private byte[] seed() {
      return switch (fault) {
        case NOISE_BY_ROUND -> SeedHash.of(secret, SeedHash.of(round));
        case NOISE_BY_BATCH -> SeedHash.of(secret, content);
        case NOISE_AFRESH -> SeedHash.of(secret, SeedHash.of(++draws));
        default -> SeedHash.of(secret, history);
      };
    }

    private static double norm(double[] vector) {
      double squares = 0;
      for (double each : vector) {
        squares += each * each;
      }
      return Math.sqrt(squares);
    }

    private void commitNoise() {
      if (pending) {
        colourer.advance(white);
        pending = false;
      }
    }

    @Override
    public void mark() {
      commitNoise();
      markedPrefix = prefix.clone();
      markedHistory = history;
      markedRound = round;
    }

    @Override
    public void reset() {
      pending = false;
      prefix = markedPrefix.clone();
      history = markedHistory;
      round = markedRound;
    }
  }
}
