package dev.sotto.benchmarks.micro;

import dev.sotto.benchmarks.BenchmarkPlans;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.training.ClosedRound;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.Plan;
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

/** The cost of a round beside its examples and output: release, step, guarantee. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class Rounds {
  @Param({"64", "262144"})
  public int dimension;

  private ModelLearner learner;
  private Plan plan;
  private Slot empty;

  /** A run with rounds of one slot. */
  @Setup
  public void prepare() {
    plan = BenchmarkPlans.of("rounds", dimension, 1);
    learner = ModelLearner.start(plan, NoiseKey.of(new byte[32]), "model", "benchmark");
    empty = new Slot(dimension);
    empty.status(RecordStatus.EMPTY);
  }

  /** One round. */
  @Benchmark
  public ClosedRound close() {
    learner.fill(empty);
    return learner.close();
  }

  /** SHA-256 over the settings: once a round, in the model's head. */
  @Benchmark
  public byte[] fingerprint() {
    return plan.fingerprint();
  }
}
