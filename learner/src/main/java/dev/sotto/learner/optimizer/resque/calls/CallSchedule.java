package dev.sotto.learner.optimizer.resque.calls;

import dev.sotto.learner.mechanism.CallNoise;
import dev.sotto.learner.mechanism.PathNoise.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The calls of a block, each over slots of its own. Every outer round has at one centre the loops
 * of Algorithm 6, a stochastic proximal point of small bias, and then one call of Algorithm 5, the
 * next iterate. lambda is fixed, so that no line search, and no Algorithm 7, is needed.
 *
 * <p>Algorithm 5 restarts Algorithm 4 with twice the entries each time, from 2 T / log2 T or less
 * to T / 2. Nothing is amplified by sampling here, so every restart and every level has the same
 * beta: the printed ones are larger where there are fewer entries, and would cost more. Phases of
 * less than four slots are left out; their steps are the smallest.
 *
 * @param calls in their order
 * @param noise with the phases of all of them
 */
public record CallSchedule(List<Call> calls, CallNoise noise) {
  private static final long LEAST_PHASE = 4;
  private static final long LEAST_QUERIES = 4;

  /** From this number of entries on, two levels and two loops are worth their slots. */
  private static final long QUERIES_OF_TWO_LEVELS = 16;

  /** Entries of a call of Algorithm 5 over those of the smallest one of Algorithm 6. */
  private static final int OPTIMUM = 4;

  /** Above the mean, so that few draws are thrown away. */
  private static final double CAP = 1.1;

  /** c / 2 as steps are designed with it; only the accountant knows the true one. */
  private static final double USUAL_CONSTANT = 1.5;

  /** Of the levels, which are drawn before data are seen. */
  private static final long SEED = 0x1e7e1L;

  /**
   * One call.
   *
   * @param row its phases
   * @param weight of its answer in the stochastic proximal point; 0 for the next iterate
   */
  public record Call(int row, double weight) {
    /** Whether it is the last of its round, whose answer is the next iterate. */
    boolean isOptimum() {
      return weight == 0;
    }
  }

  /**
   * The calls that fill a block best.
   *
   * @throws IllegalArgumentException where {@link CallRegime} has reasons
   */
  public static CallSchedule of(CallSize size) {
    Draft best = Draft.of(size, LEAST_QUERIES, OPTIMUM);
    if (best.slots() > size.block().slots()) {
      throw new IllegalArgumentException("a block must have at least " + best.slots()
          + " slots, but has " + size.block().slots());
    }
    Draft next = best;
    while (next.slots() <= size.block().slots()) {
      best = next;
      next = Draft.of(size, 2 * best.queries(), OPTIMUM);
    }
    Draft larger = Draft.of(size, best.queries(), 2 * OPTIMUM);
    return (larger.slots() <= size.block().slots() ? larger : best).schedule(size);
  }

  /** The smallest number of slots of a block. */
  static long leastSlots(CallSize size) {
    return Draft.of(size, LEAST_QUERIES, OPTIMUM).slots();
  }

  /** Slots of a block. */
  public long slots() {
    return noise.schedule().slots();
  }

  /**
   * The phases of Algorithm 4 with T entries, a power of two, in a ball of the size's radius: they
   * halve, the first has half of the entries, and steps fall by four.
   */
  static List<Phase> phases(CallSize size, long queries) {
    double beta = 1 / (USUAL_CONSTANT * size.block().noise());
    double step = 2
        * size.radius()
        / size.block().clip()
        * Math.min(1 / Math.sqrt(queries), beta / Math.sqrt(size.block().dimension()));
    List<Phase> phases = new ArrayList<>();
    for (long slots = Long.highestOneBit(queries) / 2; slots >= 1; slots /= 2) {
      step /= 4;
      phases.add(new Phase(slots, step));
    }
    return phases;
  }

  private record Draft(long queries, List<List<Phase>> rows, List<Call> calls) {
    static Draft of(CallSize size, long queries, int optimum) {
      int most = queries >= QUERIES_OF_TWO_LEVELS ? 2 : 1;
      CallLevels levels = new CallLevels(most);
      List<List<Phase>> rows = new ArrayList<>();
      for (int level = 0; level <= most; level++) {
        rows.add(restarts(size, queries << level));
      }
      rows.add(restarts(size, queries * optimum));
      int rounds = Math.toIntExact(size.rounds());
      double mean = levels.expectedCost() * most * rounds;
      int[] drawn = levels.draw(SEED, Math.multiplyExact(rounds, most), CAP * mean + 4);
      List<Call> calls = new ArrayList<>();
      for (int round = 0; round < rounds; round++) {
        for (int loop = 0; loop < most; loop++) {
          add(drawn[round * most + loop], most, calls);
        }
        calls.add(new Call(most + 1, 0));
      }
      return new Draft(queries, rows, calls);
    }

    /** One loop: {@code x_0 + 2^J (fine - coarse)}, of which the mean is taken over all loops. */
    private static void add(int level, int most, List<Call> calls) {
      calls.add(new Call(0, 1.0 / most));
      if (level <= most) {
        double weight = StrictMath.scalb(1.0, level) / most;
        calls.add(new Call(level, weight));
        calls.add(new Call(level - 1, -weight));
      }
    }

    /** Algorithm 5 with T entries: its phases one after the other. */
    private static List<Phase> restarts(CallSize size, long queries) {
      List<Phase> phases = new ArrayList<>();
      int k = restarts(queries);
      for (int i = 0; i < k; i++) {
        for (Phase phase : phases(size, Math.max(2, queries >> (k - i)))) {
          boolean needed = phases.isEmpty() && i == k - 1;
          if (phase.slots() >= LEAST_PHASE || needed) {
            phases.add(phase);
          }
        }
      }
      return phases;
    }

    /** ceil(log2 log2 T). */
    private static int restarts(long queries) {
      int log = 63 - Long.numberOfLeadingZeros(queries); // a power of two
      return Math.max(1, 64 - Long.numberOfLeadingZeros(log - 1L));
    }

    long slots() {
      return calls.stream()
          .flatMapToLong(call -> LongStream.of(
              rows.get(call.row()).stream().mapToLong(Phase::slots).sum()))
          .sum();
    }

    CallSchedule schedule(CallSize size) {
      double domain = size.block().distance() / size.block().clip();
      CallNoise.Shape shape = new CallNoise.Shape(
          size.block().dimension(),
          size.reach(),
          size.ratio(),
          domain,
          size.pull(),
          size.failure());
      List<Integer> order = calls.stream().map(Call::row).toList();
      return new CallSchedule(calls, new CallNoise(shape, rows, order));
    }
  }
}
