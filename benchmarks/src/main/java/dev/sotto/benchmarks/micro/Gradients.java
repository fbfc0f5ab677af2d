package dev.sotto.benchmarks.micro;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.release.ClippedSum;
import dev.sotto.learner.release.ContentDigest;
import dev.sotto.learner.release.Lattice;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.serdes.record.UnitSource;
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

/** What one example costs: to decode it, to fingerprint it, to add its gradient; and all of it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class Gradients {
  @Param({"dense16", "dense64", "dense1024", "sparse20of262144"})
  public String example;

  private final Loss loss = Losses.LOGISTIC.make();
  private byte[] bytes;
  private EventDecoder decoder;
  private Slot slot;
  private double[] weights;
  private ClippedSum sum;
  private ContentDigest content;

  /** Decodes one example, and begins a round that never fills. */
  @Setup
  public void prepare() {
    var made = new EncodedExamples(example);
    bytes = made.bytes;
    decoder = new ExampleCodec(made.dimension, 1 << 20, UnitSource.NONE);
    slot = new Slot(made.dimension);
    weights = new double[made.dimension];
    sum = new ClippedSum(Lattice.fit(1, 1, made.dimension, 1L << 32));
    content = new ContentDigest(NoiseKey.of(new byte[32]), new byte[16]);
    if (decoder.decode(null, bytes, slot) != RecordStatus.USED) {
      throw new IllegalStateException("the example must be readable, but is " + slot.status());
    }
  }

  /** Bytes to features, and their norm. */
  @Benchmark
  public RecordStatus decode() {
    return decoder.decode(null, bytes, slot);
  }

  /** The running fingerprint. */
  @Benchmark
  public ContentDigest fingerprint() {
    content.add(slot);
    return content;
  }

  /** Score, slope, clip, round to the lattice, add. */
  @Benchmark
  public ClippedSum add() {
    var features = slot.example();
    sum.add(features, loss.slope(features.dot(weights), features.label()));
    return sum;
  }

  /** The three above, as the trainer does them. */
  @Benchmark
  public ClippedSum learn() {
    decoder.decode(null, bytes, slot);
    content.add(slot);
    return add();
  }
}
