package dev.sotto.topology.settings;

import dev.sotto.learner.training.Plan;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;

/** What models that are being learned take of the heap. */
public final class ModelMemory {
  /** Models of a partition that are kept however large they are. */
  public static final long LEAST = 2;

  /**
   * Rounds whose noise is drawn again, at most, where a model comes back that has given way to
   * others: drawing must take less than writing.
   */
  public static final int REDRAWN_ROUNDS = 8;

  /**
   * Bytes a weight: the open sum, what the step, the weights and the iterates take, and both halves
   * of the exact prefix sum; all of them arrays of 8 bytes.
   */
  private static final long WEIGHT_BYTES = 64;

  private static final long MODEL_BYTES = 16 << 10;

  /** Noise that grows with the binary digits of the round is counted as it is here. */
  private static final int ROUND_BITS = 12;

  /** Measured once for each plan. */
  private static final Map<Plan, Long> NOISE = Collections.synchronizedMap(new WeakHashMap<>());

  private ModelMemory() {}

  /** About what one takes under a plan: its arrays, and what its noise remembers. */
  public static long bytes(Plan plan) {
    return MODEL_BYTES + WEIGHT_BYTES * plan.dimension() + noise(plan);
  }

  /** About what one takes; of several candidates, the largest. */
  public static long bytes(LearnerSettings.Run run) {
    return run.candidates().all().stream()
        .mapToLong(each -> bytes(each.plan()))
        .max()
        .orElseGet(() -> bytes(run.plan()));
  }

  /** How many models of a partition have room in a number of bytes, given the bytes of one. */
  public static long room(long bytes, long each) {
    return Math.max(LEAST, bytes / each);
  }

  private static long noise(Plan plan) {
    return NOISE.computeIfAbsent(plan, ModelMemory::measured);
  }

  private static long measured(Plan plan) {
    return plan.mechanism().stateBytes(plan.dimension(), (1L << ROUND_BITS) - 1);
  }
}
