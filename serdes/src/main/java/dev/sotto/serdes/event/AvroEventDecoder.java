package dev.sotto.serdes.event;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.settings.ConfigError;
import dev.sotto.learner.settings.NameSuggestion;
import dev.sotto.serdes.feature.CanonicalText;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.FieldUse;
import dev.sotto.serdes.feature.FieldValues;
import dev.sotto.serdes.feature.LabelTally;
import dev.sotto.serdes.registry.RecordPlace;
import dev.sotto.serdes.registry.SchemaHeaders;
import dev.sotto.serdes.registry.SchemaId;
import dev.sotto.serdes.registry.WriterSchemas;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
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
  private static final int SHORT = 3; // letters of a name that is near to any other
  private static final AvroReadStep NOT_OF_RECORDS = (in, values, depth) -> {};
  private static final int MARK_0 = 0xC3;
  private static final int MARK_1 = 0x01;

  private final FeatureMap map;
  private final FieldValues values;
  private final AvroFraming framing;
  private final int maxBytes;
  private final long[] fingerprints;
  private final AvroReadStep[] plans;
  private final WriterSchemas ids; // null unless a registry gives the schemas
  private RecordPlace place = RecordPlace.NONE;
  private final Map<Integer, AvroReadStep> byId = new HashMap<>();
  private final Map<UUID, AvroReadStep> byGuid = new HashMap<>();
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
    this.ids = null;
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
   * Reads values with {@link AvroFraming#CONFLUENT}. A record whose id has no Avro schema, or one
   * that is no record or nests without end, is of an {@link RecordStatus#UNKNOWN_SCHEMA}; one of
   * another framing is {@link RecordStatus#UNREADABLE}. What the schemas throw comes out of {@link
   * #decode}.
   *
   * @param ids asked once for every id that it knows, and for every record that names another
   * @param maxBytes the longest value that is read, at least 1
   */
  public AvroEventDecoder(FeatureMap map, WriterSchemas ids, int maxBytes) {
    if (maxBytes < 1) {
      throw new IllegalArgumentException("maxBytes must be at least 1, but was " + maxBytes);
    }
    this.map = map;
    this.values = new FieldValues(map.paths());
    this.framing = AvroFraming.CONFLUENT;
    this.ids = ids;
    this.maxBytes = maxBytes;
    fingerprints = new long[0];
    plans = new AvroReadStep[0];
  }

  /**
   * Every reason why these schemas cannot be read for this map, each with its key, the rule and the
   * value; empty if there is none.
   */
  public static List<ConfigError> problems(
      FeatureMap map, AvroFraming framing, List<Schema> writers) {
    return problems(map, framing, writers, Set.of());
  }

  /**
   * Those reasons for which no record of these schemas could be used at all: a field that a record
   * may be without may be in none of them.
   */
  public static List<ConfigError> unusable(FeatureMap map, List<Schema> writers) {
    return problems(map, AvroFraming.SINGLE_OBJECT, writers, map.optionalFields());
  }

  private static List<ConfigError> problems(
      FeatureMap map, AvroFraming framing, List<Schema> writers, Set<String> optional) {
    var problems = new ArrayList<ConfigError>();
    if (framing == AvroFraming.CONFLUENT) {
      problems.add(new ConfigError(
          EventKeys.AVRO_FRAMING.name(), "must be single-object or raw where schemas are listed"));
    }
    if (writers.isEmpty() || (framing == AvroFraming.RAW && writers.size() > 1)) {
      String rule = framing == AvroFraming.RAW ? "exactly one schema" : "at least one schema";
      problems.add(schemas("must hold " + rule + ", but held " + writers.size()));
    }
    for (Schema writer : writers) {
      problems.addAll(AvroFieldReader.problems(writer).stream()
          .map(AvroEventDecoder::schemas)
          .toList());
    }
    if (problems.isEmpty()) {
      map.fields().stream()
          .filter(path -> !optional.contains(path))
          .forEach(path -> checkPath(problems, path, writers));
      map.uses().forEach((path, uses) -> checkTypes(problems, path, uses, writers));
    }
    if (problems.isEmpty()) {
      problems.addAll(AvroLabelClasses.problems(map, writers));
    }
    return problems;
  }

  private static ConfigError schemas(String rule) {
    return new ConfigError(EventKeys.AVRO_SCHEMAS.name(), rule);
  }

  private static void checkPath(List<ConfigError> problems, String path, List<Schema> writers) {
    String[] names = path.split("\\.", -1);
    List<AvroFieldReader.Reach> found =
        writers.stream().map(writer -> AvroFieldReader.reach(writer, names, 0)).toList();
    if (found.contains(AvroFieldReader.Reach.THERE)) {
      return;
    }
    String fault = found.contains(AvroFieldReader.Reach.BLOCKED)
        ? "lies inside an array or a map"
        : "is in none of " + writers.size()
            + NameSuggestion.hint(
                path.length() < SHORT ? null : NameSuggestion.of(path, names(writers)));
    problems.add(schemas(
        "must have every field that is read, but " + CanonicalText.quoted(path) + " " + fault));
  }

  private static List<String> names(List<Schema> writers) {
    return writers.stream()
        .flatMap(writer -> writer.getFields().stream())
        .map(Schema.Field::name)
        .distinct()
        .toList();
  }

  /** A field that has a type, in all that have it, which cannot be read as what it is to be. */
  private static void checkTypes(
      List<ConfigError> problems, String path, Set<FieldUse> uses, List<Schema> writers) {
    String[] names = path.split("\\.");
    List<Schema> types = writers.stream()
        .flatMap(writer -> AvroFieldReader.types(writer, names, 0).stream())
        .toList();
    uses.stream()
        .sorted()
        .filter(use ->
            !types.isEmpty() && types.stream().noneMatch(each -> AvroFieldReader.reads(each, use)))
        .map(use -> schemas("must have fields that can be read, but " + CanonicalText.quoted(path)
            + " is to be " + use.words() + " and is "
            + types.stream()
                .map(AvroEventDecoder::typeName)
                .distinct()
                .collect(Collectors.joining(" or "))))
        .forEach(problems::add);
  }

  private static String typeName(Schema type) {
    String name = type.getType().getName();
    String logical = type.getProp("logicalType");
    return logical == null ? name : logical + " (" + name + ")";
  }

  @Override
  public int dimension() {
    return map.dimension();
  }

  @Override
  public boolean readsSchemaHeaders() {
    return framing == AvroFraming.CONFLUENT;
  }

  @Override
  public void placedBy(RecordPlace each) {
    place = each;
  }

  @Override
  public RecordStatus decode(byte[] key, byte[] value, Slot into) {
    RecordStatus status = read(value);
    if (status == RecordStatus.USED) {
      return map.fill(key, values, into);
    }
    into.clear();
    return into.status(status);
  }

  @Override
  public Optional<String> fault(RecordStatus status) {
    return map.fault(values, status);
  }

  @Override
  public Optional<FeatureMap> featureMap() {
    return Optional.of(map);
  }

  @Override
  public Optional<LabelTally> labels() {
    return map.labels();
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
    int from = bodyOf(value);
    if (from > value.length) {
      return RecordStatus.UNREADABLE;
    }
    boolean byRegistry = framing == AvroFraming.CONFLUENT;
    AvroReadStep plan = byRegistry ? registered(value, from) : plan(value);
    if (plan == null) {
      return byRegistry ? RecordStatus.UNKNOWN_SCHEMA : RecordStatus.UNREADABLE;
    }
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

  /** Where the body begins; nowhere in a value of another form. */
  private int bodyOf(byte[] value) {
    return switch (framing) {
      case SINGLE_OBJECT -> HEADER;
      case RAW -> 0;
      case CONFLUENT ->
        switch (value.length == 0 ? -1 : value[0]) {
          case SchemaHeaders.NUMBER -> SchemaHeaders.NUMBER_BYTES;
          case SchemaHeaders.GUID -> SchemaHeaders.GUID_BYTES;
          default -> Integer.MAX_VALUE;
        };
    };
  }

  private AvroReadStep registered(byte[] value, int body) {
    if (ids.isSetAside(place)) { // also where its schema is known by now, from another record
      return null;
    }
    ByteBuffer id = ByteBuffer.wrap(value, 1, body - 1);
    if (value[0] == SchemaHeaders.NUMBER) {
      int number = id.getInt();
      AvroReadStep known = byId.get(number);
      return usable(known != null ? known : learn(byId, number, SchemaId.of(number)));
    }
    UUID guid = new UUID(id.getLong(), id.getLong());
    AvroReadStep known = byGuid.get(guid);
    return usable(known != null ? known : learn(byGuid, guid, SchemaId.of(guid)));
  }

  private static AvroReadStep usable(AvroReadStep plan) {
    return plan == NOT_OF_RECORDS ? null : plan;
  }

  private <K> AvroReadStep learn(Map<K, AvroReadStep> plans, K key, SchemaId id) {
    Schema writer = ids.schema(id, place);
    if (writer == null) {
      return null;
    }
    AvroReadStep plan = AvroFieldReader.problems(writer).isEmpty()
        ? AvroFieldReader.of(writer, map.paths().root())
        : NOT_OF_RECORDS;
    plans.put(key, plan);
    return plan;
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
