package dev.sotto.serdes.event;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.FieldPaths;
import dev.sotto.serdes.feature.FieldValues;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * Events that are one JSON object each, in UTF-8, read in one pass without a tree: plain ones by
 * {@link PlainObjects}, all others by a parser.
 *
 * <table>
 *   <caption>Edge cases</caption>
 *   <tr><td>a name given twice in one object</td><td>the last one counts, whole</td></tr>
 *   <tr><td>a name with dots in it, and objects of the same path</td>
 *       <td>the one whose first name is longer counts, as {@code a.b} before {@code b} in
 *       {@code a}</td></tr>
 *   <tr><td>a number in quotes</td>
 *       <td>text as a category, a number where one is due</td></tr>
 *   <tr><td>{@code 1e999}, {@code NaN}, {@code Infinity}</td>
 *       <td>{@link RecordStatus#NOT_FINITE} if its field is used</td></tr>
 *   <tr><td>anything but space after the object</td><td>{@link RecordStatus#UNREADABLE}</td></tr>
 *   <tr><td>deeper than 64, a number above 400 characters, a name above 1024</td>
 *       <td>{@link RecordStatus#TOO_LARGE}, used or not</td></tr>
 * </table>
 */
public final class JsonEventDecoder implements FieldDecoder {
  /** The default of the largest value, in bytes. */
  public static final int DEFAULT_MAX_BYTES = 1 << 20;

  private static final int LONG_DIGITS = 18; // as many characters of digits and sign fit a long

  /** As many values after one that is not plain go to the parser: they may be like it. */
  private static final int PARSED = 15;

  private final FeatureMap map;
  private final FieldValues values;
  private final PlainObjects plain;
  private final int maxBytes;
  private final JsonFactory factory;
  private final List<JsonFieldText> owners;
  private int parsed; // as many values from now on
  private String whole; // what is wrong with the last value as a whole; null where nothing is

  /** Reads values of up to {@link #DEFAULT_MAX_BYTES}. */
  public JsonEventDecoder(FeatureMap map) {
    this(map, DEFAULT_MAX_BYTES);
  }

  /** Reads values of up to {@code maxBytes}, at least 1. */
  public JsonEventDecoder(FeatureMap map, int maxBytes) {
    if (maxBytes < 1) {
      throw new IllegalArgumentException("maxBytes must be at least 1, but was " + maxBytes);
    }
    this.map = map;
    this.values = new FieldValues(map.paths());
    this.plain = new PlainObjects(map.paths(), values);
    this.maxBytes = maxBytes;
    this.factory = factory(maxBytes);
    this.owners =
        map.owners().stream().map(each -> new JsonFieldText(each, true)).toList();
  }

  /** Of parsers with the limits of events, which take {@code NaN} as some writers write it. */
  public static JsonFactory factory(int maxBytes) {
    var limits = StreamReadConstraints.builder()
        .maxNestingDepth(64)
        .maxNumberLength(400)
        .maxNameLength(1024)
        .maxStringLength(maxBytes)
        .build();
    // A full table of names would fail a record because of the records before it; and text that is
    // not UTF-8 is no event, whatever the parser could guess.
    return JsonFactory.builder()
        .streamReadConstraints(limits)
        .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
        .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
        .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
        .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
        .disable(JsonFactory.Feature.CHARSET_DETECTION)
        .build();
  }

  @Override
  public RecordStatus decode(byte[] key, byte[] value, Slot into) {
    RecordStatus status = read(value);
    if (status == RecordStatus.USED) {
      status = map.fill(key, values, into);
    } else {
      into.clear();
      into.status(status);
    }
    return owners.isEmpty() ? status : named(value, status, into);
  }

  /**
   * Names all owners of a record, which is charged to them whether or not it can be used. They are
   * read from the bytes, in one way for all records: what else a value holds makes no difference.
   */
  private RecordStatus named(byte[] value, RecordStatus status, Slot into) {
    for (JsonFieldText field : owners) {
      String id = field.read(value);
      byte[] bytes = id == null ? new byte[0] : id.getBytes(StandardCharsets.UTF_8);
      if (bytes.length == 0 || bytes.length > FeatureMap.MAX_UNIT_BYTES) {
        into.clear();
        return into.status(status == RecordStatus.USED ? RecordStatus.WRONG_TYPE : status);
      }
      into.owner(bytes, 0, bytes.length);
    }
    return status;
  }

  /** The same, and of a value that is no object what it looks like. */
  @Override
  public Optional<String> fault(RecordStatus status) {
    return whole == null ? FieldDecoder.super.fault(status) : Optional.of(whole);
  }

  /** The same, and of a value that is no JSON what it looks like. */
  @Override
  public Optional<String> fault(byte[] value, RecordStatus status) {
    if (status == RecordStatus.UNREADABLE) {
      return UnreadableValue.guess(value);
    }
    Optional<String> fault = FieldDecoder.super.fault(value, status);
    return fault.isEmpty() && status == RecordStatus.WRONG_TYPE
        ? Optional.ofNullable(whole)
        : fault;
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
    whole = null;
    if (value == null) {
      return RecordStatus.EMPTY;
    }
    return value.length > maxBytes ? RecordStatus.TOO_LARGE : read(value, 0);
  }

  /** The same of the object behind a place, however long it is. */
  RecordStatus read(byte[] value, int from) {
    whole = null;
    if (parsed > 0) {
      parsed--;
      return parse(value, from);
    }
    values.clear();
    if (plain.read(value, from)) {
      return RecordStatus.USED;
    }
    parsed = PARSED;
    return parse(value, from);
  }

  /** Reads a value of any form. */
  RecordStatus parse(byte[] value) {
    return parse(value, 0);
  }

  private RecordStatus parse(byte[] value, int from) {
    RecordStatus status = parsed(value, from);
    if (status == RecordStatus.UNREADABLE && from == 0) {
      whole = UnreadableValue.guess(value).orElse(null);
    }
    return status;
  }

  private RecordStatus parsed(byte[] value, int from) {
    values.clear();
    try (JsonParser parser = factory.createParser(value, from, value.length - from)) {
      JsonToken first = parser.nextToken();
      if (first != JsonToken.START_OBJECT) {
        whole = first == null ? null : noObject(from == 0 ? value : null, first);
        return first == null ? RecordStatus.UNREADABLE : RecordStatus.WRONG_TYPE;
      }
      object(parser, map.paths().root(), 0);
      return parser.nextToken() == null ? RecordStatus.USED : RecordStatus.UNREADABLE;
    } catch (StreamConstraintsException e) {
      return RecordStatus.TOO_LARGE;
    } catch (IOException | RuntimeException e) {
      return RecordStatus.UNREADABLE;
    }
  }

  private static String noObject(byte[] value, JsonToken first) {
    return Optional.ofNullable(value)
        .flatMap(UnreadableValue::guess)
        .orElse("the value must be a JSON object, but is "
            + switch (first) {
              case START_ARRAY -> "a list";
              case VALUE_STRING -> "a text";
              case VALUE_NULL, VALUE_TRUE, VALUE_FALSE -> "true, false or null";
              default -> "a number";
            });
  }

  /** Reads to the end of the object that a way leads to; as deep as the wanted paths, no deeper. */
  private void object(JsonParser parser, FieldPaths.Node node, int way) throws IOException {
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      FieldPaths.Node child = node.child(parser.currentName());
      JsonToken token = parser.nextToken();
      if (child == null) {
        parser.skipChildren();
        continue;
      }
      if (values.meets(child, way)) {
        value(parser, token, child.place());
      }
      if (token == JsonToken.START_OBJECT && child.hasChildren()) {
        object(parser, child, way | child.level());
      } else {
        parser.skipChildren();
      }
    }
  }

  private void value(JsonParser parser, JsonToken token, int place) throws IOException {
    switch (token) {
      case VALUE_NUMBER_INT -> integer(parser, place);
      case VALUE_NUMBER_FLOAT -> values.fraction(place, parser.getDoubleValue());
      case VALUE_STRING -> {
        char[] chars = parser.getTextCharacters();
        values.text(place, chars, parser.getTextOffset(), parser.getTextLength());
      }
      case VALUE_TRUE -> values.bool(place, true);
      case VALUE_FALSE -> values.bool(place, false);
      case VALUE_NULL -> {}
      default -> values.other(place);
    }
  }

  private void integer(JsonParser parser, int place) throws IOException {
    if (parser.getTextLength() <= LONG_DIGITS) {
      values.integer(place, parser.getLongValue());
      return;
    }
    double nearest = parser.getDoubleValue();
    char[] chars = parser.getTextCharacters();
    values.integer(place, chars, parser.getTextOffset(), parser.getTextLength(), nearest);
  }
}
