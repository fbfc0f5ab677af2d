package dev.sotto.benchmarks.micro;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.serdes.record.SlotCodec;
import dev.sotto.serdes.record.UnitSource;
import dev.sotto.topology.encryption.Encryption;
import dev.sotto.topology.encryption.Keyset;
import dev.sotto.topology.encryption.StoragePlace;
import dev.sotto.topology.encryption.TopicCipher;
import dev.sotto.topology.log.SequencedSlotDecoder;
import dev.sotto.topology.store.StateTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
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
 * What encryption costs one event in the funnel: its slot written and read, its position stored.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class FunnelEncryption {
  @Param({"dense16", "dense64"})
  public String example;

  @Param({"false", "true"})
  public boolean encrypted;

  private final SlotCodec codec = new SlotCodec();
  private TopicCipher cipher;
  private SequencedSlotDecoder decoder;
  private StateTable table;
  private Slot slot;
  private Slot read;
  private byte[] written;
  private long offset;

  /** Decodes one example, and writes its slot once. */
  @Setup
  public void prepare() throws IOException {
    Encryption encryption = encrypted ? keyset() : Encryption.none();
    var made = new EncodedExamples(example);
    slot = new Slot(made.dimension);
    read = new Slot(made.dimension);
    cipher = encryption.topic(StoragePlace.topic("app.sequence", 0));
    decoder = new SequencedSlotDecoder(made.dimension, cipher);
    table = encryption.table(new OneValue(), StoragePlace.store("app", "forwarded", 0));
    new ExampleCodec(made.dimension, 1 << 20, UnitSource.NONE).decode(null, made.bytes, slot);
    written = write();
    if (read() != RecordStatus.USED) {
      throw new IllegalStateException("the slot must be readable, but is " + read.verdict());
    }
  }

  private static Keyset keyset() throws IOException {
    Path folder = Files.createTempDirectory("keyset");
    Path file = folder.resolve("keyset");
    try {
      return Keyset.create(file);
    } finally {
      Files.deleteIfExists(file);
      Files.delete(folder);
    }
  }

  /** A slot to what the topic is given. */
  @Benchmark
  public byte[] write() {
    return cipher.seal(codec.encode(slot, 0, ++offset));
  }

  /** Back again. */
  @Benchmark
  public RecordStatus read() {
    return decoder.decode(null, written, read);
  }

  /** The position behind the event. */
  @Benchmark
  public void store() {
    table.put("next", ByteBuffer.allocate(Long.BYTES).putLong(++offset).array());
  }

  /** A store that costs next to nothing. */
  private static final class OneValue implements StateTable {
    private byte[] value;

    @Override
    public byte[] get(String key) {
      return null;
    }

    @Override
    public void put(String key, byte[] newValue) {
      value = newValue;
    }

    @Override
    public void delete(String key) {
      value = null;
    }
  }
}
