package dev.sotto.serdes.record;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.example.Vectors;
import dev.sotto.serdes.avro.LittleEndian;
import dev.sotto.serdes.avro.SingleObject;
import dev.sotto.serdes.avro.UnreadableRecordException;
import dev.sotto.serdes.avro.WireReader;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.feature.FeatureMap;

/**
 * Events that are ready-made examples: the record Example in Avro's single-object encoding. What it
 * reads by hand is the current form; older forms are brought to it by Avro first. Features of l2
 * norm above 1 are scaled down to 1. A codec holds buffers: one per thread.
 *
 * <table>
 * <caption>What becomes of a record; the first line that fits</caption>
 * <tr><td>null</td><td>EMPTY</td></tr>
 * <tr><td>longer than the limit</td><td>TOO_LARGE</td></tr>
 * <tr><td>unknown schema, lengths beyond the end, overlong numbers, trailing bytes</td>
 *     <td>UNREADABLE</td></tr>
 * <tr><td>no unit or an empty one though one is asked for</td><td>MISSING_FIELD</td></tr>
 * <tr><td>a unit above 1024 bytes</td><td>TOO_LARGE</td></tr>
 * <tr><td>label or weight NaN or infinite</td><td>NOT_FINITE</td></tr>
 * <tr><td>weight below 0</td><td>WRONG_TYPE</td></tr>
 * <tr><td>dense features of another dimension; sparse ones with an index out of range, not strictly
 *     increasing, or more or fewer of them than values</td><td>WRONG_TYPE</td></tr>
 * <tr><td>a feature NaN or infinite</td><td>NOT_FINITE</td></tr>
 * </table>
 */
public final class ExampleCodec implements EventDecoder {
  private static final SingleObject FORMAT = SingleObject.of("Example");
  private static final byte[] HEADER = SingleObject.header(FORMAT.schema());
  private static final long FINGERPRINT = LittleEndian.getLong(HEADER, 2);
  private static final int SPARSE = 1;

  private final int dimension;
  private final int maxBytes;
  private final UnitSource unitSource;
  private final WireReader in = new WireReader();
  private final PackedFeatures features = new PackedFeatures();

  /**
   * Reads examples of one dimension.
   *
   * @param dimension the number of coordinates, at least 1
   * @param maxBytes the longest value that is read, at least 1
   */
  public ExampleCodec(int dimension, int maxBytes, UnitSource unitSource) {
    if (dimension < 1) {
      throw new IllegalArgumentException("dimension must be at least 1, but was " + dimension);
    }
    if (maxBytes < 1) {
      throw new IllegalArgumentException("maxBytes must be at least 1, but was " + maxBytes);
    }
    if (unitSource == null) {
      throw new IllegalArgumentException("unitSource must be given, but was null");
    }
    this.dimension = dimension;
    this.maxBytes = maxBytes;
    this.unitSource = unitSource;
  }

  @Override
  public int dimension() {
    return dimension;
  }

  @Override
  public RecordStatus decode(byte[] key, byte[] value, Slot into) {
    if (into.example().dimension() != dimension) {
      throw new IllegalArgumentException("slot must have dimension " + dimension + ", but had "
          + into.example().dimension());
    }
    into.clear();
    RecordStatus status = read(key, value, into);
    if (status != RecordStatus.USED) {
      into.clear();
    }
    return into.status(status);
  }

  private RecordStatus read(byte[] key, byte[] value, Slot into) {
    if (value == null) {
      return RecordStatus.EMPTY;
    }
    if (value.length > maxBytes) {
      return RecordStatus.TOO_LARGE;
    }
    if (hasHeader(value)) {
      return readCurrent(key, value, into);
    }
    try {
      return readCurrent(key, FORMAT.upgrade(value), into);
    } catch (UnreadableRecordException e) {
      return RecordStatus.UNREADABLE;
    }
  }

  private RecordStatus readCurrent(byte[] key, byte[] value, Slot into) {
    in.wrap(value, SingleObject.HEADER);
    int branch = in.integer();
    features.locate(in, branch == SPARSE);
    final double label = in.real();
    int idBranch = in.integer();
    int id = idBranch == 1 ? in.span() : -1;
    final int idStart = in.spanStart();
    int unitBranch = in.integer();
    int unit = unitBranch == 1 ? in.span() : -1;
    final int unitStart = in.spanStart();
    final double weight = in.real();
    if (!in.finished() || ((branch | idBranch | unitBranch) & ~1) != 0) {
      return RecordStatus.UNREADABLE;
    }
    RecordStatus status = switch (unitSource) {
      case NONE -> RecordStatus.USED;
      case ID -> unit(value, idStart, id, into);
      case UNIT -> unit(value, unitStart, unit, into);
      case KEY -> unit(key, 0, key == null ? -1 : key.length, into);
    };
    return status == RecordStatus.USED ? fill(value, label, weight, into.example()) : status;
  }

  private static RecordStatus unit(byte[] bytes, int from, int length, Slot into) {
    if (length <= 0) {
      return RecordStatus.MISSING_FIELD;
    }
    if (length > FeatureMap.MAX_UNIT_BYTES) {
      return RecordStatus.TOO_LARGE;
    }
    into.unit(bytes, from, length);
    return RecordStatus.USED;
  }

  private RecordStatus fill(byte[] value, double label, double weight, Example into) {
    if (!Double.isFinite(label) || !Double.isFinite(weight)) {
      return RecordStatus.NOT_FINITE;
    }
    if (weight < 0 || !features.fill(value, into, false)) {
      return RecordStatus.WRONG_TYPE;
    }
    double norm = into.measure();
    if (!(norm <= 1) && !clip(into, norm)) {
      return RecordStatus.NOT_FINITE;
    }
    into.label(label);
    into.weight(weight);
    return RecordStatus.USED;
  }

  /** Scales to norm 1; false where a value is not finite. */
  private static boolean clip(Example example, double norm) {
    if (!Double.isFinite(norm)) {
      if (!Vectors.isFinite(example.values(), example.size())) {
        return false;
      }
      example.scale(0x1p-512); // only the norm was too large for a double
    }
    example.scale(1 / example.norm());
    while (example.norm() > 1) { // division and the norm round; a step or two at most
      example.scale(1 - 0x1p-52);
    }
    example.measure();
    return true;
  }

  /**
   * The bytes of an example that gives every feature.
   *
   * @param id null where the record has no name
   * @param unit null where the record stands for itself
   */
  public static byte[] encodeDense(
      String id, byte[] unit, double[] values, double label, double weight) {
    return ExampleBytes.of(HEADER, id, unit, null, values, label, weight);
  }

  /**
   * The bytes of an example that gives some features.
   *
   * @param id null where the record has no name
   * @param unit null where the record stands for itself
   * @param indices at least 0 and strictly increasing, as many as values
   * @throws IllegalArgumentException if the indices break their rule
   */
  public static byte[] encodeSparse(
      String id, byte[] unit, int[] indices, double[] values, double label, double weight) {
    if (indices.length != values.length) {
      throw new IllegalArgumentException("indices and values must be as many, but were "
          + indices.length + " and " + values.length);
    }
    for (int i = 0; i < indices.length; i++) {
      if (indices[i] <= (i == 0 ? -1 : indices[i - 1])) {
        throw new IllegalArgumentException(
            "indices must be at least 0 and strictly increasing, but one was " + indices[i]);
      }
    }
    return ExampleBytes.of(HEADER, id, unit, indices, values, label, weight);
  }

  private static boolean hasHeader(byte[] value) {
    return value.length >= SingleObject.HEADER
        && value[0] == (byte) 0xC3
        && value[1] == 0x01
        && LittleEndian.getLong(value, 2) == FINGERPRINT;
  }
}
