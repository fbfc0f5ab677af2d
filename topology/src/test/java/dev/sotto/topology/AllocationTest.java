package dev.sotto.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.Plan;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.serdes.record.UnitSource;
import dev.sotto.testing.Seed;
import java.lang.management.ManagementFactory;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * To decode a ready-made example and to learn from it allocates next to nothing, whoever compiles
 * it: a view or two of the bytes of a dense one, since copying them in one piece takes a third of the
 * time of number after number.
 */
class AllocationTest {
  private static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int DIMENSION = 16;
  private static final int BLOCKS = 20;
  private static final int RECORDS = 1000;
  private static final int VIEW = 128; // the fields of two buffers, whatever the number of features

  private final Random random = Seed.random(1);

  /** Bytes in the block of records in which this thread has allocated least. */
  private long least(byte[] value, UnaryOperator<byte[]> before) {
    Plan plan = Trial.plan(DIMENSION, 1 << 20); // no round closes
    ModelLearner learner = ModelLearner.start(plan, NoiseKey.of(new byte[32]), "model", "1");
    EventDecoder decoder =
        new ExampleCodec(DIMENSION, Trial.LONGEST, UnitSource.NONE).admittedBy(plan.objective());
    Slot slot = new Slot(DIMENSION);
    long thread = Thread.currentThread().getId();
    long least = Long.MAX_VALUE;
    for (int block = 0; block < BLOCKS; block++) {
      long began = THREADS.getThreadAllocatedBytes(thread);
      for (int i = 0; i < RECORDS; i++) {
        if (decoder.decode(null, before.apply(value), slot) != RecordStatus.USED) {
          throw new AssertionError(slot.status());
        }
        learner.fill(slot);
      }
      least = Math.min(least, THREADS.getThreadAllocatedBytes(thread) - began);
    }
    assertThat(learner.openSlots()).isEqualTo((long) BLOCKS * RECORDS);
    return least;
  }

  @Test
  void allocatesNoMoreThanViewsForADenseExample() {
    assertThat(least(Trial.event(random, DIMENSION), value -> value))
        .isLessThanOrEqualTo((long) RECORDS * VIEW);
  }

  @Test
  void allocatesNothingForASparseExample() {
    byte[] value =
        ExampleCodec.encodeSparse(null, null, new int[] {1, 7, 9}, new double[] {0.5, 0, -2}, 1, 1);
    assertThat(least(value, same -> same)).isZero();
  }

  /** Shows that the check can fail. */
  @Test
  void noticesACopyOfEachRecord() {
    byte[] value = Trial.event(random, DIMENSION);
    assertThat(least(value, byte[]::clone)).isGreaterThanOrEqualTo((long) RECORDS * value.length);
  }
}
