package dev.sotto.topology.settings;

import dev.sotto.learner.training.Plan;
import java.time.Duration;

/**
 * How often things are written; none of it changes the model.
 *
 * @param checkpointSlots a checkpoint after this number of slots without a saved position
 * @param checkpointInterval and after this time
 * @param stateEvery rounds after which large state is written, with the version that ends then
 * @param modelBytes for models on the heap, of all tasks of a process together: of the one that
 *     was not asked for longest, what is open is written when there is no more room
 */
public record Cadence(
    long checkpointSlots, Duration checkpointInterval, long stateEvery, long modelBytes) {
  /** With a quarter of the heap for models. */
  public Cadence(long checkpointSlots, Duration checkpointInterval, long stateEvery) {
    this(checkpointSlots, checkpointInterval, stateEvery, quarterOfHeap());
  }

  /**
   * Weights for which one slot is taken before state is written again: as many bytes as events.
   */
  private static final long WEIGHTS_OF_A_SLOT = 4;

  /**
   * A restart derives as many again in a second, and less would be written oftener for nothing.
   */
  private static final long LEAST_STATE = 65_536;

  private static final long LEAST_CHECKPOINT = 200_000;

  /** {@code checkpointSlots} where nobody says otherwise. */
  public static long usualCheckpoint(int dimension) {
    return Math.max(LEAST_CHECKPOINT, dimension);
  }

  /**
   * {@code stateEvery} where nobody says otherwise. Histories of units are one entry each, so
   * they are written as seldom as what is in progress: the log has what a restart derives again.
   */
  public static long usualStateEvery(int dimension, Plan plan, Layout layout) {
    long slots = dimension / WEIGHTS_OF_A_SLOT;
    if (!layout.sumsParts()) { // there the parts of all rounds since then are kept
      slots = Math.max(
          slots, plan.account().admission().isPresent() ? usualCheckpoint(dimension) : LEAST_STATE);
    }
    return Math.max(1, slots / plan.batch());
  }

  /** A quarter of the heap of this process, in bytes. */
  public static long quarterOfHeap() {
    return Runtime.getRuntime().maxMemory() / 4;
  }

  public Cadence {
    if (checkpointSlots < 1 || stateEvery < 1) {
      throw new IllegalArgumentException(
          "checkpointSlots and stateEvery must be at least 1, but were " + checkpointSlots + ", "
              + stateEvery);
    }
  }

  /** With every version, and a checkpoint every 200,000 slots or minute. */
  public static Cadence everyVersion() {
    return new Cadence(200_000, Duration.ofSeconds(60), 1);
  }
}
