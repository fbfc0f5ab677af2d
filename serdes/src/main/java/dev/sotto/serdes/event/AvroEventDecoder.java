package dev.sotto.serdes.event;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.settings.ConfigError;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.FieldValues;
import dev.sotto.serdes.schema.WriterSchema;
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
public final class AvroEventDecoder implements FieldDecoder {
  private static final int HEADER = 10;
  private static final int MARK_0 = 0xC3;
  private static final int MARK_1 = 0x01;

  private final FeatureMap map;
  private final FieldValues values;
  private final AvroFraming framing;
  private final int maxBytes;
  private final long[] fingerprints;
  private final AvroReadStep[] plans;
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
    ConfigError.refuse(problems(map, framing, writers));
    this.map = map;
    this.values = new FieldValues(map.paths());
    this.framing = framing;
    this.maxBytes = maxBytes;
    var byFingerprint = new HashMap<Long, AvroReadStep>();
    for (Schema writer : writers) {
      byFingerprint.put(
          SchemaNormalization.parsingFingerprint64(writer),
          AvroFieldReader.of(writer, map.paths().root()));
    }
    fingerprints =
        byFingerprint.keySet().stream().mapToLong(Long::longValue).sorted().toArray();
    plans = Arrays.stream(fingerprints).mapToObj(byFingerprint::get).toArray(AvroReadStep[]::new);
  }

  /**
   * Every reason why these schemas cannot be read for this map, each with its key, the rule and the
   * value; empty if there is none.
   */
  public static List<ConfigError> problems(
      FeatureMap map, AvroFraming framing, List<Schema> writers) {
    var problems = new ArrayList<ConfigError>();
    if (framing == AvroFraming.CONFLUENT) {
      problems.add(new ConfigError(
          EventKeys.AVRO_FRAMING.name(), "must be single-object or raw where schemas are listed"));
    }
    if (framing == AvroFraming.RAW && writers.size() != 1) {
      problems.add(new ConfigError(
          EventKeys.AVRO_SCHEMAS.name(),
          "must hold exactly one schema, but held " + writers.size()));
    }
    for (Schema writer : writers) {
      AvroFieldReader.problems(writer).stream()
          .map(rule -> new ConfigError(EventKeys.AVRO_SCHEMAS.name(), rule))
          .forEach(problems::add);
    }
    if (problems.isEmpty()) {
      problems.addAll(ShapeProblems.of(
          map,
          writers.stream().<WriterSchema>map(WriterSchema.AvroSchema::new).toList(),
          EventKeys.AVRO_SCHEMAS.name()));
    }
    return problems;
  }

  @Override
  public FeatureMap map() {
    return map;
  }

  @Override
  public FieldValues values() {
    return values;
  }

  @Override
  public RecordStatus read(byte[] value) {
    if (value == null) {
      return RecordStatus.EMPTY;
    }
    if (value.length > maxBytes) {
      return RecordStatus.TOO_LARGE;
    }
    AvroReadStep plan = plan(value);
    if (plan == null) {
      return RecordStatus.UNREADABLE;
    }
    int from = framing == AvroFraming.RAW ? 0 : HEADER;
    values.clear();
    try {
      decoder = DecoderFactory.get().binaryDecoder(value, from, value.length - from, decoder);
      plan.run(decoder, values, 1);
      return decoder.isEnd() ? RecordStatus.USED : RecordStatus.UNREADABLE;
    } catch (AvroReadStep.TooDeep e) {
      return RecordStatus.TOO_LARGE;
    } catch (IOException | RuntimeException e) {
      return RecordStatus.UNREADABLE;
    }
  }

  private AvroReadStep plan(byte[] value) {
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
