package dev.sotto.serdes.record;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.avro.LittleEndian;
import dev.sotto.serdes.avro.SingleObject;
import dev.sotto.serdes.avro.UnreadableRecordException;
import dev.sotto.serdes.avro.WireReader;
import dev.sotto.serdes.avro.WireWriter;

/**
 * Slots on their way through the funnel, to and from the record SequencedSlot in Avro's
 * single-object encoding, written by hand because every event passes here. A decoded slot equals
 * the encoded one bit for bit, the order of sparse coordinates included. A codec holds buffers: one
 * per thread.
 */
public final class SlotCodec {
  private static final SingleObject FORMAT = SingleObject.of("SequencedSlot");
  private static final byte[] HEADER = SingleObject.header(FORMAT.schema());
  private static final long FINGERPRINT = LittleEndian.getLong(HEADER, 2);
  private static final int NO_FEATURES = 0;
  private static final int DENSE = 1;
  private static final int SPARSE = 2;

  private final WireWriter out = new WireWriter();
  private final WireReader in = new WireReader();
  private final PackedFeatures features = new PackedFeatures();
  private int partition = -1;
  private long offset = -1;

  /**
   * The slot's bytes, a new array.
   *
   * @param sourcePartition where the slot's record came from, at least 0
   * @param sourceOffset its place there, at least 0
   * @throws IllegalArgumentException if a used slot is not finite, or its l2 norm is above 1
   */
  public byte[] encode(Slot slot, int sourcePartition, long sourceOffset) {
    if (sourcePartition < 0 || sourceOffset < 0) {
      throw new IllegalArgumentException("partition and offset must be at least 0, but were "
          + sourcePartition + ", " + sourceOffset);
    }
    Example example = slot.example();
    boolean used = slot.verdict() == RecordStatus.USED;
    if (used && !keepsPromise(example)) {
      throw new IllegalArgumentException(
          "a used slot must be finite, of weight at least 0 and l2 norm at most 1, but was not");
    }
    int unit = slot.unitLength();
    long size =
        HEADER.length + WireWriter.size(slot.verdict().code()) + WireWriter.size(sourcePartition);
    size += WireWriter.size(sourceOffset) + 1 + (unit < 0 ? 0 : WireWriter.spanSize(unit));
    size += 1 + (used ? PackedFeatures.size(example) : 0) + 2 * Double.BYTES;

    out.start(HEADER, size);
    out.number(slot.verdict().code()).number(sourcePartition).number(sourceOffset);
    out.number(unit < 0 ? 0 : 1);
    if (unit >= 0) {
      out.span(slot.unit(), unit);
    }
    if (used) {
      out.number(example.isSparse() ? SPARSE : DENSE);
      PackedFeatures.write(example, out);
    } else {
      out.number(NO_FEATURES);
    }
    out.real(used ? example.label() : 0).real(used ? example.weight() : 1);
    return out.finish();
  }

  /**
   * Fills a slot; one that is not used is a zero vector.
   *
   * @param value the bytes; whatever breaks a rule gives {@link RecordStatus#UNREADABLE}, as do
   *     features that do not fit the slot's dimension, and then {@link #partition()} is -1
   * @return the verdict
   */
  public RecordStatus decode(byte[] value, Slot into) {
    into.clear();
    partition = -1;
    offset = -1;
    if (value != null && hasHeader(value, FINGERPRINT)) {
      return readCurrent(value, into);
    }
    try {
      return readCurrent(FORMAT.upgrade(value), into);
    } catch (UnreadableRecordException e) {
      return into.verdict(RecordStatus.UNREADABLE);
    }
  }

  /**
   * Reads only where a slot came from, whatever features it has: {@link #partition()} and {@link
   * #offset()} tell it.
   *
   * @return whether it is a slot
   */
  public boolean locate(byte[] value) {
    partition = -1;
    offset = -1;
    byte[] current = value;
    if (value == null || !hasHeader(value, FINGERPRINT)) {
      try {
        current = FORMAT.upgrade(value);
      } catch (UnreadableRecordException none) {
        return false;
      }
    }
    in.wrap(current, SingleObject.HEADER);
    in.integer(); // the verdict
    int from = in.integer();
    long place = in.number();
    if (from < 0 || place < 0) {
      return false;
    }
    partition = from;
    offset = place;
    return true;
  }

  private RecordStatus readCurrent(byte[] value, Slot into) {
    in.wrap(value, SingleObject.HEADER);
    int code = in.integer();
    final int from = in.integer();
    final long place = in.number();
    int unitBranch = in.integer();
    int unit = unitBranch == 1 ? in.span() : -1;
    int unitStart = in.spanStart();
    int branch = in.integer();
    boolean used = branch == DENSE || branch == SPARSE;
    if (used) {
      features.locate(in, branch == SPARSE);
    }
    double label = in.real();
    double weight = in.real();
    boolean sound = in.finished()
        && (unitBranch | 1) == 1
        && (used || branch == NO_FEATURES)
        && used == (code == RecordStatus.USED.code())
        && from >= 0
        && place >= 0;
    if (!sound || used && !fill(value, label, weight, into.example())) {
      into.clear();
      return into.verdict(RecordStatus.UNREADABLE);
    }
    if (unit >= 0) {
      into.unit(value, unitStart, unit);
    }
    partition = from;
    offset = place;
    return into.verdict(used ? RecordStatus.USED : RecordStatus.ofCode(code));
  }

  /** Source partition of the slot decoded last, -1 if that was no slot. */
  public int partition() {
    return partition;
  }

  /** Source offset of the slot decoded last, -1 if that was no slot. */
  public long offset() {
    return offset;
  }

  static boolean hasHeader(byte[] value, long fingerprint) {
    return value.length >= SingleObject.HEADER
        && value[0] == (byte) 0xC3
        && value[1] == 0x01
        && LittleEndian.getLong(value, 2) == fingerprint;
  }

  private boolean fill(byte[] value, double label, double weight, Example into) {
    if (!features.fill(value, into, true)) {
      return false;
    }
    into.label(label);
    into.weight(weight);
    return keepsPromise(into);
  }

  /** What every decoder of events promises of a used slot; a NaN fails it. */
  private static boolean keepsPromise(Example example) {
    return Double.isFinite(example.label())
        && example.weight() >= 0
        && example.weight() < Double.POSITIVE_INFINITY
        && example.norm() <= 1;
  }
}
