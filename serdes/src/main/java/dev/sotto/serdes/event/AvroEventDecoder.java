package dev.sotto.serdes.event;

import dev.sotto.learner.example.Slot;
import dev.sotto.learner.example.Verdict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;

/**
 * Events that are one Avro record each. Fields are found by the writer's names (no aliases, no
 * defaults); a path goes through records, and through unions with any branch that has it. A null
 * branch is a missing value; enums are text; logical types are what they are written as; bytes,
 * fixed, arrays and maps are neither number nor text.
 *
 * <p>The body is walked by compiled steps rather than read by Avro's own datum readers, whose
 * limits follow the heap and system properties: a record would be used here and refused there.
 */
public final class AvroEventDecoder implements EventDecoder {
  private static final int HEADER = 10;
  private static final int MARK_0 = 0xC3;
  private static final int MARK_1 = 0x01;

  private final FeatureMap map;
  private final FieldValues values;
  private final AvroFraming framing;
  private final int maxBytes;
  private final long[] fingerprints;
  private final AvroStep[] plans;
  private BinaryDecoder decoder;

  /** Reads values of up to {@link JsonEventDecoder#DEFAULT_MAX_BYTES}. */
  public AvroEventDecoder(FeatureMap map, AvroFraming framing, List<Schema> writers) {
    this(map, framing, writers, JsonEventDecoder.DEFAULT_MAX_BYTES);
  }

  /**
   * Reads values of up to {@code maxBytes}, at least 1.
   *
   * @throws IllegalArgumentException with all {@link #problems}, one per line
   */
  public AvroEventDecoder(FeatureMap map, AvroFraming framing, List<Schema> writers, int maxBytes) {
    if (maxBytes < 1) {
      throw new IllegalArgumentException("maxBytes must be at least 1, but was " + maxBytes);
    }
    List<String> problems = problems(map, framing, writers);
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(String.join("\n", problems));
    }
    this.map = map;
    this.values = new FieldValues(map.paths());
    this.framing = framing;
    this.maxBytes = maxBytes;
    var byFingerprint = new HashMap<Long, AvroStep>();
    for (Schema writer : writers) {
      byFingerprint.put(
          SchemaNormalization.parsingFingerprint64(writer),
          AvroPlan.of(writer, map.paths().root()));
    }
    fingerprints =
        byFingerprint.keySet().stream().mapToLong(Long::longValue).sorted().toArray();
    plans = Arrays.stream(fingerprints).mapToObj(byFingerprint::get).toArray(AvroStep[]::new);
  }

  /**
   * Every reason why these schemas cannot be read for this map, each with its key, the rule and the
   * value; empty if there is none.
   */
  public static List<String> problems(FeatureMap map, AvroFraming framing, List<Schema> writers) {
    var problems = new ArrayList<String>();
    if (writers.isEmpty() || (framing == AvroFraming.RAW && writers.size() > 1)) {
      String rule = framing == AvroFraming.RAW ? "exactly one schema" : "at least one schema";
      problems.add("events.avro.schemas must hold " + rule + ", but held " + writers.size());
    }
    for (Schema writer : writers) {
      problems.addAll(AvroPlan.problems("events.avro.schemas", writer));
    }
    if (problems.isEmpty()) {
      map.fields().forEach(path -> checkPath(problems, path, writers));
    }
    return problems;
  }

  private static void checkPath(List<String> problems, String path, List<Schema> writers) {
    String[] names = path.split("\\.");
    List<AvroPlan.Reach> found =
        writers.stream().map(writer -> AvroPlan.reach(writer, names, 0)).toList();
    if (found.contains(AvroPlan.Reach.THERE)) {
      return;
    }
    String fault = found.contains(AvroPlan.Reach.BLOCKED)
        ? "lies inside an array or a map"
        : "is in none of " + writers.size();
    problems.add("events.avro.schemas must have every field that is read, but " + Texts.quoted(path)
        + " " + fault);
  }

  @Override
  public int dimension() {
    return map.dimension();
  }

  @Override
  public Verdict decode(byte[] key, byte[] value, Slot into) {
    Verdict verdict = read(value);
    if (verdict == Verdict.USED) {
      return map.fill(key, values, into);
    }
    into.clear();
    return into.verdict(verdict);
  }

  private Verdict read(byte[] value) {
    if (value == null) {
      return Verdict.EMPTY;
    }
    if (value.length > maxBytes) {
      return Verdict.TOO_LARGE;
    }
    AvroStep plan = plan(value);
    if (plan == null) {
      return Verdict.UNREADABLE;
    }
    int from = framing == AvroFraming.RAW ? 0 : HEADER;
    values.clear();
    try {
      decoder = DecoderFactory.get().binaryDecoder(value, from, value.length - from, decoder);
      plan.run(decoder, values, 1);
      return decoder.isEnd() ? Verdict.USED : Verdict.UNREADABLE;
    } catch (AvroStep.TooDeep e) {
      return Verdict.TOO_LARGE;
    } catch (IOException | RuntimeException e) {
      return Verdict.UNREADABLE;
    }
  }

  private AvroStep plan(byte[] value) {
    if (framing == AvroFraming.RAW) {
      return plans[0];
    }
    if (value.length < HEADER || (value[0] & 0xFF) != MARK_0 || (value[1] & 0xFF) != MARK_1) {
      return null;
    }
    long fingerprint = 0;
    for (int i = HEADER - 1; i >= 2; i--) {
      fingerprint = fingerprint << 8 | value[i] & 0xFF;
    }
    int index = Arrays.binarySearch(fingerprints, fingerprint);
    return index < 0 ? null : plans[index];
  }
}
