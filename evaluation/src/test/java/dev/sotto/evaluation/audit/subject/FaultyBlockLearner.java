package dev.sotto.evaluation.audit.subject;

import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.mechanism.AnswerNoise;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.optimizer.NormBins;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.Plan;
import dev.sotto.testing.Seed;
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

  /** What noise is bound to of a slot. */
  static byte[] bytes(Slot slot) {
    if (slot.status() != RecordStatus.USED) {
      return new byte[] {(byte) slot.status().code()};
    }
    Example example = slot.example();
    ByteBuffer buffer = ByteBuffer.allocate(16 + 12 * example.size());
    buffer.putDouble(example.label()).putDouble(example.weight());
    for (int i = 0; i < example.size(); i++) {
      buffer.putInt(example.index(i)).putDouble(example.value(i));
    }
    return buffer.array();
  }

  private static final class ByHand implements Run {
    private final BlockFault fault;
    private final Loss loss;
    private final double clip;
    private final double sigma;
    private final AnswerNoise noise;
    private final QuerySchedule schedule;
    private final GradientsByHand gradients;
    private final NormBins counts; // of the last query; null where it sums gradients
    private final boolean keyed;
    private final Window window;
    private final byte[] secret;
    private final int points;
    private final double rate;
    private final double[] sum; // of the open query, point after point
    private final double[] answers; // of the query that was answered last
    private final long[] chosen; // slots in the sum of each point
    private Map<ByteBuffer, Long> units = new HashMap<>(); // of the open block: their slots
    private Map<ByteBuffer, Long> markedUnits;
    private byte[] history = new byte[32];
    private byte[] beforeBlock = new byte[32];
    private byte[][] marked;
    private byte[] content = new byte[32];
    private long number = 1; // of the open query
    private long markedNumber;
    private long filled;
    private int point; // whose answer is given next
    private int markedPoint;
    private byte[] atFirstCoins = new byte[32]; // history before the block's first coins
    private long blocks;
    private long markedBlocks;

    ByHand(BlockFault fault, Plan plan, Identity identity, Window window) {
      this.fault = fault;
      this.loss = plan.loss();
      this.clip = plan.clip();
      this.sigma = plan.sigma();
      this.noise = (AnswerNoise) plan.mechanism();
      this.schedule = noise.schedule();
      this.gradients = new GradientsByHand(loss, clip, plan.optimizer().clips(1));
      this.counts = plan.optimizer().norms(schedule.queries());
      this.keyed = plan.unit() == PrivacyUnit.KEY;
      this.window = window;
      this.secret =
          SeedHash.of(identity.secret(), identity.model().getBytes(StandardCharsets.UTF_8));
      this.points = schedule.sampling().points();
      this.rate = schedule.sampling().rate();
      this.sum = new double[points * plan.dimension()];
      this.answers = new double[sum.length];
      this.chosen = new long[points];
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
      add(slot, place);
      if (!schedule.answers(number) && filled == schedule.query(number).slots()) {
        next();
      }
    }

    private void add(Slot slot, long place) {
      if (slot.status() != RecordStatus.USED || keyed && isSecond(slot, place)) {
        return;
      }
      Example example = slot.example();
      if (counts != null && number == schedule.queries()) {
        count(example);
        return;
      }
      boolean cuts = fault != BlockFault.DIFFERENCE_NOT_CLIPPED;
      double factor = gradients.factor(example, number, cuts ? 1 : Double.POSITIVE_INFINITY);
      boolean[] coins = coins(place);
      for (int m = 0; m < points && schedule.answers(number); m++) {
        boolean uncut = fault == BlockFault.OTHER_POINTS_NOT_CLIPPED && m > 0;
        double times = uncut ? gradients.slope(example, 1) : factor;
        chosen[m] += coins[m] ? 1 : 0;
        for (int i = 0; i < example.size() && example.norm() > 0 && coins[m]; i++) {
          sum[m * (sum.length / points) + example.index(i)] += times * example.value(i);
        }
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

    /** At which points of the open query a slot takes part. */
    private boolean[] coins(long place) {
      boolean[] coins = new boolean[points];
      byte[] seed = switch (fault) {
        case COINS_BY_BLOCK -> SeedHash.of(secret, atFirstCoins, SeedHash.of(place));
        case COINS_WITHOUT_CONTENT ->
          SeedHash.of(secret, SeedHash.of(blocks), SeedHash.of(number), SeedHash.of(place));
        default -> SeedHash.of(secret, history, SeedHash.of(place));
      };
      SplittableRandom random = rate < 1 ? Seed.splittable(ByteBuffer.wrap(seed).getLong()) : null;
      for (int m = 0; m < points; m++) {
        boolean shared = fault == BlockFault.ONE_SUBSET && m > 0;
        coins[m] = random == null || (shared ? coins[0] : random.nextDouble() < rate);
      }
      return coins;
    }

    /** Whether its unit has another slot of the block; without a unit it counts nowhere. */
    private boolean isSecond(Slot slot, long place) {
      if (slot.unitLength() < 0) {
        return true;
      }
      ByteBuffer unit = ByteBuffer.wrap(Arrays.copyOf(slot.unit(), slot.unitLength()));
      return units.computeIfAbsent(unit, none -> place) != place && fault != BlockFault.UNIT_TWICE;
    }

    @Override
    public void close(double[] into) {
      if (point == 0) {
        answer();
      }
      int start = point * (answers.length / points) + window.from();
      System.arraycopy(answers, start, into, 0, window.count());
      point = (point + 1) % points;
    }

    private void answer() {
      double deviation = sigma * noise.noise(number);
      if (fault == BlockFault.NOISE_FOR_MORE_SLOTS) {
        double slots = schedule.query(number).slots();
        deviation *= slots / (slots + LOST);
      }
      if (fault == BlockFault.EXACT_COUNTS && counts != null && number == schedule.queries()) {
        deviation = 0;
      }
      double expected = rate * schedule.query(number).slots();
      byte[] past = SeedHash.of(history, content, SeedHash.of(number));
      byte[] seed = SeedHash.of(secret, fault == BlockFault.NOISE_BY_BLOCK ? beforeBlock : past);
      int dimension = sum.length / points;
      SplittableRandom random = null;
      for (int i = 0; i < sum.length; i++) {
        boolean anew = fault == BlockFault.NOISE_BY_QUERY && i % dimension == 0;
        if (random == null || anew) {
          random = Seed.splittable(ByteBuffer.wrap(seed).getLong());
        }
        double exact = fault == BlockFault.DIVIDE_BY_CHOSEN && rate < 1
            ? sum[i] * expected / Math.max(1, chosen[i / dimension])
            : sum[i];
        answers[i] = exact + deviation * random.nextGaussian();
      }
      next();
    }

    /** Goes on to the next query. */
    private void next() {
      history = SeedHash.of(history, content, SeedHash.of(number));
      Arrays.fill(sum, 0);
      Arrays.fill(chosen, 0);
      content = new byte[32];
      filled = 0;
      if (number == 1) {
        atFirstCoins = history;
      }
      if (number++ == schedule.queries()) {
        number = 1;
        blocks++;
        beforeBlock = history;
        units.clear();
      }
    }

    @Override
    public void mark() {
      marked = new byte[][] {history, beforeBlock, atFirstCoins};
      markedPoint = point;
      markedBlocks = blocks;
      markedUnits = new HashMap<>(units);
      markedNumber = number;
    }

    @Override
    public void reset() {
      history = marked[0];
      beforeBlock = marked[1];
      atFirstCoins = marked[2];
      point = markedPoint;
      blocks = markedBlocks;
      units = new HashMap<>(markedUnits);
      number = markedNumber;
    }
  }
}
