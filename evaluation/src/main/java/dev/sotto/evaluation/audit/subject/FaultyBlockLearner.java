package dev.sotto.evaluation.audit.subject;

import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.mechanism.QueryNoise;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.optimizer.DifferenceClips;
import dev.sotto.learner.optimizer.NormBins;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.Plan;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A separate, simple learner of blocks with one fault. It asks at the points of
 * {@link FixedPoints}, whatever the plan's optimizer is: they are not examined.
 */
public record FaultyBlockLearner(BlockFault fault) implements AuditSubject {
  /** What a batch of n / T examples loses where that is rounded down: n = 100, T = 15. */
  private static final double LOST = 2.0 / 3;

  @Override
  public String name() {
    return "a learner of blocks by hand, fault: " + fault.label();
  }

  @Override
  public Run start(Plan plan, Identity identity, Window window) {
    return new ByHand(fault, plan, identity, window);
  }

  private static final class ByHand implements Run {
    private final BlockFault fault;
    private final Loss loss;
    private final double clip;
    private final double sigma;
    private final QueryNoise noise;
    private final QuerySchedule schedule;
    private final DifferenceClips clips; // null without differences
    private final NormBins counts; // of the last query; null where it sums gradients
    private final boolean keyed;
    private final Window window;
    private final byte[] secret;
    private final double[] sum; // of the open query
    private Map<ByteBuffer, Long> units = new HashMap<>(); // of the open block: their slots
    private Map<ByteBuffer, Long> markedUnits;
    private byte[] history = new byte[32];
    private byte[] beforeBlock = new byte[32];
    private byte[][] marked;
    private byte[] content = new byte[32];
    private long number = 1; // of the open query
    private long markedNumber;
    private long filled;

    ByHand(BlockFault fault, Plan plan, Identity identity, Window window) {
      this.fault = fault;
      this.loss = plan.loss();
      this.clip = plan.clip();
      this.sigma = plan.sigma();
      this.noise = (QueryNoise) plan.mechanism();
      this.schedule = noise.schedule();
      this.clips = plan.optimizer().clips(1);
      this.counts = plan.optimizer().norms(schedule.queries());
      this.keyed = plan.unit() == PrivacyUnit.KEY;
      this.window = window;
      this.secret =
          SeedHash.of(identity.secret(), identity.model().getBytes(StandardCharsets.UTF_8));
      this.sum = new double[plan.dimension()];
    }

    @Override
    public long nextSlot() {
      QuerySchedule.Query query = schedule.query(number);
      QuerySchedule.Segment segment = schedule.segments().get(query.segment());
      boolean lastBatch = query.end() == segment.first() + segment.slots();
      return switch (fault) {
        case ONE_BATCH_TOO_MANY ->
          (segment.batches() > 1 && lastBatch ? segment.first() : query.first()) + filled;
        case OTHER_SLOTS_LATER ->
          query.first() + (query.pass() > 0 ? filled % ((query.slots() + 1) / 2) : filled);
        case INTO_THE_NEXT_BLOCK -> query.first() + filled + (number == schedule.queries() ? 1 : 0);
        default -> query.first() + filled;
      };
    }

    @Override
    public void fill(Slot slot) {
      long place = nextSlot();
      filled++;
      ModelLearner.admit(slot, Objective.of(loss));
      content = SeedHash.of(content, bytes(slot));
      if (slot.verdict() != RecordStatus.USED || keyed && isSecond(slot, place)) {
        return;
      }
      Example example = slot.example();
      if (counts != null && number == schedule.queries()) {
        count(example);
        return;
      }
      double factor = factor(example);
      for (int i = 0; i < example.size() && example.norm() > 0; i++) {
        sum[example.index(i)] += factor * example.value(i);
      }
    }

    private void count(Example example) {
      double slope = loss.slope(0, example.label()) * example.weight();
      int axis = counts.axis(Math.abs(slope) * example.norm());
      int first = fault == BlockFault.COUNTED_IN_SEVERAL_BINS ? 0 : axis;
      for (int i = Math.max(0, first); i <= axis; i++) {
        sum[i] += clip;
      }
    }

    /** Whether its unit has another slot of the block; without a unit it counts nowhere. */
    private boolean isSecond(Slot slot, long place) {
      if (slot.unitLength() < 0) {
        return true;
      }
      ByteBuffer unit = ByteBuffer.wrap(Arrays.copyOf(slot.unit(), slot.unitLength()));
      return units.computeIfAbsent(unit, none -> place) != place && fault != BlockFault.UNIT_TWICE;
    }

    /** What the features are multiplied by. */
    private double factor(Example example) {
      if (clips == null) {
        return cut(slope(example, 1), example, clip);
      }
      double fresh = cut(slope(example, number), example, clips.gradient());
      if (number == 1) {
        return clips.share() * fresh;
      }
      double moved = slope(example, number) - slope(example, number - 1);
      if (fault != BlockFault.DIFFERENCE_NOT_CLIPPED) {
        moved = fresh - cut(slope(example, number - 1), example, clips.gradient());
        moved = cut(moved, example, clips.difference());
      }
      return (1 - clips.share()) * moved + clips.share() * fresh;
    }

    /** The slope at the point of a query; that of the first is zero. */
    private double slope(Example example, long query) {
      double score = 0;
      for (int i = 0; i < example.size(); i++) {
        score += example.value(i) * FixedPoints.coordinate(query);
      }
      return loss.slope(score, example.label()) * example.weight();
    }

    private static double cut(double factor, Example example, double radius) {
      double norm = Math.abs(factor) * example.norm();
      return norm > radius ? factor * radius / norm : factor;
    }

    private static byte[] bytes(Slot slot) {
      if (slot.verdict() != RecordStatus.USED) {
        return new byte[] {(byte) slot.verdict().code()};
      }
      Example example = slot.example();
      ByteBuffer buffer = ByteBuffer.allocate(16 + 12 * example.size());
      buffer.putDouble(example.label()).putDouble(example.weight());
      for (int i = 0; i < example.size(); i++) {
        buffer.putInt(example.index(i)).putDouble(example.value(i));
      }
      return buffer.array();
    }

    @Override
    public void close(double[] into) {
      history = SeedHash.of(history, content, SeedHash.of(number));
      byte[] seed = fault == BlockFault.NOISE_BY_BLOCK
          ? SeedHash.of(secret, beforeBlock)
          : SeedHash.of(secret, history);
      SplittableRandom random = new SplittableRandom(ByteBuffer.wrap(seed).getLong());
      double deviation = sigma * noise.noise(number);
      if (fault == BlockFault.NOISE_FOR_MORE_SLOTS) {
        double slots = schedule.query(number).slots();
        deviation *= slots / (slots + LOST);
      }
      if (fault == BlockFault.EXACT_COUNTS && counts != null && number == schedule.queries()) {
        deviation = 0;
      }
      for (int i = 0; i < sum.length; i++) {
        double noisy = sum[i] + deviation * random.nextGaussian();
        if (i >= window.from() && i < window.from() + window.count()) {
          into[i - window.from()] = noisy;
        }
      }
      Arrays.fill(sum, 0);
      content = new byte[32];
      filled = 0;
      if (number++ == schedule.queries()) {
        number = 1;
        beforeBlock = history;
        units.clear();
      }
    }

    @Override
    public void mark() {
      marked = new byte[][] {history, beforeBlock};
      markedUnits = new HashMap<>(units);
      markedNumber = number;
    }

    @Override
    public void reset() {
      history = marked[0];
      beforeBlock = marked[1];
      units = new HashMap<>(markedUnits);
      number = markedNumber;
    }
  }
}
