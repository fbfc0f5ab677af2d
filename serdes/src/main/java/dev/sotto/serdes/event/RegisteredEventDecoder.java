package dev.sotto.serdes.event;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.FieldValues;
import dev.sotto.serdes.registry.RecordPlace;
import dev.sotto.serdes.registry.SchemaHeaders;
import dev.sotto.serdes.registry.SchemaId;
import dev.sotto.serdes.registry.SchemaIds;
import dev.sotto.serdes.registry.WriterSchemas;
import dev.sotto.serdes.schema.ProtobufSchema;
import dev.sotto.serdes.schema.WriterSchema;
import dev.sotto.serdes.schema.WriterSchema.AvroSchema;
import dev.sotto.serdes.schema.WriterSchema.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;

/**
 * Events that name their writer's schema by an id of a registry, in the forms that {@link
 * SchemaHeaders} lists, and are written by schemas of one kind. A record whose id has no schema of
 * this kind, or one by which nothing can be read, is of an {@link RecordStatus#UNKNOWN_SCHEMA}; one
 * of another form, or that does not fit its schema, is {@link RecordStatus#UNREADABLE}. What the
 * schemas throw comes out of {@link #decode}.
 *
 * <p>A schema is compiled when its id is met, and no more is kept of it than reads its records: the
 * next record of the id needs no schema. Of many ids the newest {@value #MOST} are kept.
 */
public final class RegisteredEventDecoder implements FieldDecoder {
  /** Compiled schemas that are kept at most. */
  static final int MOST = 1 << 10;

  private static final int DEEPEST = 32; // messages within each other
  private static final long REFERENCE = 1 << 3 | ProtobufBytes.LENGTH; // its field with a name
  private static final String NO_ID =
      "it does not begin with the id of a schema, as the serializers of a registry write it";
  private static final String NO_FIT = "what follows the id does not fit the schema of that id";
  private static final Body NONE = (value, from) -> RecordStatus.UNKNOWN_SCHEMA;

  private final FeatureMap map;
  private final FieldValues values;
  private final Kind kind;
  private final SchemaIds forms;
  private final WriterSchemas ids;
  private final int maxBytes;
  private final JsonEventDecoder json; // null but for JSON
  private final Map<Integer, Body> byId = new HashMap<>();
  private final Map<Integer, Body> byOther = new HashMap<>(); // Apicurio's, out of other headers
  private final Map<UUID, Body> byGuid = new HashMap<>();
  private RecordPlace place = RecordPlace.NONE;
  private BinaryDecoder avro;
  private String whole; // what is wrong with the last value as a whole; null where nothing is
  private final ProtobufBytes message = new ProtobufBytes();

  /** Reads what stands in a value behind the id of its schema. */
  private interface Body {
    RecordStatus read(byte[] value, int from) throws IOException;
  }

  /** A decoder of records with {@link SchemaIds#CONFLUENT} ids. */
  public RegisteredEventDecoder(FeatureMap map, Kind kind, WriterSchemas ids, int maxBytes) {
    this(map, kind, SchemaIds.CONFLUENT, ids, maxBytes);
  }

  /**
   * A decoder.
   *
   * @param kind of the schemas
   * @param forms what the ids of records are
   * @param ids asked once for every id that it knows, and for every record that names another
   * @param maxBytes the longest value that is read, at least 1
   */
  public RegisteredEventDecoder(
      FeatureMap map, Kind kind, SchemaIds forms, WriterSchemas ids, int maxBytes) {
    if (maxBytes < 1) {
      throw new IllegalArgumentException("maxBytes must be at least 1, but was " + maxBytes);
    }
    this.map = map;
    this.kind = kind;
    this.forms = forms;
    this.ids = ids;
    this.maxBytes = maxBytes;
    this.json = kind == Kind.JSON ? new JsonEventDecoder(map, maxBytes) : null;
    this.values = json == null ? new FieldValues(map.paths()) : json.values();
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
  public SchemaIds schemaIds() {
    return forms;
  }

  @Override
  public void placedBy(RecordPlace each) {
    place = each;
  }

  @Override
  public RecordStatus read(byte[] value) {
    whole = null;
    RecordStatus status = readWhole(value);
    if (status == RecordStatus.UNREADABLE && whole == null) {
      whole = NO_FIT;
    }
    return status;
  }

  /** The same, and of a value that could not be read whether its id or its body is to blame. */
  @Override
  public Optional<String> fault(RecordStatus status) {
    return whole == null ? FieldDecoder.super.fault(status) : Optional.of(whole);
  }

  private RecordStatus readWhole(byte[] value) {
    if (value == null) {
      return RecordStatus.EMPTY;
    }
    if (value.length > maxBytes) {
      return RecordStatus.TOO_LARGE;
    }
    int from = SchemaHeaders.bodyOf(forms, value, kind == Kind.PROTOBUF);
    if (from < 0) {
      whole = NO_ID;
      return RecordStatus.UNREADABLE;
    }
    Body body = body(value, from);
    if (body == null) {
      return RecordStatus.UNKNOWN_SCHEMA;
    }
    values.clear();
    try {
      return body.read(value, from);
    } catch (AvroReadStep.TooDeep e) {
      return RecordStatus.TOO_LARGE;
    } catch (IOException | RuntimeException e) {
      return RecordStatus.UNREADABLE;
    }
  }

  /** What reads a value; null where the record has no schema. */
  private Body body(byte[] value, int from) {
    if (ids.isSetAside(place)) { // also where its schema is known by now, from another record
      return null;
    }
    ByteBuffer id = ByteBuffer.wrap(value);
    if (!SchemaHeaders.isByGuid(value)) {
      SchemaId.By by = SchemaHeaders.numberOf(forms, value);
      int number = id.getInt(from - Integer.BYTES);
      Map<Integer, Body> bodies = by == forms.number() ? byId : byOther;
      Body known = bodies.get(number);
      return known != null ? known : learn(bodies, number, SchemaId.of(by, number));
    }
    UUID guid = new UUID(id.getLong(1), id.getLong(1 + Long.BYTES));
    Body known = byGuid.get(guid);
    return known != null ? known : learn(byGuid, guid, SchemaId.of(guid));
  }

  private <K> Body learn(Map<K, Body> bodies, K key, SchemaId id) {
    WriterSchema writer = ids.schema(id, place);
    if (writer == null) {
      return null;
    }
    Body body = compile(writer, id);
    if (bodies.size() >= MOST) {
      bodies.clear();
    }
    bodies.put(key, body);
    return body;
  }

  private Body compile(WriterSchema writer, SchemaId id) {
    if (writer.kind() != kind) {
      ids.unusable(
          id, "it is of type " + writer.kind() + ", and only " + kind + " is read (events.format)");
      return NONE;
    }
    if (writer instanceof AvroSchema own) {
      List<String> problems = AvroFieldReader.problems(own.schema());
      if (!problems.isEmpty()) {
        ids.unusable(id, "it " + problems.get(0));
        return NONE;
      }
      AvroReadStep steps = AvroFieldReader.of(own.schema(), map.paths().root());
      return (value, from) -> readAvro(steps, value, from);
    }
    return writer instanceof ProtobufSchema own ? new Messages(own) : json::read;
  }

  private RecordStatus readAvro(AvroReadStep steps, byte[] value, int from) throws IOException {
    avro = DecoderFactory.get().binaryDecoder(value, from, value.length - from, avro);
    steps.run(avro, values, 1);
    return avro.isEnd() ? RecordStatus.USED : RecordStatus.UNREADABLE;
  }

  /**
   * The messages of one schema. Before the body stands which one it is: its places in the file, as
   * zigzag varints behind their number, or a single 0 for the first one; or its name, out of a
   * header or, as Apicurio's serializers write it, in a message of its own.
   */
  private final class Messages implements Body {
    private final ProtobufSchema schema;
    private final Map<Object, ProtobufReader> readers = new HashMap<>(); // by places, or name
    private ProtobufReader first;

    Messages(ProtobufSchema schema) {
      this.schema = schema;
    }

    @Override
    public RecordStatus read(byte[] value, int from) throws AvroReadStep.TooDeep {
      ProtobufBytes in = message.begin(value, from);
      ProtobufReader reader = SchemaHeaders.isNamed(value)
          ? headed(in)
          : forms.areApicurios() ? referred(in) : indexed(in);
      if (reader == null) {
        return RecordStatus.UNREADABLE;
      }
      reader.read(in);
      return RecordStatus.USED;
    }

    private ProtobufReader indexed(ProtobufBytes in) {
      long count = ProtobufBytes.zigzag(in.varint());
      if (count == 0) {
        first = first == null ? reader(schema.message(List.of(0))) : first;
        return first;
      }
      if (count < 0 || count > DEEPEST) {
        return null;
      }
      List<Integer> places = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        places.add((int) ProtobufBytes.zigzag(in.varint()));
      }
      ProtobufReader known = readers.get(places);
      return known != null ? known : keep(places, reader(schema.message(places)));
    }

    /** Behind a name out of a header some versions of the serializers write it once more. */
    private ProtobufReader headed(ProtobufBytes in) {
      String name = text(in);
      int body = in.at();
      if (!name.equals(reference(in))) {
        in.seek(body);
      }
      return named(name);
    }

    private ProtobufReader referred(ProtobufBytes in) {
      String name = reference(in);
      return name == null ? null : named(name);
    }

    /** A message whose one field is a name; null, somewhere in it, where it is another one. */
    private String reference(ProtobufBytes in) {
      try {
        int end = in.length() + in.at();
        if (in.tag() != REFERENCE) {
          return null;
        }
        String name = text(in);
        return in.at() == end ? name : null;
      } catch (ProtobufBytes.Malformed none) {
        return null;
      }
    }

    private String text(ProtobufBytes in) {
      int length = in.length();
      String text = new String(in.bytes(), in.at(), length, StandardCharsets.UTF_8);
      in.skip(length);
      return text;
    }

    private ProtobufReader named(String name) {
      ProtobufReader known = readers.get(name);
      return known != null ? known : keep(name, reader(schema.named(name)));
    }

    /** Those that there are, which the schema bounds. */
    private ProtobufReader keep(Object key, ProtobufReader reader) {
      if (reader != null) {
        readers.put(key, reader);
      }
      return reader;
    }

    private ProtobufReader reader(Optional<ProtobufSchema.Message> message) {
      return message.map(each -> new ProtobufReader(each, map.paths(), values)).orElse(null);
    }
  }
}
