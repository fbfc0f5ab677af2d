package dev.sotto.learner.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

class CoordinateRangesTest {
  @Test
  void takesEveryCoordinateOnce() {
    for (int dimension : new int[] {0, 1, 4095, 4096, 4097, 28_672, 28_673, 100_001}) {
      AtomicIntegerArray times = new AtomicIntegerArray(dimension);
      CoordinateRanges.each(dimension, (from, to) -> {
        assertThat(from % 64).isZero();
        assertThat(to).isGreaterThan(from);
        for (int i = from; i < to; i++) {
          times.incrementAndGet(i);
        }
      });
      for (int i = 0; i < dimension; i++) {
        assertThat(times.get(i)).isOne();
      }
    }
  }

  /** Two ranges wait for each other. */
  @Test
  void goesThroughLargeVectorsInSeveralThreads() {
    ForkJoinPool two = new ForkJoinPool(2);
    CountDownLatch threads = new CountDownLatch(2);
    Set<Thread> seen = ConcurrentHashMap.newKeySet();
    two.submit(() -> CoordinateRanges.each(1 << 16, (from, to) -> {
          if (seen.add(Thread.currentThread())) {
            threads.countDown();
            await(threads);
          }
        }))
        .join();
    two.shutdown();
    assertThat(seen).hasSize(2);
  }

  private static void await(CountDownLatch threads) {
    try {
      assertThat(threads.await(1, TimeUnit.MINUTES)).as("a second thread came").isTrue();
    } catch (InterruptedException stopped) {
      throw new IllegalStateException("nobody stops this test", stopped);
    }
  }

  @Test
  void staysInTheCallersThreadWhereVectorsAreShort() {
    CoordinateRanges.each(
        7 * 4096,
        (from, to) ->
            assertThat(Thread.currentThread().getName()).doesNotContain("ForkJoinPool"));
  }

  @Test
  void saysWhatFailsInARange() {
    assertThatThrownBy(() -> CoordinateRanges.each(1 << 16, (from, to) -> {
          if (from == 1 << 15) {
            throw new ArithmeticException("here");
          }
        }))
        .isInstanceOf(ArithmeticException.class)
        .hasMessageContaining("here");
  }
}
