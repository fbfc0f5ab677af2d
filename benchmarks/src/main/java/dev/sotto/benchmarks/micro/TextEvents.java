package dev.sotto.benchmarks.micro;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import dev.sotto.benchmarks.MadeRows;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.release.ClippedSum;
import dev.sotto.learner.release.ContentDigest;
import dev.sotto.learner.release.Lattice;
import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.RecordingFormat;
import dev.sotto.replay.recording.RecordingOptions;
import dev.sotto.replay.recording.text.TextRecording;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.event.JsonEventDecoder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What one event of 20 fields and a label costs, as JSON or as a row of CSV, learning included. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class TextEvents {
  private static final int EVENTS = 1024;
  private static final int FIELDS = 20;

  /** Twenty numbers; or ten numbers and ten categories of a thousand values. */
  @Param({"numbers", "mixed"})
  public String fields;

  /** 0: numbers are straight lines. */
  @Param({"0", "8"})
  public int hats;

  private final Loss loss = Losses.LOGISTIC.make();
  private final byte[][] json = new byte[EVENTS][];
  private final JsonFactory parsers = JsonEventDecoder.factory(JsonEventDecoder.DEFAULT_MAX_BYTES);
  private EventDecoder decoder;
  private Slot slot;
  private double[] weights;
  private ClippedSum sum;
  private ContentDigest content;
  private Path file;

  /** Writes the events both ways. */
  @Setup
  public void prepare() throws IOException {
    MadeRows table = new MadeRows(FIELDS, fields.equals("mixed"), hats);
    decoder = new JsonEventDecoder(table.map());
    SplittableRandom random = new SplittableRandom(1);
    List<String> rows = new ArrayList<>(List.of(table.header()));
    for (int i = 0; i < EVENTS; i++) {
      String[] event = table.event(random);
      json[i] = table.json(event);
      rows.add(table.row(event));
    }
    file = Files.createTempFile("sotto-text-events-", ".csv");
    Files.write(file, rows);
    int dimension = decoder.dimension();
    slot = new Slot(dimension);
    weights = new double[dimension];
    sum = new ClippedSum(Lattice.fit(1, 1, dimension, 1L << 32));
    content = new ContentDigest(NoiseKey.of(new byte[32]), new byte[16]);
  }

  /** Removes the file. */
  @TearDown
  public void clean() throws IOException {
    Files.delete(file);
  }

  /** The tokens of a parser of JSON, of which nothing is made: what decoding is compared with. */
  @Benchmark
  @OperationsPerInvocation(EVENTS)
  public int tokensOfJson() throws IOException {
    int tokens = 0;
    for (byte[] each : json) {
      try (JsonParser parser = parsers.createParser(each)) {
        while (parser.nextToken() != null) {
          tokens++;
        }
      }
    }
    return tokens;
  }

  /** JSON, decoded alone. */
  @Benchmark
  @OperationsPerInvocation(EVENTS)
  public int decodeJson() {
    int used = 0;
    for (byte[] each : json) {
      used += decoder.decode(null, each, slot) == RecordStatus.USED ? 1 : 0;
    }
    return used;
  }

  /** JSON, decoded and learned from. */
  @Benchmark
  @OperationsPerInvocation(EVENTS)
  public ClippedSum learnJson() {
    for (byte[] each : json) {
      learn(null, each);
    }
    return sum;
  }

  /** Rows of a file, decoded and learned from. */
  @Benchmark
  @OperationsPerInvocation(EVENTS)
  public ClippedSum learnCsv() {
    try (TextRecording rows =
            TextRecording.open(file, RecordingFormat.CSV, RecordingOptions.defaults());
        RecordCursor cursor = rows.open(0)) {
      while (cursor.next()) {
        learn(cursor.key(), cursor.value());
      }
    }
    return sum;
  }

  private void learn(byte[] key, byte[] value) {
    if (decoder.decode(key, value, slot) != RecordStatus.USED) {
      throw new IllegalStateException("the event must be usable, but is " + slot.status());
    }
    content.add(slot);
    var features = slot.example();
    sum.add(features, loss.slope(features.dot(weights), features.label()));
  }
}
