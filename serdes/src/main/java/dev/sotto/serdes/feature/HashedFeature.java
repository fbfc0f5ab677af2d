package dev.sotto.serdes.feature;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.RecordStatus;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.commons.codec.digest.MurmurHash3;

/**
 * A category, or a cross of several, in a block of 2^bits coordinates that all such features share
 * (feature hashing with signs: Weinberger et al. 2009). What is hashed are the UTF-8 bytes of
 * {@code name=value}; of a cross, {@code name=} and for each value its length in bytes, a colon,
 * the value: so no two lists of values give the same bytes.
 */
public final class HashedFeature implements Feature {
  /** Public and fixed: the first 32 bits of the fraction of pi. */
  public static final int SEED = 0x243F6A88;

  private final String name;
  private final List<String> fields;
  private final boolean optional;
  private final byte[] prefix;
  private final int[] places;
  private final int first;
  private final int mask;

  HashedFeature(FeatureMapBuilder.Hashed spec, FieldPaths paths, int first, int bits) {
    this.name = spec.name();
    this.fields = spec.fields();
    this.optional = spec.optional();
    this.prefix = (name + "=").getBytes(StandardCharsets.UTF_8);
    this.places = fields.stream().mapToInt(field -> paths.place(field, true)).toArray();
    this.first = first;
    this.mask = (1 << bits) - 1;
  }

  @Override
  public RecordStatus addTo(Example example, FieldValues values) {
    Utf8Buffer buffer = values.scratch();
    buffer.clear();
    buffer.put(prefix, 0, prefix.length);
    for (int place : places) {
      RecordStatus status = values.textAt(place);
      if (status != RecordStatus.USED) {
        return Feature.unless(optional, status);
      }
      int length = values.length(place);
      if (places.length > 1) {
        buffer.putDecimal(length);
        buffer.put(':');
      }
      buffer.put(values.texts(), values.start(place), length);
    }
    int hash = hash(buffer);
    example.add(first + (hash & mask), hash < 0 ? -1 : 1);
    return RecordStatus.USED;
  }

  private static int hash(Utf8Buffer buffer) {
    return MurmurHash3.hash32x86(buffer.bytes(), 0, buffer.size(), SEED);
  }

  String name() {
    return name;
  }

  /** How many values it has: more than one where it is a cross. */
  int arity() {
    return fields.size();
  }

  /** Where these texts go, one a field. */
  FeatureNames.Place placeOf(List<String> values) {
    return place(
        values.stream().map(each -> each.getBytes(StandardCharsets.UTF_8)).toList());
  }

  /** Where these values go as numbers; empty where one is none, or its text is the same. */
  Optional<FeatureNames.Place> placeOfNumbers(List<String> values) {
    TextNumber number = new TextNumber(NumberComma.NONE);
    List<byte[]> texts = new ArrayList<>();
    boolean differs = false;
    for (String each : values) {
      if (!number.read(each) || !Double.isFinite(number.value())) {
        return Optional.empty();
      }
      Utf8Buffer text = new Utf8Buffer();
      FieldValues.putText(number.value(), text);
      texts.add(Arrays.copyOf(text.bytes(), text.size()));
      differs |= !Arrays.equals(texts.get(texts.size() - 1), each.getBytes(StandardCharsets.UTF_8));
    }
    return differs ? Optional.of(place(texts)) : Optional.empty();
  }

  private FeatureNames.Place place(List<byte[]> values) {
    Utf8Buffer buffer = new Utf8Buffer();
    buffer.put(prefix, 0, prefix.length);
    for (byte[] text : values) {
      if (fields.size() > 1) {
        buffer.putDecimal(text.length);
        buffer.put(':');
      }
      buffer.put(text, 0, text.length);
    }
    int hash = hash(buffer);
    return new FeatureNames.Place(first + (hash & mask), hash < 0 ? -1 : 1);
  }
}
