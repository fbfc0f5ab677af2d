package dev.sotto.benchmarks.micro;

import dev.sotto.benchmarks.Plans;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.example.Verdict;
import dev.sotto.learner.release.NoiseKey;
import dev.sotto.learner.round.ModelLearner;
import dev.sotto.learner.round.Plan;
import dev.sotto.learner.round.Round;
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

/** What one round costs beside its examples, and before anything is written: release, step, guarantee. */
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
    plan = Plans.of("rounds", dimension, 1);
    learner = ModelLearner.start(plan, NoiseKey.of(new byte[32]), "model", "benchmark");
    empty = new Slot(dimension);
    empty.verdict(Verdict.EMPTY);
  }

  /** One round. */
  @Benchmark
  public Round close() {
    learner.fill(empty);
    return learner.close();
  }

  /** SHA-256 over the settings: once a round, in the model's head. */
  @Benchmark
  public byte[] fingerprint() {
    return plan.fingerprint();
  }
}
