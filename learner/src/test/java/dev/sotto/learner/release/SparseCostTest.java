package dev.sotto.learner.release;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A sparse example of a large model costs its non-zeros, not the model (docs/algorithms.md,
 * "Losses").
 */
class SparseCostTest {
  private static final int DIMENSION = 1 << 20;
  private static final int NON_ZEROS = 16;
  private static final long EXAMPLES = 2000;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final ClippedSum sum = new ClippedSum(Lattice.fit(1, 1000, DIMENSION, 1 << 20));
  private final ContentDigest digest = new ContentDigest(NoiseKey.of(new byte[32]), new byte[16]);
  private final double[] weights = new double[DIMENSION];
  private final Slot slot = new Slot(DIMENSION);

  /** Everything that happens to one record: fill, fingerprint, score, norm, clip, sum. */
  private void learn(long place) {
    Example example = slot.example();
    slot.clear();
    slot.status(RecordStatus.USED);
    for (int i = 0; i < NON_ZEROS; i++) {
      example.add((int) (place * 7919 + i * 65_537L) & (DIMENSION - 1), 0.25);
    }
    digest.add(slot);
    sum.add(example, 1 + example.dot(weights));
  }

  @BeforeEach
  void warmUp() {
    for (int place = 0; place < 20_000; place++) {
      learn(place);
    }
    sum.clear();
  }

  @Test
  void allocatesNothingPerExample() {
    long bare = allocated(0);
    long grown = allocated(EXAMPLES);
    // One byte a coordinate and example would be 2e9; even one object an example would be 3e4.
    assertThat(grown - bare).isLessThan(10_000);
    // The broken twin: a dense copy of one example shows.
    long before = threads.getCurrentThreadAllocatedBytes();
    double[] copy = weights.clone();
    assertThat(threads.getCurrentThreadAllocatedBytes() - before)
        .isGreaterThan(8L * copy.length - 1);
  }

  private long allocated(long examples) {
    long before = threads.getCurrentThreadAllocatedBytes();
    for (long place = 0; place < examples; place++) {
      learn(place);
    }
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  /** -0.0 turns into 0.0 when anything, even 0, is added to it: it marks what was never touched. */
  @Test
  void touchesItsNonZerosOnly() {
    Arrays.fill(sum.sum, -0.0);
    learn(5);
    assertThat(touched()).isEqualTo(NON_ZEROS);
    slot.example().dense()[0] = 0.25;
    sum.add(slot.example(), 1); // the broken twin: a single value, stored densely
    assertThat(touched()).isEqualTo(DIMENSION);
  }

  private long touched() {
    return Arrays.stream(sum.sum)
        .filter(value -> Double.doubleToRawLongBits(value) != Long.MIN_VALUE)
        .count();
  }

  /** Processor time, the best of seven attempts each: no pause of the machine decides anything. */
  @Test
  void takesLessTimeForThousandsOfExamplesThanForAFewDenseOnes() {
    long sparse = Long.MAX_VALUE;
    long dense = Long.MAX_VALUE;
    Slot wide = new Slot(DIMENSION);
    wide.example().dense()[0] = 0.25;
    for (int attempt = 0; attempt < 7; attempt++) {
      long start = threads.getCurrentThreadCpuTime();
      allocated(EXAMPLES);
      sparse = Math.min(sparse, threads.getCurrentThreadCpuTime() - start);
      start = threads.getCurrentThreadCpuTime();
      for (int i = 0; i < 10; i++) {
        sum.add(wide.example(), 1 + wide.example().dot(weights));
      }
      dense = Math.min(dense, threads.getCurrentThreadCpuTime() - start);
    }
    // Were a sparse example to cost O(d), the left side would be 200 times the right one.
    assertThat(sparse).isLessThan(20 * dense);
  }
}
