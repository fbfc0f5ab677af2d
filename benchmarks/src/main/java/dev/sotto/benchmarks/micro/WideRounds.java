package dev.sotto.benchmarks.micro;

import dev.sotto.benchmarks.BenchmarkPlans;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.training.ModelLearner;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A whole round of a model of many weights, as the defaults learn hashed features: its slots of 20
 * features, decoded already, and its close. {@code -jvmArgsAppend
 * -Djava.util.concurrent.ForkJoinPool.common.parallelism=0} leaves one thread.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class WideRounds {
  private static final int BATCH = 256;
  private static final int DIFFERENT = 1024;
  private static final int NON_ZEROS = 20;

  @Param({"65536", "1048576"})
  public int dimension;

  @Param({"blt", "binary-tree", "independent"})
  public String mechanism;

  private final Slot[] slots = new Slot[DIFFERENT];
  private ModelLearner learner;
  private int next;

  /** A run, and examples whose labels depend on their features. */
  @Setup
  public void prepare() {
    learner = ModelLearner.start(
        BenchmarkPlans.hashed(dimension, BATCH, Mechanisms.named(mechanism).orElseThrow().make()),
        NoiseKey.of(new byte[32]),
        "model",
        "benchmark");
    SplittableRandom random = new SplittableRandom(dimension);
    for (int i = 0; i < DIFFERENT; i++) {
      slots[i] = example(random);
    }
  }

  private Slot example(SplittableRandom random) {
    var slot = new Slot(dimension);
    var places = new TreeSet<Integer>();
    while (places.size() < NON_ZEROS) {
      places.add(random.nextInt(dimension));
    }
    for (int place : places) {
      slot.example().add(place, 1 / Math.sqrt(NON_ZEROS));
    }
    slot.example().label(places.first() % 2);
    slot.status(RecordStatus.USED);
    return slot;
  }

  /** One round. */
  @Benchmark
  public long round() {
    for (int i = 0; i < BATCH; i++) {
      learner.fill(slots[next++ % DIFFERENT]);
    }
    return learner.close().number();
  }
}
