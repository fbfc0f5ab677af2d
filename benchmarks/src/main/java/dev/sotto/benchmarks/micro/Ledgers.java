package dev.sotto.benchmarks.micro;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.serdes.record.Codecs;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What one ledger entry costs: once a round. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class Ledgers {
  private LedgerEntry entry;
  private byte[] bytes;

  /** An entry as a tree's round 1000 writes it. */
  @Setup
  public void prepare() {
    entry = new LedgerEntry(
        1000,
        new byte[32],
        "model",
        new byte[16],
        0,
        1000,
        1000,
        "private-ftrl",
        1,
        1,
        20,
        Math.sqrt(10),
        Guarantee.of(
            PrivacyUnit.RECORD,
            Adjacency.ZERO_OUT,
            "binary-tree",
            0.158,
            Double.POSITIVE_INFINITY,
            1e-6),
        1,
        0.3,
        false,
        4_096_000,
        0,
        List.of(new OffsetRange(0, 4_091_904, 4_096_000)),
        new byte[32],
        new byte[32],
        "0011223344556677",
        1,
        LedgerEntry.Terms.PLAIN);
    bytes = encode();
  }

  /** To bytes. */
  @Benchmark
  public byte[] encode() {
    return Codecs.LEDGER.encode(entry);
  }

  /** From bytes. */
  @Benchmark
  public LedgerEntry decode() {
    return Codecs.LEDGER.decode(bytes);
  }
}
