package dev.sotto.benchmarks.micro;

import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.PrefixMechanism;
import dev.sotto.learner.release.ClippedSum;
import dev.sotto.learner.release.Lattice;
import dev.sotto.learner.release.NoisySum;
import dev.sotto.learner.release.Releaser;
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
 * What one release costs: running digest, noise, prefix. The row {@code none} has all but the
 * noise, so that a draw costs the difference to it, over the dimension, over the vectors of a
 * round: 1 of independent noise, of laplace, whose draws take more words, and of blt, which also
 * goes through its buffers, 2 of the trees in the long run (one node is born, and one dies or is
 * estimated anew).
 *
 * <p>Large vectors are drawn on all cores; {@code -jvmArgsAppend
 * -Djava.util.concurrent.ForkJoinPool.common.parallelism=1} leaves two.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class Releases {
  @Param({"1000", "1000000"})
  public int dimension;

  @Param({"none", "independent", "laplace", "binary-tree", "blt"})
  public String mechanism;

  private Releaser releaser;
  private ClippedSum sum;
  private double[] point;
  private byte[] content;

  /** A run with rounds of one slot. */
  @Setup
  public void prepare() {
    double sigma = 1;
    PrefixMechanism made =
        Mechanisms.named(mechanism).map(Mechanisms::make).orElseGet(Mechanisms::noneForPublicData);
    Lattice lattice = Lattice.fit(1, sigma, dimension, 1, made.norm());
    point = new double[dimension];
    content = new byte[16];
    sum = new ClippedSum(lattice);
    releaser = Releaser.start(
        lattice, made, sigma, NoiseKey.of(new byte[32]), new byte[16], new byte[32], point);
  }

  /** One round. */
  @Benchmark
  public NoisySum release() {
    sum.addNothing();
    return releaser.release(sum, point, content, 0);
  }
}
