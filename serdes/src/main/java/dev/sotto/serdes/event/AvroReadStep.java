package dev.sotto.serdes.event;

import dev.sotto.serdes.feature.FieldValues;
import java.io.EOFException;
import java.io.IOException;
import org.apache.avro.io.BinaryDecoder;

/**
 * Reads or skips one Avro value. Steps are compiled once per writer's schema by
 * {@link AvroFieldReader}, and keep nothing but the wanted fields. Time and memory are bounded by
 * the bytes of the record: what has no bytes is never looped over, and no count is believed before
 * its bytes are there.
 */
interface AvroReadStep {
  /** The deepest nesting of records, lists and unions. */
  int MAX_DEPTH = 64;

  /** Reads one value; {@code depth} is that of its parent plus 1. */
  void run(BinaryDecoder in, FieldValues values, int depth) throws IOException;

  /** More than the limits allow. */
  final class TooDeep extends IOException {
    private static final long serialVersionUID = 1;

    TooDeep() {
      super("a value is nested deeper than " + MAX_DEPTH);
    }
  }

  /**
   * Checks a depth by count and not by the size of the stack, which differs from machine to
   * machine.
   */
  static void checkDepth(int depth) throws TooDeep {
    if (depth > MAX_DEPTH) {
      throw new TooDeep();
    }
  }

  /** A record's fields in their order; filled after it is made, as a schema may name itself. */
  final class Fields implements AvroReadStep {
    private AvroReadStep[] steps = {};

    void fill(AvroReadStep[] newSteps) {
      steps = newSteps;
    }

    @Override
    public void run(BinaryDecoder in, FieldValues values, int depth) throws IOException {
      checkDepth(depth);
      for (AvroReadStep step : steps) {
        step.run(in, values, depth + 1);
      }
    }
  }

  /** One of several types, after its index. */
  record Union(AvroReadStep[] branches) implements AvroReadStep {
    @Override
    public void run(BinaryDecoder in, FieldValues values, int depth) throws IOException {
      checkDepth(depth);
      int index = in.readIndex();
      if (index < 0 || index >= branches.length) {
        throw new IOException("no such branch of a union");
      }
      branches[index].run(in, values, depth + 1);
    }
  }

  /** Skips an array, or a map if the items have keys; no item step: the items have no bytes. */
  record Items(boolean keyed, AvroReadStep item) implements AvroReadStep {
    @Override
    public void run(BinaryDecoder in, FieldValues values, int depth) throws IOException {
      checkDepth(depth);
      for (long left = count(in); left > 0; left = count(in)) {
        for (; left > 0 && (keyed || item != null); left--) {
          if (keyed) {
            skipBytes(in);
          }
          if (item != null) {
            item.run(in, values, depth + 1);
          }
        }
      }
    }
  }

  /** Text into a place. */
  final class Text implements AvroReadStep {
    private final int place;
    private byte[] buffer = new byte[64];

    Text(int place) {
      this.place = place;
    }

    @Override
    public void run(BinaryDecoder in, FieldValues values, int depth) throws IOException {
      int length = length(in);
      if (length > buffer.length) {
        buffer = new byte[Math.max(length, 2 * buffer.length)];
      }
      in.readFixed(buffer, 0, length);
      values.text(place, buffer, 0, length);
    }
  }

  /** The symbol of an enum into a place. */
  record Symbol(int place, byte[][] symbols) implements AvroReadStep {
    @Override
    public void run(BinaryDecoder in, FieldValues values, int depth) throws IOException {
      int index = in.readEnum();
      if (index < 0 || index >= symbols.length) {
        throw new IOException("no such symbol of an enum");
      }
      values.text(place, symbols[index], 0, symbols[index].length);
    }
  }

  /** Marks a place as neither number nor text, and goes on. */
  record Other(int place, AvroReadStep rest) implements AvroReadStep {
    @Override
    public void run(BinaryDecoder in, FieldValues values, int depth) throws IOException {
      values.other(place);
      rest.run(in, values, depth);
    }
  }

  /** Skips a string or bytes. */
  static void skipBytes(BinaryDecoder in) throws IOException {
    in.skipFixed(length(in));
  }

  private static int length(BinaryDecoder in) throws IOException {
    long length = in.readLong();
    if (length < 0 || length > in.remainingBytes()) {
      throw new EOFException("a length is larger than the rest of the record");
    }
    return (int) length;
  }

  /**
   * The item count of the next block, 0 at the end; a negative one has the block's size behind it.
   */
  private static long count(BinaryDecoder in) throws IOException {
    long count = in.readLong();
    if (count >= 0) {
      return count;
    }
    if (count == Long.MIN_VALUE || in.readLong() < 0) {
      throw new IOException("no such block of items");
    }
    return -count;
  }
}
